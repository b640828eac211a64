// Iteration over the built-in types (declared in sequence.h). An iterator reads its
// container at each step, so a list that changes meanwhile behaves as in Python; a
// dict or set that changes size is an error.
#include <string>
#include <utility>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/iterators.h"
#include "frontend_lang/script/values/sequence.h"
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
  KeyIterator(Heap& heap, Value table)
      : Iterator(heap), table_(std::move(table)), size_(Table().size()) {}

  std::string_view TypeName() const override {
    return table_.If<Dict>() != nullptr ? "dict_keyiterator" : "set_iterator";
  }

  Outcome<bool> Next(Host&, Value& value) override {
    if (table_.is_none()) return false;
    if (Table().size() != size_) {
      return Raise("RuntimeError", table_.If<Dict>() != nullptr
                                       ? "dictionary changed size during iteration"
                                       : "Set changed size during iteration");
    }
    const HashTable::Entry* entry = Table().EntryAt(position_);
    if (entry == nullptr) {
      table_ = Value();
      return false;
    }
    value = entry->key;
    ++position_;
    return true;
  }

 private:
  const HashContainer& Table() const { return *static_cast<const HashContainer*>(table_.object()); }
  void Clear() override { table_ = Value(); }

  Value table_;
  std::int64_t size_;
  std::size_t position_ = 0;
};

}  // namespace

Outcome<Value> Iterate(Host& host, const Value& value) {
  switch (value.type()) {
    case Type::kStr: return host.heap().New<StrIterator>(value);
    case Type::kList:
    case Type::kTuple: return host.heap().New<SequenceIterator>(value);
    case Type::kRange: return host.heap().New<RangeIterator>(*value.As<Range>());
    case Type::kSet:
      ESP_TRY(host.Step(value.As<Set>()->size() / 64));
      value.As<Set>()->Arrange();
      return host.heap().New<KeyIterator>(value);
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
