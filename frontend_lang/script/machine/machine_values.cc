// The part of Machine that reads names, computes and builds values.
#include <algorithm>
#include <string>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/syntax/ast.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/suggest.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/text_convert.h"

namespace espalier::script {

Fault Machine::LoadLocal(int slot) {
  Value& local = Local(slot);
  if (local.is_unset()) [[unlikely]]
    return Unbound(slot, false);
  Push(Value(local));
  return Fault();
}

Fault Machine::LoadCell(int slot) {
  const Value& value = CellAt(slot).value;
  if (value.is_unset()) return Unbound(slot, slot >= frame().routine->first_free);
  Push(Value(value));
  return Fault();
}

Fault Machine::Unbound(int slot, bool free) {
  const std::string& name = frame().routine->locals[static_cast<std::size_t>(slot)];
  if (free) {
    return lang::Raise("NameError", "cannot access free variable '" + name +
                                        "' where it is not associated with a value in enclosing "
                                        "scope");
  }
  return lang::Raise("UnboundLocalError", "cannot access local variable '" + name +
                                              "' where it is not associated with a value");
}

Fault Machine::LoadGlobal(int slot) {
  const auto at = static_cast<std::size_t>(slot);
  const LoadedFile& file = *frame().file;
  if (!file.globals[at].is_unset()) {
    Push(Value(file.globals[at]));
  } else if (!file.builtins[at].is_unset()) {
    Push(Value(file.builtins[at]));
  } else {
    return UndefinedGlobal(slot);
  }
  return Fault();
}

Fault Machine::DeleteVariable(Value& variable, std::string_view name, bool local) {
  if (variable.is_unset()) {
    const std::string text(name);
    if (!local) return lang::Raise("NameError", "name '" + text + "' is not defined");
    return lang::Raise("UnboundLocalError", "cannot access local variable '" + text +
                                                "' where it is not associated with a value");
  }
  variable = Value::Unset();
  return Fault();
}

// Looks first among the function's own names, then among the globals, then the built-ins.
Fault Machine::UndefinedGlobal(int slot) {
  const LoadedFile& file = *frame().file;
  const std::string& name = file.program->globals[static_cast<std::size_t>(slot)];
  std::vector<std::string_view> names;
  for (const std::string& local : frame().routine->locals) {
    if (!local.starts_with('.')) names.push_back(local);
  }
  std::string meant = lang::ClosestName(name, names);
  if (meant.empty()) {
    names.clear();
    for (std::size_t i = 0; i < file.globals.size(); ++i) {
      if (!file.globals[i].is_unset()) names.push_back(file.program->globals[i]);
    }
    meant = lang::ClosestName(name, names);
  }
  if (meant.empty()) {
    names.clear();
    for (const auto& [builtin, value] : builtins_) {
      if (!builtin.starts_with('.')) names.push_back(builtin);
    }
    for (const std::string_view keyword : {"False", "None", "True"}) names.push_back(keyword);
    std::ranges::sort(names);
    meant = lang::ClosestName(name, names);
  }
  return lang::RaiseWithHint("NameError", "name '" + name + "' is not defined",
                             lang::DidYouMean(meant));
}

Fault Machine::BinaryOperator(lang::BinaryOp op) {
  Value& left = Top(1);
  Value& right = Top();
  if (left.is_int() && right.is_int()) {  // without the general way's calls
    std::int64_t result = 0;
    const bool overflow = op == lang::BinaryOp::kAdd
                              ? __builtin_add_overflow(left.as_int(), right.as_int(), &result)
                          : op == lang::BinaryOp::kSub
                              ? __builtin_sub_overflow(left.as_int(), right.as_int(), &result)
                              : true;
    if (!overflow) {
      left = Value::Int(result);
      Drop(1);
      return Fault();
    }
  }
  const Value second = Pop();
  const Value first = Pop();
  ESP_TRY_ASSIGN(Value result, lang::Binary(*this, op, first, second));
  Push(std::move(result));
  return Fault();
}

Fault Machine::CompareValues(int op) {
  const Value right = Pop();
  const Value left = Pop();
  const auto which = static_cast<CompareOp>(op);
  switch (which) {
    case CompareOp::kIn:
    case CompareOp::kNotIn: {
      ESP_TRY_ASSIGN(const bool found, lang::Contains(*this, right, left));
      PushBool(found == (which == CompareOp::kIn));
      return Fault();
    }
    case CompareOp::kIs:
    case CompareOp::kIsNot: PushBool(left.Is(right) == (which == CompareOp::kIs)); return Fault();
    default: {
      static_assert(static_cast<int>(CompareOp::kGreaterEqual) ==
                    static_cast<int>(lang::CompareOp::kGe));
      ESP_TRY_ASSIGN(Value result,
                     lang::CompareValue(*this, static_cast<lang::CompareOp>(op), left, right));
      Push(std::move(result));
      return Fault();
    }
  }
}

// Jumps when the truth of the top is not `wanted`.
Fault Machine::JumpUnless(bool wanted, int target, bool keep) {
  bool truth = Top().as_bool();
  if (!Top().is_bool()) {
    const Value value = Top();
    ESP_TRY_ASSIGN(truth, lang::Truth(*this, value));
  }
  if (truth != wanted) frame().at = target;
  if (truth == wanted || !keep) Drop(1);
  return Fault();
}

Fault Machine::FormatField(int conversion) {
  const Value spec = Pop();
  Value value = Pop();
  if (conversion == 's') {
    ESP_TRY_ASSIGN(std::string text, lang::Text(*this, value));
    value = lang::MakeStr(heap(), std::move(text));
  } else if (conversion != 0) {
    ESP_TRY_ASSIGN(std::string text,
                   lang::ConvertText(*this, value, static_cast<char>(conversion)));
    value = lang::MakeStr(heap(), std::move(text));
  }
  const std::string_view spec_text = spec.is_str() ? lang::TextOf(spec) : std::string_view();
  if (spec_text.empty() && value.is_str()) {
    Push(std::move(value));
    return Fault();
  }
  if (spec_text.empty() && value.is_int()) {
    Push(lang::MakeValidStr(heap(), std::to_string(value.as_int())));
    return Fault();
  }
  ESP_TRY_ASSIGN(std::string text, lang::Format(*this, value, spec_text));
  Push(lang::MakeStr(heap(), std::move(text)));
  return Fault();
}

Fault Machine::BuildString(int count) {
  std::size_t size = 0;
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < n; ++i) size += lang::TextOf(Top(i)).size();
  ESP_TRY(Reserve(static_cast<std::int64_t>(size)));
  std::string text;
  text.reserve(size);
  for (std::size_t i = n; i-- > 0;) text += lang::TextOf(Top(i));
  Drop(n);
  Push(lang::MakeValidStr(heap(), std::move(text)));
  return Fault();
}

