// FieldType: what an annotation of a model says, ready to validate by and to write as a
// JSON Schema.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// What Field(...) or conint(...) asks of a value beyond its type.
struct Constraints {
  Value gt = Value::Unset(), ge = Value::Unset(), lt = Value::Unset(), le = Value::Unset();
  Value multiple_of = Value::Unset();
  std::optional<std::int64_t> min_length, max_length;
  std::optional<std::string> pattern;

  bool any() const {
    return !gt.is_unset() || !ge.is_unset() || !lt.is_unset() || !le.is_unset() ||
           !multiple_of.is_unset() || min_length || max_length || pattern;
  }
};

struct FieldType {
  enum class Kind {
    kAny,
    kNone,
    kBool,
    kInt,
    kFloat,
    kStr,
    kList,      // parts: the item
    kSet,       // parts: the item
    kTuple,     // parts: each item; variadic: any number of parts[0]
    kDict,      // parts: key, value
    kUnion,     // parts: the options
    kLiteral,   // literals
    kEnum,      // cls
    kModel,     // cls
    kRecord,    // cls: a dataclass or TypedDict
    kInstance,  // cls: an object of that class, as it is
  };

  Kind kind = Kind::kAny;
  std::vector<FieldType> parts;
  bool variadic = false;
  std::vector<Value> literals;
  Value cls;
  Constraints constraints;

  // Whether None is an option of a union; then the others.
  bool nullable() const;
};

// Reads an annotation. Texts in it are names of the file, or of `around` itself. A
// TypeError for what has no schema.
Outcome<FieldType> ReadAnnotation(Host& host, const Value& annotation, ClassObject& around);

// Adds constraints to the type they are for: of Optional[int], the int.
void Constrain(FieldType& type, const Constraints& constraints);

// As error locations name an option of a union: int, list[str], literal['a'].
std::string LabelOf(Host& host, const FieldType& type);

}  // namespace espalier::script
