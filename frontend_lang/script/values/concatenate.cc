#include "frontend_lang/script/values/concatenate.h"

#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

Fault CannotConcatenate(const Value& left, const Value& right) {
  const std::string type(TypeName(left));
  return TypeError("can only concatenate " + type + " (not \"" + std::string(TypeName(right)) +
                   "\") to " + type);
}

Outcome<std::vector<Value>> Joined(Host& host, const std::vector<Value>& a,
                                   const std::vector<Value>& b) {
  const std::size_t size = a.size() + b.size();
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(size), sizeof(Value)));
  ESP_TRY(host.Step(static_cast<std::int64_t>(size / 64)));
  std::vector<Value> items;
  items.reserve(size);
  items.insert(items.end(), a.begin(), a.end());
  items.insert(items.end(), b.begin(), b.end());
  return items;
}

Outcome<std::vector<Value>> Repeated(Host& host, const std::vector<Value>& items,
                                     std::int64_t count) {
  std::vector<Value> result;
  if (count <= 0 || items.empty()) return result;
  const std::int64_t unit = static_cast<std::int64_t>(items.size() * sizeof(Value));
  ESP_TRY(host.Reserve(count, unit));
  ESP_TRY(host.Step(count * static_cast<std::int64_t>(items.size()) / 64));
  result.reserve(items.size() * static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) result.insert(result.end(), items.begin(), items.end());
  return result;
}

Outcome<Value> RepeatStr(Host& host, std::string_view text, std::int64_t count) {
  if (count <= 0 || text.empty()) return host.heap().EmptyStr();
  ESP_TRY(host.Reserve(count, static_cast<std::int64_t>(text.size())));
  ESP_TRY(host.Step(count * static_cast<std::int64_t>(text.size()) / 1024));
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) result += text;
  return MakeValidStr(host.heap(), std::move(result));
}

Outcome<bool> ExtendStr(Host& host, Value& target, const Value& right) {
  Str* str = target.As<Str>();
  if (!str->unique() || str->bytes().empty()) return false;
  const Str& tail = *right.As<Str>();
  const auto grown = static_cast<std::int64_t>(str->bytes().size() + tail.bytes().size());
  if (grown > static_cast<std::int64_t>(str->bytes().capacity())) ESP_TRY(host.Reserve(2 * grown));
  str->Append(tail.bytes(), tail.length());
  return true;
}

}  // namespace

Outcome<Value> Concatenate(Host& host, const Value& left, const Value& right) {
  if (left.is_str()) {
    if (!right.is_str()) return CannotConcatenate(left, right);
    const std::string_view a = TextOf(left), b = TextOf(right);
    const auto size = static_cast<std::int64_t>(a.size() + b.size());
    ESP_TRY(host.Reserve(size));
    ESP_TRY(host.Step(size / 1024));
    std::string text;
    text.reserve(a.size() + b.size());
    text.append(a).append(b);
    return MakeValidStr(host.heap(), std::move(text));
  }
  if (const List* list = left.If<List>()) {
    if (right.If<List>() == nullptr) return CannotConcatenate(left, right);
    ESP_TRY_ASSIGN(auto items, Joined(host, list->items(), right.As<List>()->items()));
    return host.heap().New<List>(std::move(items));
  }
  if (const Tuple* tuple = left.If<Tuple>()) {
    if (right.If<Tuple>() == nullptr) return CannotConcatenate(left, right);
    ESP_TRY_ASSIGN(auto items, Joined(host, tuple->items(), right.As<Tuple>()->items()));
    return host.heap().New<Tuple>(std::move(items));
  }
  return Value::Unset();
}

Outcome<Value> Repeat(Host& host, const Value& left, const Value& right) {
  const auto repeatable = [](const Value& value) {
    return value.is_str() || value.If<List>() != nullptr || value.If<Tuple>() != nullptr;
  };
  const bool forward = repeatable(left);
  const Value &sequence = forward ? left : right, &count = forward ? right : left;
  if (!repeatable(sequence)) return Value::Unset();
  if (!count.is_integer()) {
    return TypeError("can't multiply sequence by non-int of type '" + std::string(TypeName(count)) +
                     "'");
  }
  if (!count.is_integral()) {
    return Raise("OverflowError", "cannot fit 'int' into an index-sized integer");
  }
  if (sequence.is_str()) return RepeatStr(host, TextOf(sequence), count.as_int());
  if (const List* list = sequence.If<List>()) {
    ESP_TRY_ASSIGN(auto items, Repeated(host, list->items(), count.as_int()));
    return host.heap().New<List>(std::move(items));
  }
  ESP_TRY_ASSIGN(auto items, Repeated(host, sequence.As<Tuple>()->items(), count.as_int()));
  return host.heap().New<Tuple>(std::move(items));
}

Outcome<bool> ExtendInPlace(Host& host, BinaryOp op, Value& target, const Value& right) {
  if (op == BinaryOp::kAdd && target.is_str() && right.is_str()) {
    return ExtendStr(host, target, right);
  }
  if (List* list = target.If<List>(); list != nullptr && op == BinaryOp::kAdd) {
    ESP_TRY_ASSIGN(const std::vector<Value> items, Collect(host, right));
    for (const Value& item : items) list->Append(item);
    return true;
  }
  if (List* list = target.If<List>(); list && op == BinaryOp::kMul && right.is_integral()) {
    ESP_TRY_ASSIGN(auto items, Repeated(host, list->items(), right.as_int()));
    list->Replace(std::move(items));
    return true;
  }
  return UpdateInPlace(host, op, target, right);
}

}  // namespace espalier::lang
