// Types as annotations write them: list[int], int | None, Optional[T], Literal["a"].
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

// A name of the module typing: Any, Union, List, ...
class TypingName final : public lang::Extension {
 public:
  // `name` is a literal. `alias`: the built-in type that List, Dict, ... mean, or Unset.
  TypingName(Heap& heap, std::string_view name, Value alias)
      : Extension(heap, lang::Type::kExtension), name_(name), alias_(std::move(alias)) {}

  std::string_view name() const { return name_; }
  const Value& alias() const { return alias_; }

  std::string_view TypeName() const override { return "_SpecialForm"; }
  Outcome<std::string> Repr(Host&) override { return "typing." + std::string(name_); }
  Outcome<Value> GetItem(Host& host, const Value& key) override;
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { alias_ = Value(); }

  std::string_view name_;
  Value alias_;
};

// origin[args].
class TypeForm final : public lang::Extension {
 public:
  // How the program has written it: list[int]; List[int] of typing; int | None.
  enum class Spelling : unsigned char { kPlain, kTyping, kBar };

  TypeForm(Heap& heap, Value origin, std::vector<Value> args, Spelling spelling = Spelling::kPlain)
      : Extension(heap, lang::Type::kExtension),
        origin_(std::move(origin)),
        args_(std::move(args)),
        spelling_(spelling) {
    Charge(static_cast<std::int64_t>(sizeof(TypeForm) + args_.size() * sizeof(Value)));
  }

  const Value& origin() const { return origin_; }  // a TypeObject, ClassObject or TypingName
  std::string_view origin_name() const;            // "Union", "list", ...
  const std::vector<Value>& args() const { return args_; }
  Spelling spelling() const { return spelling_; }

  std::string_view TypeName() const override {
    return spelling_ == Spelling::kBar ? "UnionType" : "GenericAlias";
  }
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetItem(Host&, const Value&) override { return Value(this); }
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;
  Outcome<Value> Call(Host& host, const Args& args) override {
    return host.Call(Value(origin_), args);
  }

 private:
  void Clear() override {
    origin_ = Value();
    args_.clear();
  }

  Value origin_;
  std::vector<Value> args_;
  Spelling spelling_;
};

// self | other as a Union, or Unset where one of them is no type.
Outcome<Value> UnionOf(Host& host, const Value& self, const Value& other, lang::Side side);

// origin[key]: a tuple as key is several arguments.
Outcome<Value> MakeTypeForm(Host& host, const Value& origin, const Value& key);

}  // namespace espalier::script
