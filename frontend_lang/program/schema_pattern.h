// SchemaPattern: what build_regex_from_object(Model) gives. A gen that gets it as its
// regex is held to the model's schema.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::program {

class SchemaPattern final : public lang::Extension {
 public:
  SchemaPattern(lang::Heap& heap, std::string schema)
      : Extension(heap, lang::Type::kExtension), schema_(std::move(schema)) {}

  const std::string& schema() const { return schema_; }  // JSON
  std::string_view TypeName() const override { return "SchemaPattern"; }
  lang::Outcome<std::string> Repr(lang::Host&) override {
    return "<the pattern of the JSON schema " + schema_ + ">";
  }

 private:
  std::string schema_;
};

}  // namespace espalier::program
