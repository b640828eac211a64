#include "grammar/compile_cache.h"

#include <atomic>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

std::size_t SpecBytes(const ConstraintSpec& spec) {
  std::size_t bytes = spec.text.size();
  for (const std::string& choice : spec.choices) bytes += choice.size() + sizeof(std::string);
  if (spec.documents == nullptr) return bytes;
  for (const auto& [uri, text] : *spec.documents) bytes += uri.size() + text.size();
  return bytes;
}

constexpr std::size_t kEntryBytes = 1024;  // of an entry's own

struct SpecHash {
  std::size_t operator()(const ConstraintSpec* spec) const {
    constexpr std::hash<std::string_view> kHash;
    std::size_t hash = kHash(spec->text) * 31 + static_cast<std::size_t>(spec->kind);
    for (const std::string& choice : spec->choices) hash = hash * 31 + kHash(choice);
    return hash;
  }
};

struct SameSpec {
  bool operator()(const ConstraintSpec* a, const ConstraintSpec* b) const { return *a == *b; }
};

}  // namespace

struct CompileCache::Entry {
  explicit Entry(ConstraintSpec asked)
      : spec(std::move(asked)), size_bytes(kEntryBytes + SpecBytes(spec)) {}

  const ConstraintSpec spec;
  // Of the constraint, and of the grammar when it was last measured. Guarded by the
  // state's mutex.
  std::size_t size_bytes;
  std::map<std::uint64_t, std::function<void()>> waiters;  // guarded, by ticket
  std::list<Entry*>::iterator place;                       // guarded: in `order`
  std::atomic<bool> ready{false};
  std::atomic<bool> stop{false};   // nobody waits for it any more
  std::optional<Outcome> outcome;  // immutable once ready
};

struct CompileCache::State {
  // All REQUIRE that mutex is held.
  void Touch(Entry& entry) { order.splice(order.begin(), order, entry.place); }
  void Insert(const std::shared_ptr<Entry>& entry) {
    entry->place = order.insert(order.begin(), entry.get());
    size_bytes += entry->size_bytes;
    entries.emplace(&entry->spec, entry);
  }
  void Erase(Entry& entry) {
    order.erase(entry.place);
    size_bytes -= entry.size_bytes;
    entries.erase(&entry.spec);
  }
  // Of those that are not ready somebody waits, so they stay.
  void Shrink() {
    auto at = order.end();
    while (at != order.begin() &&
           (entries.size() > limits.max_entries || size_bytes > limits.max_bytes)) {
      Entry& entry = **--at;
      if (!entry.ready.load(std::memory_order_relaxed)) continue;
      at = std::next(at);
      Erase(entry);
    }
  }

  Compile compile;
  Post post;
  Limits limits;
  mutable std::mutex mutex;
  std::condition_variable idle;
  std::unordered_map<const ConstraintSpec*, std::shared_ptr<Entry>, SpecHash, SameSpec> entries;
  std::list<Entry*> order;  // last asked first
  std::size_t size_bytes = 0;
  std::uint64_t num_tickets = 0;
  std::size_t num_compiled = 0;
  int num_running = 0;
  bool closed = false;
};

CompileCache::CompileCache(Compile compile, Post post, Limits limits)
    : state_(std::make_shared<State>()) {
  state_->compile = std::move(compile);
  state_->post = std::move(post);
  state_->limits = limits;
}

CompileCache::~CompileCache() {
  std::unique_lock lock(state_->mutex);
  state_->closed = true;
  for (const auto& [spec, entry] : state_->entries) entry->stop = true;
  state_->idle.wait(lock, [this] { return state_->num_running == 0; });
}

CompileCache::Ticket CompileCache::Get(ConstraintSpec spec, std::function<void()> on_ready) {
  std::unique_lock lock(state_->mutex);
  const std::uint64_t id = ++state_->num_tickets;
  if (const auto found = state_->entries.find(&spec); found != state_->entries.end()) {
    const std::shared_ptr<Entry> entry = found->second;
    state_->Touch(*entry);
    if (!entry->ready) entry->waiters.emplace(id, std::move(on_ready));
    return {state_, entry, id};
  }
  const auto entry = std::make_shared<Entry>(std::move(spec));
  entry->waiters.emplace(id, std::move(on_ready));
  state_->Insert(entry);
  state_->Shrink();
  lock.unlock();
  state_->post([state = state_, entry] { RunEntry(*state, entry); });
  return {state_, entry, id};
}

void CompileCache::RunEntry(State& state, const std::shared_ptr<Entry>& entry) {
  {
    const std::lock_guard lock(state.mutex);
    if (state.closed || entry->waiters.empty()) return;  // given up
    ++state.num_running;
    ++state.num_compiled;
  }
  entry->outcome.emplace(state.compile(entry->spec, entry->stop));
  std::map<std::uint64_t, std::function<void()>> waiters;
  {
    const std::lock_guard lock(state.mutex);
    entry->ready.store(true, std::memory_order_release);
    waiters = std::move(entry->waiters);
  }
  for (const auto& [id, on_ready] : waiters) on_ready();
  Measure(state);
  const std::lock_guard lock(state.mutex);
  --state.num_running;
  state.idle.notify_all();
}

// Grammars grow as they are used. A grammar's own lock may be held for as long as a mask
// takes, so it is not waited for under the cache's.
void CompileCache::Measure(State& state) {
  std::vector<std::pair<std::shared_ptr<Entry>, std::size_t>> sizes;
  {
    const std::lock_guard lock(state.mutex);
    for (const auto& [spec, entry] : state.entries) {
      if (entry->ready) sizes.emplace_back(entry, kEntryBytes + SpecBytes(*spec));
    }
  }
  for (auto& [entry, size] : sizes) {
    if (entry->outcome->ok()) size += entry->outcome->value()->size_bytes();
  }
  const std::lock_guard lock(state.mutex);
  for (const auto& [entry, size] : sizes) {
    const auto found = state.entries.find(&entry->spec);
    if (found == state.entries.end() || found->second != entry) continue;
    state.size_bytes += size - entry->size_bytes;
    entry->size_bytes = size;
  }
  state.Shrink();
}

CompileCache::Counts CompileCache::counts() const {
  const std::lock_guard lock(state_->mutex);
  return {state_->entries.size(), state_->size_bytes, state_->num_compiled};
}

CompileCache::Ticket::Ticket(std::shared_ptr<State> state, std::shared_ptr<Entry> entry,
                             std::uint64_t id)
    : state_(std::move(state)), entry_(std::move(entry)), id_(id) {}

CompileCache::Ticket& CompileCache::Ticket::operator=(Ticket&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  state_ = std::move(other.state_);
  entry_ = std::move(other.entry_);
  id_ = other.id_;
  return *this;
}

CompileCache::Ticket::~Ticket() { Leave(); }

void CompileCache::Ticket::Leave() {
  if (entry_ == nullptr || ready()) return;
  const std::lock_guard lock(state_->mutex);
  if (entry_->waiters.erase(id_) == 0) return;  // it has just become ready
  if (!entry_->waiters.empty()) return;
  entry_->stop = true;
  state_->Erase(*entry_);
}

bool CompileCache::Ticket::ready() const { return entry_->ready.load(std::memory_order_acquire); }

const CompileCache::Outcome& CompileCache::Ticket::outcome() const {
  ESP_CHECK(ready()) << "the grammar is still being compiled";
  return *entry_->outcome;
}

}  // namespace espalier
