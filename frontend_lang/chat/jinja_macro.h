// Macros, the body of a call block as `caller`, and the function that a recursive loop
// is.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <utility>

#include "frontend_lang/chat/jinja_evaluator.h"

namespace espalier::jinja {

// `macro` stands in the tree (or in a call block's), which outlives the value.
class MacroValue final : public lang::Extension {
 public:
  MacroValue(lang::Heap& heap, const Signature& signature, NodeId body, std::string_view name,
             Value scope)
      : Extension(heap, lang::Type::kExtension),
        signature_(signature),
        body_(body),
        name_(name),
        scope_(std::move(scope)) {}

  std::string_view TypeName() const override { return "Macro"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { scope_ = Value(); }

  const Signature& signature_;
  const NodeId body_;
  const std::string_view name_;
  Value scope_;  // where the macro was defined
};

class LoopRecursion final : public lang::Extension {
 public:
  LoopRecursion(lang::Heap& heap, const For& loop, Value scope, int depth0)
      : Extension(heap, lang::Type::kExtension),
        loop_(loop),
        scope_(std::move(scope)),
        depth0_(depth0) {}

  std::string_view TypeName() const override { return "LoopContext"; }
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { scope_ = Value(); }

  const For& loop_;
  Value scope_;
  const int depth0_;
};

}  // namespace espalier::jinja
