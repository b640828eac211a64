// Value: what a variable of the two languages (scripts and chat templates) holds.
//
// 16 bytes: a type tag and either the thing itself (None, bool, int, float) or a
// counted reference to an Object on a Heap. Copying a Value copies the reference, as
// in Python; nothing here copies contents.
//
//   1. Counts are not atomic: all values of one Heap stay on one thread.
//   2. A Heap outlives its values. Reference cycles are freed with the Heap.
//   3. Releasing a deep nest takes constant stack.
//   4. An int that fits 64 bits is a kInt, always; a larger one is a kBigInt
//      (integer/integer.h). Both are Python's int.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "kernels/base/check.h"

namespace espalier::lang {

class Heap;

enum class Type : std::uint8_t {
  kUnset,  // no value: an unbound variable, an absent argument. No program sees one
  kNone,
  kBool,
  kInt,
  kFloat,
  // On the heap from here.
  kBigInt,
  kStr,
  kList,
  kTuple,
  kDict,
  kSet,
  kRange,
  kSlice,
  // Extension objects from here (extension.h).
  kFunction,
  kIterator,
  kExtension,
  kInstance,  // of a class that the program defines
  kClass,     // made by a class statement, or like one
  kMethod,    // a function bound to an object
};

// What a Value may refer to. Made by Heap::New only.
class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  Type type() const { return type_; }
  Heap& heap() const { return *heap_; }
  bool unique() const { return num_refs_ == 1; }

 protected:
  Object(Heap& heap, Type type) : heap_(&heap), type_(type) {}
  virtual ~Object();

  // Tells the heap's account how many bytes this object holds now, itself included.
  void Charge(std::int64_t size_bytes);

  // Whether something is left to do when nobody refers to this object any more. Then
  // Heap::TakeUnfinished gives it to whoever does that.
  void SetUnfinished(bool unfinished) { unfinished_ = unfinished; }

 private:
  friend class Value;
  friend class Heap;

  void Retain() { ++num_refs_; }
  void Release() {
    if (--num_refs_ == 0) Destroy();
  }
  void Destroy();

  Heap* heap_;
  std::int64_t size_bytes_ = 0;
  std::uint32_t num_refs_ = 0;
  Type type_;
  bool unfinished_ = false;
};

class Value {
 public:
  Value() : type_(Type::kNone), int_(0) {}
  static Value Unset() { return Value(Type::kUnset, 0); }
  static Value Bool(bool value) { return Value(Type::kBool, value ? 1 : 0); }
  static Value Int(std::int64_t value) { return Value(Type::kInt, value); }
  static Value Float(double value) {
    Value result(Type::kFloat, 0);
    result.float_ = value;
    return result;
  }
  explicit Value(Object* object) : type_(object->type()), object_(object) { object->Retain(); }

  Value(const Value& other) : type_(other.type_), int_(other.int_) {
    if (on_heap()) object_->Retain();
  }
  Value(Value&& other) noexcept : type_(other.type_), int_(other.int_) {
    other.type_ = Type::kNone;
  }
  Value& operator=(const Value& other) {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    Value taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Value() {
    if (on_heap()) object_->Release();
  }
  void swap(Value& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(int_, other.int_);
  }

  Type type() const { return type_; }
  bool on_heap() const { return type_ >= Type::kBigInt; }
  bool is_unset() const { return type_ == Type::kUnset; }
  bool is_none() const { return type_ == Type::kNone; }
  bool is_bool() const { return type_ == Type::kBool; }
  bool is_int() const { return type_ == Type::kInt; }
  bool is_float() const { return type_ == Type::kFloat; }
  bool is_str() const { return type_ == Type::kStr; }
  // What as_int() reads; an int of any size or a bool; that, or a float.
  bool is_integral() const { return type_ == Type::kInt || type_ == Type::kBool; }
  bool is_integer() const { return is_integral() || type_ == Type::kBigInt; }
  bool is_number() const { return type_ >= Type::kBool && type_ <= Type::kBigInt; }
  bool is_extension() const { return type_ >= Type::kFunction; }

  // REQUIRES: the value has that type (as_int: int or bool).
  bool as_bool() const { return int_ != 0; }
  std::int64_t as_int() const { return int_; }
  double as_float() const { return float_; }
  Object* object() const { return object_; }

  // The object as T (Str, List, Dict, ...). REQUIRES: type() == T::kType.
  template <typename T>
  T* As() const {
    ESP_DCHECK(type_ == T::kType);
    return static_cast<T*>(object_);
  }
  // The object as T, or null when it is something else.
  template <typename T>
  T* If() const {
    return type_ == T::kType ? static_cast<T*>(object_) : nullptr;
  }
  // The same for a class derived from Extension.
  template <typename T>
  T* IfExtension() const {
    return is_extension() ? dynamic_cast<T*>(object_) : nullptr;
  }

  // Python's `is`.
  bool Is(const Value& other) const { return type_ == other.type_ && int_ == other.int_; }

 private:
  Value(Type type, std::int64_t bits) : type_(type), int_(bits) {}

  Type type_;
  union {
    std::int64_t int_;
    double float_;
    Object* object_;
  };
};

static_assert(sizeof(Value) == 16);

// The name that Python gives the value's type: "int", "NoneType", ...
std::string_view TypeName(const Value& value);

}  // namespace espalier::lang
