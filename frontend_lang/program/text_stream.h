// TextStream: what text_iter and text_async_iter give: the text of a state, or of one of
// its variables, piece by piece as it comes.
//
// Of a state that does not stream it is the whole text at once. An error of the state is
// raised after the last piece. Iterating waits with all of its fiber; what text_async_iter
// gives lets other tasks run meanwhile.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/program/state_object.h"

namespace espalier::program {

class TextStream final : public lang::Iterator {
 public:
  enum class Gives : bool { kText, kTextAndMeta };  // the second: (text, meta_info)

  // `variable` is unset for the text of the state. REQUIRES: state is a StateObject.
  TextStream(lang::Heap& heap, lang::Value state, std::optional<std::string> variable, Gives gives)
      : Iterator(heap), state_(std::move(state)), variable_(std::move(variable)), gives_(gives) {}

  std::string_view TypeName() const override { return "generator"; }
  lang::Outcome<bool> Next(lang::Host& host, lang::Value& value) override;

  // Whether Next has something to say without waiting.
  bool HasNews() const;
  StateObject& object() const { return *script::Exactly<StateObject>(state_); }

 private:
  void Clear() override { state_ = lang::Value(); }

  lang::Fault TakePiece(std::string& piece);
  lang::Fault TakeOfText(std::string& piece);
  lang::Fault TakeOfVariable(std::string& piece);
  std::string_view PartOfVariable() const;
  lang::Value Meta(lang::Host& host);

  lang::Value state_;
  const std::optional<std::string> variable_;
  const Gives gives_;
  std::size_t given_ = 0;  // bytes
  bool done_ = false;
};

// The async iterator over a TextStream.
class AsyncTextStream final : public lang::Extension {
 public:
  AsyncTextStream(lang::Heap& heap, lang::Value stream)
      : Extension(heap, lang::Type::kExtension), stream_(std::move(stream)) {}

  std::string_view TypeName() const override { return "async_generator"; }
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  const lang::Value& stream() const { return stream_; }

 private:
  void Clear() override { stream_ = lang::Value(); }

  lang::Value stream_;  // a TextStream
};

}  // namespace espalier::program
