// Enumerations: the classes that derive from Enum, and what the module enum gives.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

// The members of an enumeration; the details of its class.
class EnumMembers final : public lang::Extension {
 public:
  explicit EnumMembers(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "members"; }

  std::vector<Value> in_order;                             // without aliases
  std::vector<std::pair<std::string, std::size_t>> names;  // with aliases; into in_order
  Value by_value;  // a dict: value -> number, of values that can be hashed

 private:
  void Clear() override {
    in_order.clear();
    by_value = Value();
  }
};

// The members of a class that is an enumeration; null for other classes, and for one
// without members.
const EnumMembers* MembersOf(const ClassObject& cls);

// The value of a member. REQUIRES: it is one.
Value ValueOfMember(const Value& member);

// The member of `cls` with that value, or Unset. (Does not ask _missing_.)
Outcome<Value> FindMember(Host& host, const ClassObject& cls, const Value& value);

}  // namespace espalier::script
