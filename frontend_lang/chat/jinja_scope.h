// The names of one block of a template while it runs: the top level, a loop's round, a
// macro's call. A Scope lives on the heap, since a macro keeps the scope it was
// defined in.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <utility>
#include <vector>

#include "frontend_lang/chat/jinja_ast.h"
#include "frontend_lang/script/values/extension.h"

namespace espalier::jinja {

class Scope final : public lang::Extension {
 public:
  // `parent` is a Scope, or None for the outermost.
  Scope(lang::Heap& heap, lang::Value parent)
      : Extension(heap, lang::Type::kExtension), parent_(std::move(parent)) {}

  std::string_view TypeName() const override { return "scope"; }

  void Set(NameId name, lang::Value value) {
    for (auto& [known, held] : names_) {
      if (known == name) return held.swap(value);
    }
    names_.emplace_back(name, std::move(value));
  }

  // The nearest value of that name, or null.
  const lang::Value* Find(NameId name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->parent()) {
      for (const auto& [known, value] : scope->names_) {
        if (known == name) return &value;
      }
    }
    return nullptr;
  }

  std::size_t size() const { return names_.size(); }

 private:
  const Scope* parent() const {
    return parent_.is_extension() ? static_cast<const Scope*>(parent_.object()) : nullptr;
  }
  void Clear() override {
    names_.clear();
    parent_ = lang::Value();
  }

  std::vector<std::pair<NameId, lang::Value>> names_;  // few; searched in order
  lang::Value parent_;
};

}  // namespace espalier::jinja
