#include "frontend_lang/script/values/sequence.h"

#include <algorithm>
#include <string>

#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/text_search.h"

namespace espalier::lang {
namespace {

std::string Quoted(const Value& value) { return "'" + std::string(TypeName(value)) + "'"; }

// The index as one of [0, length), or an IndexError.
Outcome<std::int64_t> ResolveIndex(Host& host, const Value& sequence, const Value& given,
                                   std::int64_t length, std::string_view verb) {
  ESP_TRY_ASSIGN(const Value key, AsInteger(host, given));
  const std::string type(TypeName(sequence));
  if (key.is_integer() && !key.is_integral()) {
    return Raise("IndexError", "cannot fit 'int' into an index-sized integer");
  }
  if (!key.is_integral()) {
    const bool str = sequence.is_str();
    return TypeError((str ? "string indices must be integers, not "
                          : type + " indices must be integers or slices, not ") +
                     (str ? Quoted(key) : std::string(TypeName(key))));
  }
  std::int64_t index = key.as_int();
  if (index < 0) index += length;
  if (index >= 0 && index < length) return index;
  if (sequence.is_str()) return Raise("IndexError", "string index out of range");
  if (type == "range") return Raise("IndexError", "range object index out of range");
  return Raise("IndexError", type + std::string(verb) + " index out of range");
}

// The key with objects that stand for ints as these. Their __index__ may change the container, so
// it runs before anything of that is measured.
Outcome<Value> PlainKey(Host& host, const Value& key) {
  if (key.type() == Type::kInstance) return AsInteger(host, key);
  const Slice* slice = key.If<Slice>();
  const auto is_object = [](const Value& part) { return part.type() == Type::kInstance; };
  if (slice == nullptr ||
      (!is_object(slice->start()) && !is_object(slice->stop()) && !is_object(slice->step()))) {
    return key;
  }
  Value parts[] = {slice->start(), slice->stop(), slice->step()};
  for (Value& part : parts) {
    ESP_TRY_ASSIGN(part, AsInteger(host, Value(part)));
  }
  return host.heap().New<Slice>(parts[0], parts[1], parts[2]);
}

Outcome<std::vector<Value>> SliceItems(Host& host, const std::vector<Value>& items,
                                       const Slice& slice) {
  ESP_TRY_ASSIGN(const SliceIndexes run,
                 ResolveSlice(slice, static_cast<std::int64_t>(items.size())));
  ESP_TRY(host.Reserve(run.count, sizeof(Value)));
  ESP_TRY(host.Step(run.count / 64));
  std::vector<Value> part;
  part.reserve(static_cast<std::size_t>(run.count));
  for (std::int64_t i = 0; i < run.count; ++i) {
    part.push_back(items[static_cast<std::size_t>(run.start + i * run.step)]);
  }
  return part;
}

Outcome<Value> SliceStr(Host& host, const Str& str, const Slice& slice) {
  ESP_TRY_ASSIGN(const SliceIndexes run, ResolveSlice(slice, str.length()));
  ESP_TRY(host.Reserve(run.count));
  ESP_TRY(host.Step(run.count / 64));
  if (run.count == 0) return host.heap().EmptyStr();
  if (run.step == 1) {
    return MakeValidStr(host.heap(), std::string(str.Slice(run.start, run.start + run.count)));
  }
  std::string part;
  for (std::int64_t i = 0; i < run.count; ++i) {
    const std::int64_t at = run.start + i * run.step;
    part += str.Slice(at, at + 1);
  }
  return MakeValidStr(host.heap(), std::move(part));
}

Outcome<Value> SliceRange(Host& host, const Range& range, const Slice& slice) {
  ESP_TRY_ASSIGN(const SliceIndexes run, ResolveSlice(slice, range.size()));
  std::int64_t step = 0;
  if (__builtin_mul_overflow(range.step(), run.step, &step)) {
    return Raise("OverflowError", "integer too large");
  }
  const auto item = [&](std::int64_t index, std::int64_t& value) {
    return __builtin_mul_overflow(index, range.step(), &value) ||
           __builtin_add_overflow(range.start(), value, &value);
  };
  std::int64_t start = 0, stop = 0;
  if (item(run.start, start) || item(run.stop, stop)) {
    return Raise("OverflowError", "integer too large");
  }
  return host.heap().New<Range>(start, stop, step);
}

Outcome<Value> GetSlice(Host& host, const Value& value, const Slice& slice) {
  switch (value.type()) {
    case Type::kStr: return SliceStr(host, *value.As<Str>(), slice);
    case Type::kRange: return SliceRange(host, *value.As<Range>(), slice);
    case Type::kTuple: {
      ESP_TRY_ASSIGN(auto items, SliceItems(host, value.As<Tuple>()->items(), slice));
      return host.heap().New<Tuple>(std::move(items));
    }
    default: {
      ESP_TRY_ASSIGN(auto items, SliceItems(host, value.As<List>()->items(), slice));
      return host.heap().New<List>(std::move(items));
    }
  }
}

Outcome<Value> GetFromDict(Host& host, const Value& self, const Value& key) {
  const Dict& dict = *self.As<Dict>();
  ESP_TRY_ASSIGN(const Value* found, dict.Find(host, key));
  if (found != nullptr) return *found;
  if (dict.kind() != nullptr && dict.kind()->missing != nullptr) {
    return dict.kind()->missing(host, self, key);
  }
  ESP_TRY_ASSIGN(std::string text, Repr(host, key));
  return RaiseWith("KeyError", std::move(text), key);
}

Fault SetSlice(Host& host, List& list, const Slice& slice, const Value& item) {
  auto collected = Collect(host, item);
  if (!collected.ok()) {
    const bool no_iterable = collected.error().type == "TypeError" &&
                             collected.error().message.ends_with("object is not iterable");
    if (!no_iterable) return collected.TakeFault();
    return TypeError(slice.step().is_none() ? "can only assign an iterable"
                                            : "must assign iterable to extended slice");
  }
  std::vector<Value> items = *std::move(collected);
  ESP_TRY_ASSIGN(const SliceIndexes run, ResolveSlice(slice, list.size()));
  const auto count = static_cast<std::int64_t>(items.size());
  if (run.step != 1 && count != run.count) {
    return ValueError("attempt to assign sequence of size " + std::to_string(count) +
                      " to extended slice of size " + std::to_string(run.count));
  }
  if (run.step != 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      list.Put(run.start + i * run.step, std::move(items[static_cast<std::size_t>(i)]));
    }
    return Fault();
  }
  const std::vector<Value>& old = list.items();
  std::vector<Value> merged(old.begin(), old.begin() + run.start);
  merged.insert(merged.end(), items.begin(), items.end());
  merged.insert(merged.end(), old.begin() + run.start + run.count, old.end());
  ESP_TRY(host.Step(static_cast<std::int64_t>(merged.size()) / 64));
  list.Replace(std::move(merged));
  return Fault();
}

Fault DelSlice(Host&, List& list, const Slice& slice) {
  ESP_TRY_ASSIGN(SliceIndexes run, ResolveSlice(slice, list.size()));
  if (run.step < 0) {
    run.start += (run.count - 1) * run.step;
    run.step = -run.step;
  }
  std::vector<Value> kept;
  for (std::int64_t i = 0; i < list.size(); ++i) {
    const std::int64_t offset = i - run.start;
    const bool gone =
        run.count > 0 && offset >= 0 && offset % run.step == 0 && offset / run.step < run.count;
    if (!gone) kept.push_back(list[i]);
  }
  list.Replace(std::move(kept));
  return Fault();
}

Outcome<bool> ItemsContain(Host& host, const Value& sequence, const Value& item) {
  const List* list = sequence.If<List>();
  const auto& items = list != nullptr ? list->items() : sequence.As<Tuple>()->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    ESP_TRY(host.Step());
    const Value held = items[i];
    ESP_TRY_ASSIGN(const bool same, Same(host, held, item));
    if (same) return true;
  }
  return false;
}

