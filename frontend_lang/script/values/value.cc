#include "frontend_lang/script/values/value.h"

#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/set.h"

namespace espalier::lang {

std::string_view TypeName(const Value& value) {
  switch (value.type()) {
    case Type::kUnset: return "unset";
    case Type::kNone: return "NoneType";
    case Type::kBool: return "bool";
    case Type::kInt:
    case Type::kBigInt: return "int";
    case Type::kFloat: return "float";
    case Type::kStr: return "str";
    case Type::kList: return "list";
    case Type::kTuple: return "tuple";
    case Type::kDict: {
      const DictKind* kind = value.As<Dict>()->kind();
      return kind == nullptr ? "dict" : kind->name;
    }
    case Type::kSet: return value.As<Set>()->frozen() ? "frozenset" : "set";
    case Type::kRange: return "range";
    case Type::kSlice: return "slice";
    default: return ExtensionOf(value).TypeName();
  }
}

}  // namespace espalier::lang
