#include "grammar/compile_cache.h"

#include <atomic>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "kernels/base/check.h"
#include "kernels/base/mutex.h"

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
  void Touch(Entry& entry) ESP_REQUIRES(mutex) { order.splice(order.begin(), order, entry.place); }
  void Insert(const std::shared_ptr<Entry>& entry) ESP_REQUIRES(mutex) {
    entry->place = order.insert(order.begin(), entry.get());
    size_bytes += entry->size_bytes;
    entries.emplace(&entry->spec, entry);
  }
  void Erase(Entry& entry) ESP_REQUIRES(mutex) {
    order.erase(entry.place);
    size_bytes -= entry.size_bytes;
    entries.erase(&entry.spec);
  }
  // Of those that are not ready somebody waits, so they stay.
  void Shrink() ESP_REQUIRES(mutex) {
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
  mutable Mutex mutex;
  CondVar idle;
  std::unordered_map<const ConstraintSpec*, std::shared_ptr<Entry>, SpecHash, SameSpec> entries
      ESP_GUARDED_BY(mutex);
  std::list<Entry*> order ESP_GUARDED_BY(mutex);  // last asked first
  std::size_t size_bytes ESP_GUARDED_BY(mutex) = 0;
  std::uint64_t num_tickets ESP_GUARDED_BY(mutex) = 0;
  std::size_t num_compiled ESP_GUARDED_BY(mutex) = 0;
  int num_running ESP_GUARDED_BY(mutex) = 0;
  bool closed ESP_GUARDED_BY(mutex) = false;
};

CompileCache::CompileCache(Compile compile, Post post, Limits limits)
    : state_(std::make_shared<State>()) {
  state_->compile = std::move(compile);
  state_->post = std::move(post);
  state_->limits = limits;
}

CompileCache::~CompileCache() {
  State& state = *state_;
  const MutexLock lock(state.mutex);
  state.closed = true;
  for (const auto& [spec, entry] : state.entries) entry->stop = true;
  while (state.num_running > 0) state.idle.Wait(state.mutex);
}

CompileCache::Ticket CompileCache::Get(ConstraintSpec spec, std::function<void()> on_ready) {
  State& state = *state_;
  std::shared_ptr<Entry> entry;
  std::uint64_t id = 0;
  {
    const MutexLock lock(state.mutex);
    id = ++state.num_tickets;
    if (const auto found = state.entries.find(&spec); found != state.entries.end()) {
      entry = found->second;
      state.Touch(*entry);
      if (!entry->ready) entry->waiters.emplace(id, std::move(on_ready));
      return {state_, entry, id};
    }
    entry = std::make_shared<Entry>(std::move(spec));
    entry->waiters.emplace(id, std::move(on_ready));
    state.Insert(entry);
    state.Shrink();
  }
  state.post([state_kept = state_, entry] { RunEntry(*state_kept, entry); });
  return {state_, entry, id};
}

void CompileCache::RunEntry(State& state, const std::shared_ptr<Entry>& entry) {
  {
    const MutexLock lock(state.mutex);
    if (state.closed || entry->waiters.empty()) return;  // given up
    ++state.num_running;
    ++state.num_compiled;
  }
  entry->outcome.emplace(state.compile(entry->spec, entry->stop));
  std::map<std::uint64_t, std::function<void()>> waiters;
  {
    const MutexLock lock(state.mutex);
    entry->ready.store(true, std::memory_order_release);
    waiters = std::move(entry->waiters);
  }
  for (const auto& [id, on_ready] : waiters) on_ready();
  Measure(state);
  const MutexLock lock(state.mutex);
  --state.num_running;
  state.idle.NotifyAll();
}

// Grammars grow as they are used. A grammar's own lock may be held for as long as a mask
// takes, so it is not waited for under the cache's.
void CompileCache::Measure(State& state) {
  std::vector<std::pair<std::shared_ptr<Entry>, std::size_t>> sizes;
  {
    const MutexLock lock(state.mutex);
    for (const auto& [spec, entry] : state.entries) {
      if (entry->ready) sizes.emplace_back(entry, kEntryBytes + SpecBytes(*spec));
    }
  }
  for (auto& [entry, size] : sizes) {
    if (entry->outcome->ok()) size += entry->outcome->value()->size_bytes();
  }
  const MutexLock lock(state.mutex);
  for (const auto& [entry, size] : sizes) {
    const auto found = state.entries.find(&entry->spec);
    if (found == state.entries.end() || found->second != entry) continue;
    state.size_bytes += size - entry->size_bytes;
    entry->size_bytes = size;
  }
  state.Shrink();
}

CompileCache::Counts CompileCache::counts() const {
  State& state = *state_;
  const MutexLock lock(state.mutex);
  return {state.entries.size(), state.size_bytes, state.num_compiled};
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
  State& state = *state_;
  const MutexLock lock(state.mutex);
  if (entry_->waiters.erase(id_) == 0) return;  // it has just become ready
  if (!entry_->waiters.empty()) return;
  entry_->stop = true;
  state.Erase(*entry_);
}

bool CompileCache::Ticket::ready() const { return entry_->ready.load(std::memory_order_acquire); }

const CompileCache::Outcome& CompileCache::Ticket::outcome() const {
  ESP_CHECK(ready()) << "the grammar is still being compiled";
  return *entry_->outcome;
}

}  // namespace espalier