Outcome<bool> IteratorContains(Host& host, const Value& iterable, const Value& item) {
  Outcome<Value> iterator = Iterate(host, iterable);
  if (!iterator.ok()) {
    if (iterator.error().type != "TypeError") return iterator.TakeFault();
    return TypeError("argument of type " + Quoted(iterable) + " is not iterable");
  }
  Value next;
  while (true) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, Next(host, *iterator, next));
    if (!more) return false;
    ESP_TRY_ASSIGN(const bool same, Same(host, next, item));
    if (same) return true;
  }
}

}  // namespace

Outcome<std::int64_t> Length(Host& host, const Value& value) {
  switch (value.type()) {
    case Type::kStr: return value.As<Str>()->length();
    case Type::kList: return value.As<List>()->size();
    case Type::kTuple: return value.As<Tuple>()->size();
    case Type::kDict: return value.As<Dict>()->size();
    case Type::kSet: return value.As<Set>()->size();
    case Type::kRange: return value.As<Range>()->size();
    default: break;
  }
  if (value.is_extension()) {
    ESP_TRY_ASSIGN(const Value length, ExtensionOf(value).Length(host));
    if (length.is_int()) return length.as_int();
  }
  return TypeError("object of type " + Quoted(value) + " has no len()");
}

Outcome<Value> GetItem(Host& host, const Value& value, const Value& key) {
  if (value.If<Dict>() != nullptr) return GetFromDict(host, value, key);
  if (value.is_extension()) {
    ESP_TRY_ASSIGN(Value item, ExtensionOf(value).GetItem(host, key));
    if (!item.is_unset()) return item;
  } else if (value.is_str() || value.If<List>() || value.If<Tuple>() || value.If<Range>()) {
    ESP_TRY_ASSIGN(const Value plain, PlainKey(host, key));
    if (const Slice* slice = plain.If<Slice>()) return GetSlice(host, value, *slice);
    ESP_TRY_ASSIGN(const std::int64_t length, Length(host, value));
    ESP_TRY_ASSIGN(const std::int64_t index, ResolveIndex(host, value, plain, length, ""));
    if (const List* list = value.If<List>()) return (*list)[index];
    if (const Tuple* tuple = value.If<Tuple>()) return (*tuple)[index];
    if (const Range* range = value.If<Range>()) return Value::Int((*range)[index]);
    return MakeValidStr(host.heap(), std::string(value.As<Str>()->Slice(index, index + 1)));
  }
  return TypeError(Quoted(value) + " object is not subscriptable");
}

