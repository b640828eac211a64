#include "frontend_lang/script/asyncio/queue.h"

#include <deque>
#include <string>
#include <utility>

#include "frontend_lang/script/asyncio/waiters.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/compare.h"

namespace espalier::script::asyncio {
namespace {

class Queue final : public lang::Extension {
 public:
  enum class Order { kFirst, kLast, kLeast };

  Queue(Heap& heap, Order order, std::int64_t max_size)
      : Extension(heap, lang::Type::kExtension), order_(order), max_size_(max_size) {}

  ~Queue() override { Queue::Clear(); }

  std::string_view TypeName() const override { return "Queue"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  std::int64_t max_size() const { return max_size_; }
  bool full() const { return max_size_ > 0 && size() >= max_size_; }

  Fault Put(Host& host, Value item);
  Outcome<Value> Get(Host& host);
  Fault TaskDone();
  bool finished() const { return num_unfinished_ == 0; }

  Waiters getters, putters, joiners;

 private:
  void Clear() override {
    heap().ChargeOutside(-static_cast<std::int64_t>(items_.size() * sizeof(Value)));
    items_.clear();
    getters.Clear(), putters.Clear(), joiners.Clear();
  }

  Order order_;
  std::int64_t max_size_, num_unfinished_ = 0;
  std::deque<Value> items_;  // of a kLeast: sorted
};

Queue& QueueOf(const Value& self) { return *static_cast<Queue*>(self.object()); }

// REQUIRES: it is not full.
Fault Queue::Put(Host& host, Value item) {
  ESP_TRY(host.Step());
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(sizeof(Value))));
  std::size_t begin = order_ == Order::kLeast ? 0 : items_.size(), end = items_.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    const Value other = items_[middle];
    ESP_TRY_ASSIGN(const bool less, lang::Compare(host, lang::CompareOp::kLt, item, other));
    (less ? end : begin) = less ? middle : middle + 1;
    end = std::min(end, items_.size());  // an __lt__ may have taken some
  }
  begin = std::min(begin, items_.size());
  items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(begin), std::move(item));
  heap().ChargeOutside(sizeof(Value));
  ++num_unfinished_;
  getters.WakeOne();
  return Fault();
}

// REQUIRES: it is not empty.
Outcome<Value> Queue::Get(Host&) {
  Value item = order_ == Order::kLast ? items_.back() : items_.front();
  if (order_ == Order::kLast) {
    items_.pop_back();
  } else {
    items_.pop_front();
  }
  heap().ChargeOutside(-static_cast<std::int64_t>(sizeof(Value)));
  putters.WakeOne();
  return item;
}

Fault Queue::TaskDone() {
  if (num_unfinished_ <= 0) return lang::ValueError("task_done() called too many times");
  if (--num_unfinished_ == 0) joiners.WakeAll();
  return Fault();
}

Outcome<Value> PutMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("put", args, 1, 1));
  Queue& queue = QueueOf(self);
  return Until(
      self, queue.putters, [&queue] { return !queue.full(); },
      [&queue, item = args.positional[0]](Machine& machine) -> Outcome<Value> {
        ESP_TRY(queue.Put(machine, item));
        return Value();
      });
}
Outcome<Value> GetMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("get", args, 0, 0));
  Queue& queue = QueueOf(self);
  return Until(
      self, queue.getters, [&queue] { return queue.size() > 0; },
      [&queue](Machine& machine) { return queue.Get(machine); });
}
Outcome<Value> JoinMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("join", args, 0, 0));
  Queue& queue = QueueOf(self);
  return Until(
      self, queue.joiners, [&queue] { return queue.finished(); },
      [](Machine&) -> Outcome<Value> { return Value(); });
}
Outcome<Value> PutNow(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("put_nowait", args, 1, 1));
  if (QueueOf(self).full()) return lang::Raise("QueueFull", "");
  ESP_TRY(QueueOf(self).Put(host, args.positional[0]));
  return Value();
}
Outcome<Value> GetNow(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("get_nowait", args, 0, 0));
  if (QueueOf(self).size() == 0) return lang::Raise("QueueEmpty", "");
  return QueueOf(self).Get(host);
}
Outcome<Value> TaskDoneMethod(Host&, const Value& self, const Args&) {
  ESP_TRY(QueueOf(self).TaskDone());
  return Value();
}
Outcome<Value> SizeMethod(Host&, const Value& self, const Args&) {
  return Value::Int(QueueOf(self).size());
}
Outcome<Value> EmptyMethod(Host&, const Value& self, const Args&) {
  return Value::Bool(QueueOf(self).size() == 0);
}
Outcome<Value> FullMethod(Host&, const Value& self, const Args&) {
  return Value::Bool(QueueOf(self).full());
}

constexpr Method kQueueMethods[] = {
    {"put", PutMethod},     {"get", GetMethod},     {"join", JoinMethod},
    {"put_nowait", PutNow}, {"get_nowait", GetNow}, {"task_done", TaskDoneMethod},
    {"qsize", SizeMethod},  {"empty", EmptyMethod}, {"full", FullMethod},
};

Outcome<Value> Queue::GetAttr(Host&, std::string_view name) {
  if (name == "maxsize") return Value::Int(max_size_);
  return MethodOf(kQueueMethods, name, Value(this));
}

Outcome<Value> MakeQueue(Host& host, std::string_view name, Queue::Order order, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments(name, args, {"maxsize"}, 0));
  ESP_TRY_ASSIGN(const std::int64_t max_size, CountOf(bound[0], 0));
  return host.heap().New<Queue>(order, max_size);
}

}  // namespace

Outcome<Value> NewQueue(Host& host, const Value&, const Args& args) {
  return MakeQueue(host, "Queue", Queue::Order::kFirst, args);
}
Outcome<Value> NewPriorityQueue(Host& host, const Value&, const Args& args) {
  return MakeQueue(host, "PriorityQueue", Queue::Order::kLeast, args);
}
Outcome<Value> NewLifoQueue(Host& host, const Value&, const Args& args) {
  return MakeQueue(host, "LifoQueue", Queue::Order::kLast, args);
}

}  // namespace espalier::script::asyncio
