// Instance: an object of a class made in the program; also what built-in exceptions are
// made of, which have no such class.
//
// Its attributes lie in slots that its shape names, or in a dict where they are many or
// some were deleted. Operators and built-in functions come here through Extension; they
// call the special methods of the class.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// Begins the name of an own attribute that C++ code keeps: no str holds this byte, so that
// no program can read or write it by any way.
inline constexpr char kHiddenMark = '\xff';

class Instance : public lang::Extension {
 public:
  static constexpr lang::Type kType = lang::Type::kInstance;

  Instance(Heap& heap, ClassObject& cls);

  // REQUIRES: it has one (always where the value's type is kInstance).
  ClassObject& cls() const { return *class_.As<ClassObject>(); }
  bool has_class() const { return !class_.is_none(); }

  // Attributes of its own.
  Shape* shape() const { return shape_; }  // null: they lie in a dict
  Value& slot(int at) { return slots_[static_cast<std::size_t>(at)]; }
  void AppendSlot(Shape& to, Value value);  // REQUIRES: to is a child of shape()
  const Value* FindOwn(std::string_view name) const;
  Fault PutOwn(Host& host, std::string_view name, Value value);
  Outcome<bool> EraseOwn(Host& host, std::string_view name);
  std::vector<std::pair<std::string, Value>> Own() const;  // in the order of setting
  // The dict in which they lie from now on, for vars(). Its keys may become any.
  Outcome<Value> OwnDict(Host& host);

  // Calls the class's special method; Unset where there is none.
  Outcome<Value> CallSpecial(Host& host, Special special, std::span<const Value> args = {});
  // The same for a method that few classes have: __copy__, __floor__.
  Outcome<Value> CallNamed(Host& host, std::string_view name, std::span<const Value> args = {});
  bool Has(Special special) const { return FindSpecial(special) != nullptr; }
  const Value* FindSpecial(Special special) const {
    return has_class() ? cls().Find(special) : nullptr;
  }

  // Its __del__, once nobody refers to it any more.
  Fault CallDel(Host& host);

  // What object's own methods do, without asking the class's special methods.
  virtual Outcome<std::string> DefaultRepr(Host& host);
  virtual Outcome<std::string> DefaultText(Host& host) { return Repr(host); }
  virtual Outcome<Value> NativeAttr(Host&, std::string_view) { return Value::Unset(); }
  Outcome<bool> DefaultSetAttr(Host& host, std::string_view name, Value value);
  Fault DefaultDelAttr(Host& host, std::string_view name);
  Fault DelAttr(Host& host, std::string_view name);

  // The value of a subclass of a built-in type; Unset for others.
  Value payload = Value::Unset();

  const Value& Underlying() const override { return payload; }
  std::string_view TypeName() const override { return cls().shown_name(); }
  Outcome<bool> Truth(Host& host) override;
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<std::uint64_t> Hash(Host& host) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<std::string> Text(Host& host) override;
  Outcome<std::string> Format(Host& host, std::string_view spec) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<bool> SetAttr(Host& host, std::string_view name, Value value) override;
  Outcome<Value> GetItem(Host& host, const Value& key) override;
  Outcome<bool> SetItem(Host& host, const Value& key, Value value) override;
  Outcome<bool> DelItem(Host& host, const Value& key) override;
  Outcome<Value> Length(Host& host) override;
  Outcome<Value> Contains(Host& host, const Value& item) override;
  Outcome<Value> Iterate(Host& host) override;
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;
  Outcome<Value> Compare(Host& host, lang::CompareOp op, const Value& other) override;
  bool ComparesFirst(const Value& left) const override;
  bool ReflectsFirst(lang::BinaryOp op, const Value& left) const override;
  Outcome<Value> Unary(Host& host, lang::UnaryOp op) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 protected:
  explicit Instance(Heap& heap);  // without a class
  void Clear() override;

 private:
  void Recount();
  Fault ToDict(Host& host);
  Outcome<Value> PayloadAttr(Host& host, std::string_view name);

  Value class_;  // a ClassObject, or None
  Shape* shape_ = nullptr;
  std::vector<Value> slots_;
  Value dict_;  // a Dict, or None
};

// obj op= value through its __iop__; Unset where it has none.
Outcome<Value> InPlaceSpecial(Host& host, Instance& instance, lang::BinaryOp op,
                              const Value& value);

// value.__name__(args) where value is an object whose class has that method; else Unset.
Outcome<Value> CallNamedOf(Host& host, const Value& value, std::string_view name,
                           std::span<const Value> args = {});

// One more value of an object with __next__; false at its StopIteration.
Outcome<bool> NextOfInstance(Host& host, Instance& instance, Value& value);

// The singleton NotImplemented.
class NotImplementedType final : public lang::Extension {
 public:
  explicit NotImplementedType(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "NotImplementedType"; }
  Outcome<std::string> Repr(Host&) override { return std::string("NotImplemented"); }
};
inline bool IsNotImplemented(const Value& value) {
  return value.type() == lang::Type::kExtension && Exactly<NotImplementedType>(value) != nullptr;
}

}  // namespace espalier::script