Fault SetItem(Host& host, const Value& value, const Value& key, Value item) {
  if (Dict* dict = value.If<Dict>()) return dict->Put(host, key, std::move(item));
  if (List* list = value.If<List>()) {
    ESP_TRY_ASSIGN(const Value plain, PlainKey(host, key));
    if (const Slice* slice = plain.If<Slice>()) return SetSlice(host, *list, *slice, item);
    ESP_TRY_ASSIGN(const std::int64_t index,
                   ResolveIndex(host, value, plain, list->size(), " assignment"));
    list->Put(index, std::move(item));
    return Fault();
  }
  if (value.is_extension()) {
    ESP_TRY_ASSIGN(const bool done, ExtensionOf(value).SetItem(host, key, std::move(item)));
    if (done) return Fault();
  }
  return TypeError(Quoted(value) + " object does not support item assignment");
}

Fault DelItem(Host& host, const Value& value, const Value& key) {
  if (Dict* dict = value.If<Dict>()) {
    ESP_TRY_ASSIGN(const bool erased, dict->Erase(host, key));
    const bool may_be_absent = dict->kind() != nullptr && dict->kind()->forgives_delete;
    if (erased || may_be_absent) return Fault();
    ESP_TRY_ASSIGN(std::string text, Repr(host, key));
    return RaiseWith("KeyError", std::move(text), key);
  }
  if (List* list = value.If<List>()) {
    ESP_TRY_ASSIGN(const Value plain, PlainKey(host, key));
    if (const Slice* slice = plain.If<Slice>()) return DelSlice(host, *list, *slice);
    ESP_TRY_ASSIGN(const std::int64_t index,
                   ResolveIndex(host, value, plain, list->size(), " assignment"));
    const Value gone = (*list)[index];
    EraseItem(list->mutable_items(), static_cast<std::size_t>(index));
    return Fault();
  }
  if (value.is_extension()) {
    ESP_TRY_ASSIGN(const bool done, ExtensionOf(value).DelItem(host, key));
    if (done) return Fault();
  }
  return TypeError(Quoted(value) + " object doesn't support item deletion");
}

Outcome<bool> Contains(Host& host, const Value& container, const Value& item) {
  switch (container.type()) {
    case Type::kStr:
      if (!PlainOf(item).is_str()) {
        return TypeError("'in <string>' requires string as left operand, not " +
                         std::string(TypeName(item)));
      }
      ESP_TRY(host.StepOver(TextOf(container).size()));
      return FindText(TextOf(container), TextOf(PlainOf(item))) != kNotFound;
    case Type::kList:
    case Type::kTuple: return ItemsContain(host, container, item);
    case Type::kDict: return container.As<Dict>()->Contains(host, item);
    case Type::kSet: return container.As<Set>()->Contains(host, item);
    case Type::kRange:
      if (item.is_integral()) return container.As<Range>()->Contains(item.as_int());
      if (item.is_integer()) return false;
      break;
    default: break;
  }
  if (container.is_extension()) {
    ESP_TRY_ASSIGN(const Value answer, ExtensionOf(container).Contains(host, item));
    if (!answer.is_unset()) return Truth(host, answer);
  }
  return IteratorContains(host, container, item);
}

Outcome<SliceIndexes> ResolveSlice(const Slice& slice, std::int64_t length) {
  for (const Value* part : {&slice.start(), &slice.stop(), &slice.step()}) {
    if (!part->is_none() && !part->is_integer()) {
      return TypeError("slice indices must be integers or None or have an __index__ method");
    }
  }
  SliceIndexes run;
  if (!slice.step().is_none()) run.step = NearestIndex(slice.step());
  if (run.step == 0) return ValueError("slice step cannot be zero");
  const bool forward = run.step > 0;
  const std::int64_t low = forward ? 0 : -1, high = forward ? length : length - 1;
  const auto clamp = [&](const Value& part, std::int64_t absent) {
    if (part.is_none()) return absent;
    const std::int64_t index = NearestIndex(part);
    return std::clamp(index < 0 ? index + length : index, low, high);
  };
  run.start = clamp(slice.start(), forward ? low : high);
  run.stop = clamp(slice.stop(), forward ? high : low);
  const std::int64_t distance = forward ? run.stop - run.start : run.start - run.stop;
  if (distance <= 0) return run;
  // A stride of the whole length or more gives one item; this keeps -step in range.
  run.step = std::clamp(run.step, -length - 1, length + 1);
  run.count = (distance - 1) / (forward ? run.step : -run.step) + 1;
  return run;
}

}  // namespace espalier::lang
