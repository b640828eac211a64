// BatchRun: the rows of one f.run_batch(...), run by a number of workers, each a fiber.
//
// A row that raises gives a failed state: its error is raised where somebody reads it,
// and the other rows are not touched.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "frontend_lang/program/sgl_function.h"

namespace espalier::program {

struct BatchPlan {
  std::vector<lang::Value> rows;  // dicts, lists or tuples
  GenOptions defaults;
  std::uint64_t seed = 0;
  std::int64_t num_workers = 1;  // most rows at one time
  bool shows_progress = false;
};

class BatchRun : public std::enable_shared_from_this<BatchRun> {
 public:
  // `function` is an SglFunction.
  BatchRun(Executor& executor, lang::Value function, std::shared_ptr<const BatchPlan> plan)
      : executor_(executor), function_(std::move(function)), plan_(std::move(plan)) {}

  // Starts the rows [begin, end). REQUIRES: the rows started before have ended.
  void Start(std::size_t begin, std::size_t end);
  // Waits until all rows that were started have ended. A limit error when the run stops.
  lang::Fault Wait();
  // The state of a row. REQUIRES: it has ended.
  lang::Value TakeState(std::size_t row);

 private:
  void RunRows();
  void RunRow(std::size_t row);

  Executor& executor_;
  lang::Value function_;
  const std::shared_ptr<const BatchPlan> plan_;
  std::size_t next_ = 0, begin_ = 0, end_ = 0;  // rows
  int num_done_ = 0;
  int num_running_ = 0;              // workers
  std::vector<lang::Value> states_;  // of [begin_, end_)
};

// What run_batch(generator_style=True) gives: the states in order; the next rows start
// when those before have been taken.
class BatchStates final : public lang::Iterator {
 public:
  static constexpr std::size_t kRowsAtOnce = 200;

  BatchStates(lang::Heap& heap, std::shared_ptr<BatchRun> batch, std::size_t num_rows)
      : Iterator(heap), batch_(std::move(batch)), num_rows_(num_rows) {}
  std::string_view TypeName() const override { return "generator"; }
  lang::Outcome<bool> Next(lang::Host& host, lang::Value& value) override;

 private:
  void Clear() override { batch_.reset(); }

  std::shared_ptr<BatchRun> batch_;
  const std::size_t num_rows_;
  std::size_t next_ = 0, end_ = 0;
};

}  // namespace espalier::program
