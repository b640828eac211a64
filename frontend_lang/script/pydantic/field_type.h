// FieldType: what an annotation of a model says, ready to validate by and to write as a
// JSON Schema.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstddef>
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
  bool strip = false, lower = false, upper = false;  // what becomes of a text
  bool strict = false;                               // no conversions

  bool any() const {
    return !gt.is_unset() || !ge.is_unset() || !lt.is_unset() || !le.is_unset() ||
           !multiple_of.is_unset() || min_length || max_length || pattern || strip || lower ||
           upper;
  }
};

// How the options of a union are told apart before they are tried.
struct Tagged {
  struct Option {
    Value tag;
    std::size_t part;
  };
  std::string field;                // the discriminator: a field of all options, or empty
  Value function = Value::Unset();  // Discriminator(function): gives the tag
  std::vector<Option> options;
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
    kTagged,    // parts: the options, one of which `tagged` chooses
    kLiteral,   // literals
    kEnum,      // cls
    kModel,     // cls
    kRecord,    // cls: a dataclass or TypedDict
    kText,      // cls: a date, a time, a UUID, a path: JSON has it as a text
    kInstance,  // cls: an object of that class, as it is
  };

  Kind kind = Kind::kAny;
  std::vector<FieldType> parts;
  bool variadic = false;
  bool frozen = false;    // of a kSet: a frozenset
  bool sequence = false;  // of a kList: a tuple stays one
  std::vector<Value> literals;
  Value cls;
  Constraints constraints;
  // FunctionValidators around it, the innermost first.
  std::vector<Value> functions;
  std::string tag;  // Annotated[T, Tag("...")]
  Tagged tagged;

  // Whether None is an option of a union; then the others.
  bool nullable() const;
};

// Reads an annotation. Texts in it are names of the file, or of `around` itself. A
// TypeError for what has no schema.
Outcome<FieldType> ReadAnnotation(Host& host, const Value& annotation, ClassObject& around);

// Makes a union (or the one type) one whose options are told apart as `tagged` says; nothing where
// that says nothing. A TypeError where an option has no tag.
Fault TellApart(Host& host, const Tagged& tagged, ClassObject& around, FieldType& type);

// Adds constraints to the type they are for: of Optional[int], the int.
void Constrain(FieldType& type, const Constraints& constraints);

// As error locations name an option of a union: int, list[str], literal['a'].
std::string LabelOf(Host& host, const FieldType& type);

}  // namespace espalier::script
