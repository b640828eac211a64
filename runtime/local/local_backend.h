// LocalBackend: the program language's Backend on a model in this process.
//
// A gen is one request; what was tokenized for an earlier one is not tokenized again
// (prompt_pieces.h). A select scores its choices through ChoiceScorer. Text comes in
// whole characters.
//
// Thread safety: none; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend_lang/backend.h"
#include "runtime/local/choice_scorer.h"
#include "runtime/local/engine_client.h"
#include "runtime/local/generated.h"

namespace espalier {

class LocalBackend : public Backend {
 public:
  explicit LocalBackend(std::unique_ptr<LocalModel> model)
      : owned_(std::move(model)), model_(owned_.get()), client_(*model_) {}
  // Beside others who use the model, which must outlive it, as must the port.
  LocalBackend(LocalModel& model, EventPort& port) : model_(&model), client_(model, port) {}

  CallId Start(GenCall call) override;
  CallId Start(ScoreCall call) override;
  void Cancel(CallId call) override;
  std::vector<CallEvent> Wait(Deadline deadline) override;
  Result<ChatModel> Chat(Deadline deadline) override;
  Status FlushCache(Deadline deadline) override;
  Result<Facts> ServerFacts(Deadline deadline) override;

 protected:
  EngineClient& client() { return client_; }

 private:
  struct Gen {
    Ticket ticket{};
    Generated generated;
  };

  CallId NextCall() { return CallId{next_call_++}; }
  void Refuse(CallId call, Status status);
  Result<GenerateRequest> ToRequest(const GenCall& call) const;
  std::uint64_t ArrivalOf(ProgramCall program);
  void OnToken(CallId call, TokenEvent event);
  void OnScores(CallId call, ChoiceScores scores);
  GenOutput ToOutput(const GeneratedChoice& choice) const;

  const std::unique_ptr<LocalModel> owned_;  // or null
  LocalModel* const model_;
  EngineClient client_;
  std::uint64_t next_call_ = 1;
  std::unordered_map<std::uint64_t, Gen> gens_;
  std::unordered_map<std::uint64_t, std::unique_ptr<ChoiceScorer>> scorers_;
  std::map<ProgramCall, std::uint64_t> arrivals_;  // of the latest programs
  std::vector<CallEvent> news_;                    // what the next Wait gives
};

}  // namespace espalier