Fault Machine::BuildDict(int count) {
  Value made = heap().New<lang::Dict>();
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t i = n; i-- > 0;) {
    const Value key = Top(2 * i + 1);  // a __hash__ may grow the stack
    ESP_TRY(made.As<lang::Dict>()->Put(*this, key, Top(2 * i)));
  }
  Drop(2 * n);
  Push(std::move(made));
  return Fault();
}

namespace {

// The function as errors about its stars name it.
std::string CalleeText(const Value& callee) {
  if (const auto* function = Exactly<ScriptFunction>(callee)) {
    return function->file().module_name + "." + function->routine().name + "()";
  }
  if (const auto* native = Exactly<lang::NativeFunction>(callee)) {
    return std::string(native->name()) + "()";
  }
  if (const auto* type = Exactly<TypeObject>(callee)) return std::string(type->name()) + "()";
  return std::string(lang::TypeName(callee)) + " object";
}

}  // namespace

namespace {

// Of a value that is not iterable; another fault of its own stays.
Fault CannotUnpack(const Value& source, Fault fault) {
  if (fault.error().type != "TypeError") return fault;
  return lang::TypeError("cannot unpack non-iterable " + std::string(lang::TypeName(source)) +
                         " object");
}

}  // namespace

Fault Machine::Extend(const Value& callee) {
  const Value source = Pop();
  auto items = lang::Collect(*this, source);
  if (!items.ok()) {
    const auto* instance = source.If<Instance>();
    const bool plain = instance != nullptr
                           ? instance->payload.is_unset() && !instance->Has(Special::kIter) &&
                                 !instance->Has(Special::kGetItem)
                           : !source.is_extension();
    if (items.error().type == "TypeError" && plain) {
      const std::string what = !callee.is_unset() ? CalleeText(callee) + " argument" : "Value";
      return lang::TypeError(what + " after * must be an iterable, not " +
                             std::string(lang::TypeName(source)));
    }
    return items.TakeFault();
  }
  for (Value& item : *items) Top().As<lang::List>()->Append(std::move(item));
  return Fault();
}

