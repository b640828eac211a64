// ClassObject: a class, made by a class statement or by a module (Enum, BaseModel).
//
//   1. mro() begins with the class itself; an attribute is looked up along it.
//   2. version() changes whenever an attribute is added to or removed from the class or
//      an ancestor, or becomes or ceases to be an extension object (a method, a property).
//      A pointer that Find gave stays good while the version does.
//   3. A class derives from at most one built-in type: an exception, or one whose value
//      each instance carries (dict, list, str, int, ...).
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <array>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend_lang/script/classes/shape.h"
#include "frontend_lang/script/classes/special_methods.h"
#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

class ClassObject;
struct ErrorKind;
struct Trait;

// What a kind of classes does differently from others: Python's metaclass. Without state.
class Metatype {
 public:
  virtual ~Metatype() = default;

  virtual std::string_view name() const { return "type"; }
  // The class has its attributes; what is returned is bound to its name.
  virtual Outcome<Value> Finish(Host& host, ClassObject& made, const Value& keywords) const;
  // cls(args). Unset: an instance, made as usual.
  virtual Outcome<Value> Call(Host&, ClassObject&, const Args&) const { return Value::Unset(); }
  virtual Outcome<std::string> Repr(Host& host, ClassObject& cls) const;
  virtual Outcome<Value> GetAttr(Host&, ClassObject&, std::string_view) const {
    return Value::Unset();
  }
  // Before cls.name is set or deleted.
  enum class Change { kSet, kDelete };
  virtual Fault CheckChange(const ClassObject&, std::string_view /*name*/, Change) const {
    return Fault();
  }
  virtual Outcome<Value> GetItem(Host&, ClassObject&, const Value& key) const;
  virtual Outcome<Value> Iterate(Host&, ClassObject&) const { return Value::Unset(); }
  virtual Outcome<Value> Length(Host&, ClassObject&) const { return Value::Unset(); }
  virtual Outcome<Value> Contains(Host&, ClassObject&, const Value&) const {
    return Value::Unset();
  }
};
const Metatype& OrdinaryClasses();

class ClassObject final : public lang::Extension {
 public:
  static constexpr lang::Type kType = lang::Type::kClass;

  struct Attribute {
    std::string name;
    Value value;
  };

  struct Parts {
    std::string name, qualified_name, doc;
    std::vector<Value> bases;       // ClassObjects
    std::vector<ClassObject*> mro;  // of the ancestors, without the class itself
    const Metatype* metatype = &OrdinaryClasses();
    const ErrorKind* error_kind = nullptr;
    Value payload_type = Value::Unset();  // a TypeObject
    std::string module = "__main__";
    std::vector<const ErrorKind*> error_bases = {};  // the built-in exceptions among the bases
  };

  ClassObject(Heap& heap, Parts parts);
  ~ClassObject() override;

  const std::string& name() const { return parts_.name; }
  const std::string& qualified_name() const { return parts_.qualified_name; }
  const std::string& doc() const { return parts_.doc; }
  const std::string& module() const { return parts_.module; }
  std::string FullName() const { return parts_.module + "." + parts_.qualified_name; }
  // As error texts name it: the modules of CPython that are in C name themselves there.
  const std::string& shown_name() const { return shown_name_.empty() ? parts_.name : shown_name_; }
  void ShowModule(const std::string& module) {
    parts_.module = module;
    shown_name_ = FullName();
  }
  const std::vector<Value>& bases() const { return parts_.bases; }
  const std::vector<ClassObject*>& mro() const { return mro_; }
  const Metatype& metatype() const { return *parts_.metatype; }
  const ErrorKind* error_kind() const { return parts_.error_kind; }  // null: no exception
  const std::vector<const ErrorKind*>& error_bases() const { return parts_.error_bases; }
  const Value& payload_type() const { return parts_.payload_type; }  // or Unset
  std::uint64_t version() const { return version_; }
  bool DerivesFrom(const ClassObject& ancestor) const;  // or is it

  const std::list<Attribute>& attributes() const { return attributes_; }
  const Value* FindOwn(std::string_view name) const;  // null: none
  const Value* Find(std::string_view name) const;     // along the mro
  const Value* Find(Special special) const;
  void Put(std::string_view name, Value value);
  bool Erase(std::string_view name);

  Shape& root_shape() { return root_shape_; }
  bool AddShape() { return ++num_shapes_ <= Shape::kMaxShapes; }
  int typical_slots = 0;  // that instances had

  Value meta = Value::Unset();         // the class that made it: see metaclass.h; Unset: type
  Value annotations = Value::Unset();  // a dict
  Value details = Value::Unset();      // what the metatype keeps: an Extension
  std::vector<std::string> abstract_names;
  const Trait* trait = nullptr;   // of a class of collections.abc
  std::vector<Value> registered;  // types that count as derived from it: cls.register(type)
  std::optional<std::unordered_set<std::string>> slots;  // __slots__: no other attributes

  std::string_view TypeName() const override {
    const auto* made_by = meta.If<ClassObject>();
    return made_by == nullptr ? metatype().name() : made_by->name();
  }
  Outcome<std::string> Repr(Host& host) override { return metatype().Repr(host, *this); }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<bool> SetAttr(Host& host, std::string_view name, Value value) override;
  Outcome<bool> DefaultSetAttr(std::string_view name, Value value);  // without its metaclass's
  Outcome<Value> GetItem(Host& host, const Value& key) override {
    return metatype().GetItem(host, *this, key);
  }
  Outcome<Value> Iterate(Host& host) override { return metatype().Iterate(host, *this); }
  Outcome<Value> Length(Host& host) override { return metatype().Length(host, *this); }
  Outcome<Value> Contains(Host& host, const Value& item) override {
    return metatype().Contains(host, *this, item);
  }
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override;
  void Changed();

  Parts parts_;
  std::string shown_name_;
  std::vector<ClassObject*> mro_;
  std::unordered_set<ClassObject*> subclasses_;  // direct ones; each removes itself
  std::list<Attribute> attributes_;              // in the order of the first binding
  std::unordered_map<std::string_view, std::list<Attribute>::iterator> index_;
  std::uint64_t changed_mark_ = 0;  // of the last walk that came by
  Shape root_shape_;
  int num_shapes_ = 0;
  std::uint64_t version_;
  mutable std::array<const Value*, kNumSpecials> specials_{};
  mutable std::uint64_t specials_version_ = 0;
};

}  // namespace espalier::script
