// What the built-in functions about types and attributes do, for C++ that asks the same.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

// type(value)
Value TypeOf(Machine& machine, const Value& value);
// The names of an object's attributes: its own and its classes', sorted. Of a value of a
// built-in type: none.
std::vector<std::string> AttributeNames(const Value& value);
// object.name = value; del object.name
Fault SetAttribute(Host& host, const Value& object, std::string_view name, Value value);
Fault DeleteAttribute(Host& host, const Value& object, std::string_view name);

// The singleton `...`.
class EllipsisType final : public lang::Extension {
 public:
  explicit EllipsisType(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "ellipsis"; }
  Outcome<std::string> Repr(Host&) override { return std::string("Ellipsis"); }
};

}  // namespace espalier::script
