// Continuation: what a function that stands around validation or serialization is given, to go on
// with what it stands around. It may be kept, and called whenever.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <functional>
#include <utility>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

class Continuation final : public lang::Extension {
 public:
  using Step = std::function<Outcome<Value>(Host& host, const Value& input)>;

  Continuation(Heap& heap, Step step)
      : Extension(heap, lang::Type::kExtension), step_(std::move(step)) {}

  std::string_view TypeName() const override { return "ValidatorCallable"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    if (args.positional.empty()) return lang::TypeError("the handler takes a value");
    if (step_ == nullptr) return lang::TypeError("the handler has ended");
    const Step running = step_;  // a call may drop this object
    const Value input = args.positional[0];
    return running(host, input);
  }

 private:
  void Clear() override { step_ = nullptr; }

  Step step_;
};

}  // namespace espalier::script
