#include "frontend_lang/script/values/heap.h"

#include <random>

#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

std::uint64_t NewSeed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

Object::~Object() { heap_->live_bytes_ -= size_bytes_; }

void Object::Charge(std::int64_t size_bytes) { heap_->Account(this, size_bytes); }

void Object::Destroy() {
  if (unfinished_) {
    unfinished_ = false;
    heap_->unfinished_.emplace_back(this);
    heap_->look_at_bytes_ = -1;
    return;
  }
  if (type_ == Type::kStr || type_ == Type::kRange || type_ == Type::kBigInt) {
    delete this;  // refers to nothing
    return;
  }
  heap_->Doom(static_cast<Container*>(this));
}

Container::Container(Heap& heap, Type type) : Object(heap, type), next_(heap.containers_) {
  if (next_ != nullptr) next_->previous_ = this;
  heap.containers_ = this;
}

Container::~Container() {
  (previous_ != nullptr ? previous_->next_ : heap().containers_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

Heap::Heap(std::int64_t max_bytes)
    : max_bytes_(max_bytes), hash_seed_(NewSeed()), look_at_bytes_(max_bytes) {}

Heap::~Heap() {
  std::vector<Value> cyclic;  // held: a count must not fall to 0 in the middle of Clear
  for (Container* c = containers_; c != nullptr; c = c->next_) cyclic.emplace_back(c);
  for (const Value& value : cyclic) {
    value.object()->SetUnfinished(false);
    static_cast<Container*>(value.object())->Clear();
  }
  unfinished_.clear();
}

// Deleting a container releases its members, which may doom more containers: those
// wait in the list instead of deepening the stack.
void Heap::Doom(Container* container) {
  doomed_.push_back(container);
  if (deleting_) return;
  deleting_ = true;
  while (!doomed_.empty()) {
    Container* next = doomed_.back();
    doomed_.pop_back();
    delete next;
  }
  deleting_ = false;
}

const Value& Heap::AsciiChar(unsigned char c) {
  if (!ascii_chars_[c].is_str()) {
    ascii_chars_[c] = New<Str>(std::string(1, static_cast<char>(c)));
  }
  return ascii_chars_[c];
}

const Value& Heap::EmptyStr() {
  if (!empty_str_.is_str()) empty_str_ = New<Str>(std::string());
  return empty_str_;
}

}  // namespace espalier::lang
