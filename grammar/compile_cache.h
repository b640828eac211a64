// CompileCache: from constraints to compiled grammars, away from whoever asks.
//
// A grammar is compiled once, however many ask for it at the same time, and kept: a
// result that is an error too, so that a bad schema sent a thousand times is compiled
// once. What was asked longest ago goes first when the cache is full; grammars in use
// live on with their users. A compile that nobody waits for any more does not take place,
// or is stopped.
//
// It makes no thread: work goes to the caller's `post`.
//
// Thread safety: thread-safe. A ticket: one thread, but ready() and outcome() any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "grammar/constraint.h"
#include "kernels/base/status.h"

namespace espalier {

class CompiledGrammar;

class CompileCache {
 public:
  using Outcome = Result<std::shared_ptr<const CompiledGrammar>>;
  // Ends early, with any outcome, when `stop` becomes true.
  using Compile = std::function<Outcome(const ConstraintSpec& spec, const std::atomic<bool>& stop)>;
  using Post = std::function<void(std::function<void()> work)>;

  struct Limits {
    std::size_t max_entries = 1024;
    std::size_t max_bytes = std::size_t{256} << 20;  // measured after each compile
  };

  // `compile` may be called by several threads at a time; `post` runs its argument once,
  // on another thread or later, or drops it when the program ends.
  CompileCache(Compile compile, Post post, Limits limits);
  // Stops the compiles that have begun, and waits for them. Tickets may outlive the cache; those
  // that are not ready then never are.
  ~CompileCache();

 private:
  struct State;
  struct Entry;

 public:
  // A place in the line for one grammar. Destroying it leaves the line.
  class Ticket {
   public:
    Ticket(Ticket&&) noexcept = default;
    Ticket& operator=(Ticket&& other) noexcept;
    ~Ticket();

    bool ready() const;
    // REQUIRES: ready()
    const Outcome& outcome() const;

   private:
    friend class CompileCache;
    Ticket(std::shared_ptr<State> state, std::shared_ptr<Entry> entry, std::uint64_t id);
    void Leave();

    std::shared_ptr<State> state_;
    std::shared_ptr<Entry> entry_;  // null: moved from
    std::uint64_t id_ = 0;
  };

  // The ticket may be ready at once. If not, `on_ready` is called when it is, on the
  // thread that compiled, unless the ticket is gone by then; one that is going at that
  // moment may still be called for.
  Ticket Get(ConstraintSpec spec, std::function<void()> on_ready);

  struct Counts {
    std::size_t num_entries = 0;  // ready or on their way
    std::size_t size_bytes = 0;
    std::size_t num_compiled = 0;  // since the start
  };
  Counts counts() const;

 private:
  static void RunEntry(State& state, const std::shared_ptr<Entry>& entry);
  static void Measure(State& state);

  std::shared_ptr<State> state_;
};

}  // namespace espalier
