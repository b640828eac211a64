// ValidationNote: what a validator is told of the field at hand (info.field_name,
// info.data).
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <utility>

#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

class ValidationNote final : public lang::Extension {
 public:
  ValidationNote(Heap& heap, std::string field, Value known)
      : Extension(heap, lang::Type::kExtension),
        field_(std::move(field)),
        known_(std::move(known)) {}

  std::string_view TypeName() const override { return "ValidationInfo"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override {
    if (name == "field_name") return lang::MakeStr(host.heap(), field_);
    if (name == "data") return known_.is_none() ? host.heap().New<lang::Dict>() : known_;
    if (name == "context") return Value();
    return Value::Unset();
  }

 private:
  void Clear() override { known_ = Value(); }

  std::string field_;
  Value known_;  // a dict of the fields before, or None
};

}  // namespace espalier::script
