// Makes the members of an enumeration from the attributes of its class.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// auto(): the value follows from the name and the members before.
class AutoValue final : public lang::Extension {
 public:
  explicit AutoValue(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "auto"; }
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;

  Value value = Value::Unset();  // once its member is made

 private:
  void Clear() override { value = Value::Unset(); }
};

// READ | WRITE of values that the class body does not know yet.
class AutoExpression final : public lang::Extension {
 public:
  AutoExpression(Heap& heap, lang::BinaryOp op, Value left, Value right)
      : Extension(heap, lang::Type::kExtension),
        op_(op),
        left_(std::move(left)),
        right_(std::move(right)) {}
  std::string_view TypeName() const override { return "auto"; }
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;

  // Its value, once those of its parts are known.
  Outcome<Value> Evaluate(Host& host) const;

 private:
  void Clear() override { left_ = right_ = Value(); }

  lang::BinaryOp op_;
  Value left_, right_;
};

// Turns the plain attributes of `cls` into members. The class itself, finished.
Outcome<Value> BuildMembers(Host& host, ClassObject& cls);

// Enum("Color", names): a class, with names as a str, a list or a dict.
Outcome<Value> EnumFromNames(Host& host, ClassObject& base, const Args& args);

}  // namespace espalier::script
