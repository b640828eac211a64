// TextFile: what open() gives: a text that is read. The whole text is in memory.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

class TextFile final : public ContextManager {
 public:
  TextFile(Heap& heap, std::string text, std::string name);

  std::string_view TypeName() const override { return "TextIOWrapper"; }
  Outcome<Value> Enter(Host&) override { return Value(this); }
  Fault Exit(Host&, const Value&) override {
    closed_ = true;
    return Fault();
  }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Iterate(Host& host) override;

  Fault CheckOpen() const;
  const std::string& text() const { return text_; }
  std::string Take(std::size_t num_code_points);  // at most so many
  std::string TakeLine();                         // with its end; "" at the end
  void Rewind() { at_ = 0; }
  void Close() { closed_ = true; }

 private:
  std::string text_, name_;
  std::size_t at_ = 0;  // byte
  bool closed_ = false;
};

}  // namespace espalier::script
