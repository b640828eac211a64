// copy: copy and deepcopy of the built-in containers and of objects. What cannot change is
// its own copy.
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/enum_class.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/deep_copy.h"
#include "frontend_lang/script/modules/deque.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"

namespace espalier::script {
namespace {

using Values = std::vector<Value>;

// Copies what is inside too; an object that is met again is copied once.
class DeepCopier {
 public:
  DeepCopier(Host& host, Value memo) : host_(host), memo_(std::move(memo)) {}

  Outcome<Value> Copy(const Value& value);

 private:
  Outcome<Value> CopyList(const Value& value);
  Outcome<Value> CopyTuple(const Value& value);
  Outcome<Value> CopyDict(const Value& value);
  Outcome<Value> CopySet(const Value& value);
  Outcome<Value> CopyDeque(const Value& value);
  Outcome<Value> CopyObject(const Value& value);

  Host& host_;
  std::unordered_map<const lang::Object*, Value> copies_;
  Values held_;  // the originals, so that no address is used twice
  Value memo_;   // a dict that methods of the program pass on
};

Outcome<Value> DeepCopier::Copy(const Value& value) {
  if (!value.on_heap() || value.is_str()) return value;
  ESP_TRY(host_.Step());
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  const auto known = copies_.find(value.object());
  if (known != copies_.end()) return known->second;
  held_.push_back(value);
  switch (value.type()) {
    case lang::Type::kList: return CopyList(value);
    case lang::Type::kTuple: return CopyTuple(value);
    case lang::Type::kDict: return CopyDict(value);
    case lang::Type::kSet: return CopySet(value);
    case lang::Type::kInstance: return CopyObject(value);
    default: break;
  }
  return Exactly<Deque>(value) != nullptr ? CopyDeque(value) : Outcome<Value>(value);
}

Outcome<Value> DeepCopier::CopyList(const Value& value) {
  const Value made = host_.heap().New<lang::List>();
  copies_[value.object()] = made;
  for (std::int64_t i = 0; i < value.As<lang::List>()->size(); ++i) {
    const Value item = (*value.As<lang::List>())[i];
    ESP_TRY_ASSIGN(Value copy, Copy(item));
    made.As<lang::List>()->Append(std::move(copy));
  }
  return made;
}

Outcome<Value> DeepCopier::CopyTuple(const Value& value) {
  Values items;
  bool changed = false;
  for (const Value& item : value.As<lang::Tuple>()->items()) {
    ESP_TRY_ASSIGN(Value copy, Copy(item));
    changed |= !copy.Is(item);
    items.push_back(std::move(copy));
  }
  if (!changed) return value;
  const Value made = host_.heap().New<lang::Tuple>(std::move(items));
  copies_[value.object()] = made;
  return made;
}

Outcome<Value> DeepCopier::CopySet(const Value& value) {
  const auto& set = *value.As<lang::Set>();
  const Value made = host_.heap().New<lang::Set>(set.kind());
  copies_[value.object()] = made;
  for (std::size_t at = 0; const auto* entry = set.EntryAt(at); ++at) {
    const Value held = entry->key;
    ESP_TRY_ASSIGN(const Value key, Copy(held));
    ESP_TRY(made.As<lang::Set>()->Add(host_, key));
  }
  return made;
}

Outcome<Value> DeepCopier::CopyDict(const Value& value) {
  const auto* dict = value.As<lang::Dict>();
  const Value made = host_.heap().New<lang::Dict>(dict->kind());
  made.As<lang::Dict>()->set_default_factory(dict->default_factory());
  copies_[value.object()] = made;
  for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
    const lang::HashTable::Entry held = *entry;
    ESP_TRY_ASSIGN(const Value key, Copy(held.key));
    ESP_TRY_ASSIGN(Value item, Copy(held.value));
    ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(item)));
  }
  return made;
}

Outcome<Value> DeepCopier::CopyDeque(const Value& value) {
  const auto& deque = *static_cast<const Deque*>(value.object());
  const Value made = host_.heap().New<Deque>(deque.max_length());
  copies_[value.object()] = made;
  for (std::size_t i = 0; i < deque.items().size(); ++i) {
    const Value item = deque.items()[i];
    ESP_TRY_ASSIGN(Value copy, Copy(item));
    static_cast<Deque*>(made.object())->Push(std::move(copy), Deque::End::kRight);
  }
  return made;
}

// An object without attributes, for a copy of `value`; Unset for one that is its own copy:
// a member of an enumeration, an exception.
Value EmptyLike(Host& host, const Value& value) {
  const Instance& from = *value.As<Instance>();
  if (MembersOf(from.cls()) != nullptr || from.cls().error_kind() != nullptr) {
    return Value::Unset();
  }
  return host.heap().New<Instance>(from.cls());
}

Outcome<Value> DeepCopier::CopyObject(const Value& value) {
  ESP_TRY_ASSIGN(Value own, value.As<Instance>()->CallNamed(host_, "__deepcopy__", {&memo_, 1}));
  if (!own.is_unset()) {
    copies_[value.object()] = own;
    return own;
  }
  const Value made = EmptyLike(host_, value);
  if (made.is_unset()) return value;
  copies_[value.object()] = made;
  auto &from = *value.As<Instance>(), &to = *made.As<Instance>();
  if (!from.payload.is_unset()) {
    ESP_TRY_ASSIGN(to.payload, Copy(Value(from.payload)));
  }
  for (const auto& [name, attribute] : from.Own()) {
    ESP_TRY_ASSIGN(Value copy, Copy(attribute));
    ESP_TRY(to.PutOwn(host_, name, std::move(copy)));
  }
  return made;
}

Outcome<Value> CopyAttributes(Host& host, const Value& value) {
  const Value made = EmptyLike(host, value);
  if (made.is_unset()) return value;
  auto &from = *value.As<Instance>(), &to = *made.As<Instance>();
  to.payload = from.payload;
  if (from.payload.If<lang::List>() != nullptr || from.payload.If<lang::Dict>() != nullptr) {
    ESP_TRY_ASSIGN(to.payload, lang::CallAttr(host, Value(from.payload), "copy", {}));
  }
  for (const auto& [name, attribute] : from.Own()) ESP_TRY(to.PutOwn(host, name, attribute));
  return made;
}

Outcome<Value> ShallowCopy(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("copy", args, {"x"}, 1));
  const Value& x = bound[0];
  switch (x.type()) {
    case lang::Type::kList:
    case lang::Type::kDict:
    case lang::Type::kSet: return lang::CallAttr(host, x, "copy", {});
    case lang::Type::kInstance: {
      ESP_TRY_ASSIGN(Value own, x.As<Instance>()->CallNamed(host, "__copy__"));
      return own.is_unset() ? CopyAttributes(host, x) : own;
    }
    default: break;
  }
  if (Exactly<Deque>(x) != nullptr) return lang::CallAttr(host, x, "copy", {});
  return x;
}

Outcome<Value> DeepCopy(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("deepcopy", args, {"x", "memo"}, 1));
  const bool passed_on = bound[1].type() == lang::Type::kDict;
  return DeepCopier(host, passed_on ? bound[1] : host.heap().New<lang::Dict>()).Copy(bound[0]);
}

}  // namespace

Outcome<Value> DeepCopied(Host& host, const Value& value) {
  return DeepCopier(host, host.heap().New<lang::Dict>()).Copy(value);
}

Value MakeCopyModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"copy", ShallowCopy}, {"deepcopy", DeepCopy}};
  return NewModule(machine, "copy", kFunctions);
}

}  // namespace espalier::script
