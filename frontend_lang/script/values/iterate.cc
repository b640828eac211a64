// Iteration over the built-in types (declared in sequence.h). An iterator reads its
// container at each step, so a list that changes meanwhile behaves as in Python; a
// dict or set that changes size is an error.
#include <string>
#include <utility>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict_walk.h"
#include "frontend_lang/script/values/iterators.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

class StrIterator final : public Iterator {
 public:
  StrIterator(Heap& heap, Value str) : Iterator(heap), str_(std::move(str)) {}

  std::string_view TypeName() const override { return "str_iterator"; }

  Outcome<bool> Next(Host& host, Value& value) override {
    const std::string_view text = TextOf(str_);
    if (offset_ == text.size()) return false;
    const int length = CodePointBytes(static_cast<unsigned char>(text[offset_]));
    value = MakeValidStr(host.heap(),
                         std::string(text.substr(offset_, static_cast<std::size_t>(length))));
    offset_ += static_cast<std::size_t>(length);
    return true;
  }

 private:
  // The text of a string without references left: nothing to give.
  void Clear() override { str_ = heap().EmptyStr(), offset_ = 0; }

  Value str_;
  std::size_t offset_ = 0;
};

class KeyIterator final : public Iterator {
 public:
  KeyIterator(Heap& heap, Value dict)
      : Iterator(heap), dict_(std::move(dict)), walk_(*dict_.As<Dict>()) {}

  std::string_view TypeName() const override { return "dict_keyiterator"; }

  Outcome<bool> Next(Host&, Value& value) override {
    if (dict_.is_none()) return false;
    ESP_TRY_ASSIGN(const HashTable::Entry* entry, walk_.Next(*dict_.As<Dict>()));
    if (entry == nullptr) {
      dict_ = Value();
      return false;
    }
    value = entry->key;
    return true;
  }

 private:
  void Clear() override { dict_ = Value(); }

  Value dict_;  // None at the end
  DictWalk walk_;
};

class SetIterator final : public Iterator {
 public:
  SetIterator(Heap& heap, Value set)
      : Iterator(heap), set_(std::move(set)), size_(set_.As<Set>()->size()) {}

  std::string_view TypeName() const override { return "set_iterator"; }

  Outcome<bool> Next(Host&, Value& value) override {
    if (set_.is_none()) return false;
    const Set& set = *set_.As<Set>();
    if (set.size() != size_) {
      size_ = -1;  // and so it stays
      return Raise("RuntimeError", "Set changed size during iteration");
    }
    const Set::Entry* entry = set.EntryAt(slot_);
    if (entry == nullptr) {
      set_ = Value();
      return false;
    }
    value = entry->key;
    ++slot_;
    return true;
  }

 private:
  void Clear() override { set_ = Value(); }

  Value set_;  // None at the end
  std::int64_t size_;
  std::size_t slot_ = 0;
};

}  // namespace

Outcome<Value> Iterate(Host& host, const Value& value) {
  switch (value.type()) {
    case Type::kStr: return host.heap().New<StrIterator>(value);
    case Type::kList:
    case Type::kTuple: return host.heap().New<SequenceIterator>(value);
    case Type::kRange: return host.heap().New<RangeIterator>(*value.As<Range>());
    case Type::kSet: return host.heap().New<SetIterator>(value);
    case Type::kDict: return host.heap().New<KeyIterator>(value);
    default: break;
  }
  if (value.is_extension()) {
    ESP_TRY_ASSIGN(Value iterator, ExtensionOf(value).Iterate(host));
    if (iterator.type() == Type::kIterator) return iterator;
  }
  return TypeError("'" + std::string(TypeName(value)) + "' object is not iterable");
}

Fault ForEach(Host& host, const Value& iterable, const std::function<Fault(const Value&)>& visit) {
  const Value held = iterable;
  ESP_TRY_ASSIGN(const Value iterator, Iterate(host, held));
  Value value;
  while (true) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, Next(host, iterator, value));
    if (!more) return Fault();
    ESP_TRY(visit(value));
  }
}

Outcome<std::vector<Value>> Collect(Host& host, const Value& iterable) {
  if (const List* list = iterable.If<List>()) {
    ESP_TRY(host.Reserve(list->size(), sizeof(Value)));
    ESP_TRY(host.Step(list->size() / 64));
    return list->items();
  }
  if (const Tuple* tuple = iterable.If<Tuple>()) {
    ESP_TRY(host.Reserve(tuple->size(), sizeof(Value)));
    ESP_TRY(host.Step(tuple->size() / 64));
    return tuple->items();
  }
  std::vector<Value> items;
  ESP_TRY(ForEach(host, iterable, [&](const Value& value) {
    items.push_back(value);
    return host.Reserve(static_cast<std::int64_t>(items.capacity() * sizeof(Value)));
  }));
  return items;
}

}  // namespace espalier::lang
