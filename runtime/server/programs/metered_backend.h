// MeteredBackend: a backend that gives a run so many generated tokens and no more.
//
// A gen that would go beyond is cut there; one that begins beyond fails with kLimit.
//
// Thread safety: none; one thread a program.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "frontend_lang/backend.h"

namespace espalier {

class MeteredBackend final : public Backend {
 public:
  MeteredBackend(std::unique_ptr<Backend> backend, std::int64_t max_tokens)
      : backend_(std::move(backend)), max_tokens_(max_tokens) {}

  bool takes_messages() const override { return backend_->takes_messages(); }
  CallId Start(GenCall call) override;
  CallId Start(ScoreCall call) override { return backend_->Start(std::move(call)); }
  void Cancel(CallId call) override;
  std::vector<CallEvent> Wait(Deadline deadline) override;
  Result<ChatModel> Chat(Deadline deadline) override { return backend_->Chat(deadline); }
  Status FlushCache(Deadline deadline) override;
  Result<Facts> ServerFacts(Deadline deadline) override { return backend_->ServerFacts(deadline); }

 private:
  std::int64_t num_left() const { return max_tokens_ - num_used_ - num_promised_; }

  const std::unique_ptr<Backend> backend_;
  const std::int64_t max_tokens_;
  std::int64_t num_used_ = 0;
  std::int64_t num_promised_ = 0;                               // to calls under way
  std::vector<std::pair<CallId, std::int64_t>> promises_ = {};  // of each
  std::vector<CallEvent> refused_ = {};
  std::uint64_t num_refused_ = 0;
};

}  // namespace espalier