Fault Machine::ExtendSet() {
  const Value source = Pop();
  const Value target = Top();
  return lang::AddAll(*this, *target.As<lang::Set>(), source);
}

Fault Machine::MergeDict(bool keywords) {
  const Value source = Pop();
  const Value held = Top();
  lang::Dict& target = *held.As<lang::Dict>();
  ESP_TRY_ASSIGN(const Value mapping, lang::AsMapping(*this, source));
  if (mapping.is_unset()) {
    return lang::TypeError(
        keywords ? CalleeText(Top(2)) + " argument after ** must be a mapping, not " +
                       std::string(lang::TypeName(source))
                 : "'" + std::string(lang::TypeName(source)) + "' object is not a mapping");
  }
  const auto& dict = *mapping.As<lang::Dict>();
  std::size_t position = 0;
  for (const auto* entry = dict.EntryAt(position); entry != nullptr;
       entry = dict.EntryAt(++position)) {
    ESP_TRY(Step());
    lang::HashTable::Entry item = *entry;  // a __hash__ may change the dict
    if (keywords) {
      item.key = Value(lang::PlainOf(item.key));
      if (!item.key.is_str()) return lang::TypeError("keywords must be strings");
      if (target.FindStr(lang::TextOf(item.key)) != nullptr) {
        return lang::TypeError(CalleeText(Top(2)) + " got multiple values for keyword argument '" +
                               std::string(lang::TextOf(item.key)) + "'");
      }
    }
    ESP_TRY(target.Put(*this, item.key, item.value));
  }
  return Fault();
}

Fault Machine::Unpack(int count) {
  const Value source = Pop();
  const auto wanted = static_cast<std::size_t>(count);
  auto iterator = lang::Iterate(*this, source);
  if (!iterator.ok()) return CannotUnpack(source, iterator.TakeFault());
  const Value held = *iterator;
  std::vector<Value> items;
  for (Value item;;) {
    ESP_TRY(Step());
    ESP_TRY_ASSIGN(const bool more, lang::Next(*this, held, item));
    if (!more) break;
    if (items.size() == wanted) {
      return lang::ValueError("too many values to unpack (expected " + std::to_string(count) + ")");
    }
    items.push_back(std::move(item));
  }
  if (items.size() < wanted) {
    return lang::ValueError("not enough values to unpack (expected " + std::to_string(count) +
                            ", got " + std::to_string(items.size()) + ")");
  }
  for (std::size_t i = wanted; i-- > 0;) Push(std::move(items[i]));
  return Fault();
}

Fault Machine::UnpackStar(int before, int after) {
  const Value source = Pop();
  auto collected = lang::Collect(*this, source);
  if (!collected.ok()) {
    if (source.is_extension()) return collected.TakeFault();
    return CannotUnpack(source, collected.TakeFault());
  }
  std::vector<Value>& items = *collected;
  const auto needed = static_cast<std::size_t>(before + after);
  if (items.size() < needed) {
    return lang::ValueError("not enough values to unpack (expected at least " +
                            std::to_string(needed) + ", got " + std::to_string(items.size()) + ")");
  }
  const std::size_t middle = items.size() - static_cast<std::size_t>(after);
  for (std::size_t i = items.size(); i-- > middle;) Push(std::move(items[i]));
  const auto first = items.begin() + before;
  Push(heap().New<lang::List>(
      std::vector<Value>(first, items.begin() + static_cast<std::ptrdiff_t>(middle))));
  for (auto i = static_cast<std::size_t>(before); i-- > 0;) Push(std::move(items[i]));
  return Fault();
}

Fault Machine::NextItem(int target) {
  ESP_TRY(Step());
  if (auto* generator = Exactly<Generator>(Top())) return ResumeInFor(*generator, target);
  const Value iterator = Top();
  Value item;
  ESP_TRY_ASSIGN(const bool more, lang::Next(*this, iterator, item));
  if (more) {
    Push(std::move(item));
  } else {
    Drop(1);
    frame().at = target;
  }
  return Fault();
}

}  // namespace espalier::script
