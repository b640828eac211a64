// TextStream: what text_iter and text_async_iter give: the text of a state, or of one of
// its variables, piece by piece as it comes.
//
// Of a state that does not stream it is the whole text at once. An error of the state is
// raised after the last piece.
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

 private:
  void Clear() override { state_ = lang::Value(); }

  lang::Fault NextPiece(std::string& piece);
  lang::Fault NextOfText(std::string& piece);
  lang::Fault NextOfVariable(std::string& piece);
  lang::Value Meta(lang::Host& host);
  StateObject& object() const { return *script::Exactly<StateObject>(state_); }

  lang::Value state_;
  const std::optional<std::string> variable_;
  const Gives gives_;
  std::size_t given_ = 0;  // bytes
  bool done_ = false;
};

}  // namespace espalier::program
