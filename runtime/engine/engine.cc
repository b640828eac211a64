#include "runtime/engine/engine.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <new>
#include <unordered_map>
#include <utility>

#include "grammar/compile_cache.h"
#include "grammar/compiled_grammar.h"
#include "grammar/matcher.h"
#include "kernels/base/mutex.h"
#include "radix/prefix_cache.h"
#include "runtime/engine/event_router.h"
#include "runtime/engine/inbox.h"
#include "runtime/engine/mask_filler.h"
#include "runtime/engine/mean_pool.h"
#include "runtime/engine/outbox.h"
#include "runtime/engine/row_sampler.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/speller.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {
namespace {

Status CheckPositive(std::string_view name, int value) {
  if (value > 0) return {};
  return {Code::kInvalidArgument, fmt::format("{} must be at least 1; got {}", name, value)};
}

Status CheckOptions(const EngineOptions& options) {
  ESP_RETURN_IF_ERROR(CheckPositive("kv-cache-tokens", options.kv_cache_tokens));
  ESP_RETURN_IF_ERROR(CheckPositive("page-size", options.page_size));
  ESP_RETURN_IF_ERROR(CheckPositive("chunk-tokens", options.chunk_tokens));
  ESP_RETURN_IF_ERROR(CheckPositive("max-running", options.max_running));
  ESP_RETURN_IF_ERROR(CheckPositive("max-logits", options.max_logits));
  ESP_RETURN_IF_ERROR(CheckPositive("max-queue", options.max_queue));
  if (!(options.schedule_conservativeness >= 0)) {
    return {Code::kInvalidArgument, "schedule-conservativeness must not be negative"};
  }
  if (options.cache_quota_tokens < 0) {
    return {Code::kInvalidArgument, fmt::format("cache-quota-tokens must not be negative; got {}",
                                                options.cache_quota_tokens)};
  }
  constexpr int kMostSlots = 1 << 30;  // a slot is an int32
  if (options.kv_cache_tokens > kMostSlots || options.page_size > kMostSlots) {
    return {Code::kInvalidArgument, fmt::format("kv-cache-tokens must be at most {}; got {}",
                                                kMostSlots, options.kv_cache_tokens)};
  }
  return {};
}

Status CheckFit(const EngineOptions& options, const Model& model, const Vocabulary& vocabulary) {
  if (model.kv_shape().page_size != options.page_size) {
    return {Code::kInvalidArgument, fmt::format("page-size is {}, but the model was loaded for {}",
                                                options.page_size, model.kv_shape().page_size)};
  }
  const auto num_logits = static_cast<std::size_t>(model.vocab_size());
  if (vocabulary.size() > num_logits) {
    return {Code::kInvalidArgument,
            fmt::format("the tokenizer has {} tokens, but the model only {}", vocabulary.size(),
                        num_logits)};
  }
  for (const TokenId token : vocabulary.end_tokens()) {
    if (token >= 0 && static_cast<std::size_t>(token) < vocabulary.size()) continue;
    return {Code::kInvalidArgument, fmt::format("end token {} is not in the vocabulary, [0, {})",
                                                token, vocabulary.size())};
  }
  return {};
}

PrefixCacheOptions ForCache(const EngineOptions& options) {
  const int page_size = options.page_size;
  const int quota = options.cache_quota_tokens;
  return {.eviction = options.eviction, .quota_pages = quota / page_size + (quota % page_size > 0)};
}

std::uint64_t NowMicroseconds() {
  using std::chrono::microseconds;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<microseconds>(now).count());
}

CompileCache::Post PostOf(const EngineOptions& options, ThreadPool& pool) {
  if (options.post) return options.post;
  return [&pool](std::function<void()> work) { pool.Post(std::move(work)); };
}

SchedulerOptions ForScheduler(const EngineOptions& options, const Speller* speller) {
  return {.max_tokens = options.chunk_tokens,
          .max_rows = options.max_running,
          .max_logits = options.max_logits,
          .prefix_cache = options.prefix_cache,
          .in_batch_sharing = options.in_batch_sharing,
          .policy = options.policy,
          .conservativeness = options.schedule_conservativeness,
          .speller = speller,
          .jump_forward = options.jump_forward};
}

}  // namespace

struct Engine::State {
  State(const EngineOptions& options, Model& the_model, std::shared_ptr<const Vocabulary> tokens,
        ThreadPool& pool, Outbox& out, KvPool kv_pool)
      : model(the_model),
        clock_us(options.clock_us ? options.clock_us : NowMicroseconds),
        vocabulary(std::move(tokens)),
        router(out),
        kv(std::move(kv_pool)),
        cache(kv.num_pages(), options.page_size, ForCache(options)),
        speller(options.tokenizer == nullptr ? nullptr
                                             : std::make_unique<Speller>(options.tokenizer)),
        scheduler(cache, ForScheduler(options, speller.get()), *vocabulary),
        masks(pool, vocabulary->size()),
        sampler(pool, static_cast<std::size_t>(model.vocab_size()), vocabulary->size()),
        logits(static_cast<std::size_t>(options.max_logits) *
               static_cast<std::size_t>(model.vocab_size())),
        hidden(static_cast<std::size_t>(options.chunk_tokens) *
               static_cast<std::size_t>(model.hidden_size())),
        inbox(options.max_queue),
        grammars(
            [tokens = vocabulary](const ConstraintSpec& spec, const std::atomic<bool>& stop) {
              return CompileGrammar(spec, tokens, &stop);
            },
            PostOf(options, pool), {}) {}

  Result<std::shared_ptr<const QueuedRequest>> Judge(GenerateRequest request);  // thread-safe
  void Drain();
  void Take(const std::shared_ptr<const QueuedRequest>& request);
  void Cancel(SeqId request);
  void CancelAll();
  int num_waiting() const { return scheduler.num_waiting() + num_compiling; }
  const StepPlan& Plan();
  void Forward(const StepPlan& plan);
  std::span<RowOutput> Sample(const StepPlan& plan);
  void Commit(std::span<RowOutput> outputs);
  void Emit();

  Model& model;
  const std::function<std::uint64_t()> clock_us;
  const std::shared_ptr<const Vocabulary> vocabulary;
  EventRouter router;
  KvPool kv;
  PrefixCache cache;
  const std::unique_ptr<const Speller> speller;  // null: without a tokenizer
  Scheduler scheduler;
  MaskFiller masks;
  RowSampler sampler;
  std::vector<float> logits;       // [max_logits, model.vocab_size()]
  std::vector<float> hidden;       // [chunk_tokens, model.hidden_size()]
  std::vector<TokenEvent> events;  // of this step
  // Those whose grammars are not ready.
  std::unordered_map<std::uint64_t, std::shared_ptr<const QueuedRequest>> compiling;
  int num_compiling = 0;  // choices of them

  Inbox inbox;
  CompileCache grammars;  // goes before the inbox, to which it reports
  std::atomic<std::uint64_t> num_submitted{0};
  EngineMetrics counted;  // the engine thread's
  mutable Mutex mutex;
  EngineMetrics shown ESP_GUARDED_BY(mutex);  // as of the last step
};

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options, Model& model,
                                               std::shared_ptr<const Vocabulary> vocabulary,
                                               ThreadPool& pool, Outbox& outbox) {
  ESP_RETURN_IF_ERROR(CheckOptions(options));
  ESP_RETURN_IF_ERROR(CheckFit(options, model, *vocabulary));
  const int num_pages = (options.kv_cache_tokens - 1) / options.page_size + 1;
  ESP_ASSIGN_OR_RETURN(KvPool kv, KvPool::Create(model.kv_shape(), num_pages));
  try {
    return std::unique_ptr<Engine>(new Engine(std::make_unique<State>(
        options, model, std::move(vocabulary), pool, outbox, std::move(kv))));
  } catch (const std::bad_alloc&) {
    return Status(Code::kLimit, fmt::format("there is not enough memory for {} logits of {} tokens "
                                            "a step",
                                            model.vocab_size(), options.max_logits));
  }
}

Result<SeqId> Engine::Submit(GenerateRequest request) {
  State& s = *state_;
  ESP_RETURN_IF_ERROR(s.inbox.Reserve());
  ESP_ASSIGN_OR_RETURN(auto queued, s.Judge(std::move(request)));
  const SeqId id = queued->id;
  ESP_RETURN_IF_ERROR(s.inbox.Submit({std::move(queued)}));
  return id;
}

std::vector<Result<SeqId>> Engine::SubmitTogether(std::span<GenerateRequest* const> requests) {
  State& s = *state_;
  std::vector<Result<SeqId>> ids;
  std::vector<std::shared_ptr<const QueuedRequest>> queued;
  for (GenerateRequest* const request : requests) {
    const Status reserved = s.inbox.Reserve();
    if (reserved.code() == Code::kOverloaded) break;
    auto judged = reserved.ok() ? s.Judge(std::move(*request)) : reserved;
    ids.push_back(judged.ok() ? Result<SeqId>((*judged)->id) : judged.status());
    if (judged.ok()) queued.push_back(*std::move(judged));
  }
  const Status submitted = s.inbox.Submit(std::move(queued));
  if (submitted.ok()) return ids;
  for (Result<SeqId>& id : ids) {
    if (id.ok()) id = submitted;
  }
  return ids;
}

// The request as it is queued, its grammar being compiled. It has a place in the inbox, which
// is given back with an error.
Result<std::shared_ptr<const QueuedRequest>> Engine::State::Judge(GenerateRequest request) {
  const RequestBounds bounds{.context_length = model.context_length(),
                             .kv_cache_tokens = std::int64_t{cache.num_pages()} * cache.page_size(),
                             .vocab_size = static_cast<std::int32_t>(vocabulary->size())};
  const SeqId id{++num_submitted};
  auto checked = CheckRequest(id, std::move(request), bounds);
  if (!checked.ok()) {
    inbox.Release();
    return checked.status();
  }
  const std::shared_ptr<QueuedRequest> queued = *std::move(checked);
  inbox.ReserveMore(queued->num_choices() - 1);
  const GenerateRequest& asked = queued->asked;
  if (asked.grammar == nullptr && asked.constraint.kind != ConstraintKind::kNone) {
    queued->compiling =
        grammars.Get(asked.constraint, [box = &inbox, id] { box->GrammarReady(id); });
  }
  return std::shared_ptr<const QueuedRequest>(queued);
}

std::uint64_t Engine::num_submitted() const { return state_->num_submitted; }
void Engine::Cancel(SeqId request) { state_->inbox.Cancel(request); }
void Engine::FlushCache() { state_->inbox.FlushCache(); }
Status Engine::Inspect(std::function<void(const PrefixCache& cache)> look) {
  return state_->inbox.Inspect(std::move(look));
}
void Engine::Stop() { state_->inbox.Close(); }

void Engine::Run() {
  State& s = *state_;
  while (!s.inbox.closed()) {
    if (!Step()) s.inbox.Wait();
  }
  s.Drain();
  s.CancelAll();
  s.Emit();
}

bool Engine::Step() {
  State& s = *state_;
  bool any = false;
  {
    const Stopwatch stopwatch(s.counted.total_seconds);
    const StepPlan& plan = s.Plan();
    any = !plan.rows.empty() || !s.events.empty();
    if (!plan.rows.empty()) {
      s.masks.Start(plan);
      s.Forward(plan);
      s.Commit(s.Sample(plan));
    }
  }
  s.Emit();
  return any;
}

const StepPlan& Engine::State::Plan() {
  const Stopwatch stopwatch(counted.plan_seconds);
  cache.SetTime(clock_us());
  Drain();
  return scheduler.Plan();
}

std::span<RowOutput> Engine::State::Sample(const StepPlan& plan) {
  std::span<const RowMask> filled;
  {
    const Stopwatch stopwatch(counted.mask_seconds);
    filled = masks.Finish();
  }
  const Stopwatch stopwatch(counted.sample_seconds);
  return sampler.Run(plan, logits, filled);
}

void Engine::State::Commit(std::span<RowOutput> outputs) {
  const Stopwatch stopwatch(counted.commit_seconds);
  scheduler.Commit(outputs, events);
}

void Engine::State::Drain() {
  const Inbox::Messages messages = inbox.TakeAll(num_waiting());
  for (const auto& request : messages.requests) {
    router.Add(*request);
    Take(request);
  }
  for (const SeqId id : messages.compiled) {
    const auto entry = compiling.extract(Index(id));
    if (entry.empty()) continue;
    num_compiling -= entry.mapped()->num_choices();
    Take(entry.mapped());
  }
  for (const SeqId id : messages.cancels) Cancel(id);
  if (messages.flush_cache) cache.Flush();
  for (const Inbox::Look& look : messages.looks) look(cache);
  counted.num_requests += static_cast<std::int64_t>(messages.requests.size());
}

void Engine::State::Take(const std::shared_ptr<const QueuedRequest>& request) {
  if (!request->ready()) {
    num_compiling += request->num_choices();
    compiling.emplace(Index(request->id), request);
  } else if (request->compiling && !request->compiling->outcome().ok()) {
    scheduler.Refuse(*request, FinishReason::kError, request->compiling->outcome().status(),
                     events);
  } else {
    scheduler.Add(request, events);
  }
}

void Engine::State::Cancel(SeqId request) {
  const auto entry = compiling.extract(Index(request));
  if (entry.empty()) {
    scheduler.Cancel(request, events);
    return;
  }
  num_compiling -= entry.mapped()->num_choices();
  scheduler.Refuse(*entry.mapped(), FinishReason::kCancelled, {}, events);
}

void Engine::State::CancelAll() {
  scheduler.CancelAll(events);
  for (const auto& [id, request] : std::exchange(compiling, {})) {
    scheduler.Refuse(*request, FinishReason::kCancelled, {}, events);
  }
  num_compiling = 0;
}

void Engine::State::Forward(const StepPlan& plan) {
  const Stopwatch stopwatch(counted.forward_seconds);
  ++counted.num_steps;
  const Batch& batch = plan.batch;
  const ModelOutput output{
      .logits = std::span(logits).first(batch.num_logits() *
                                        static_cast<std::size_t>(model.vocab_size())),
      .hidden = std::span(hidden).first(batch.hidden_tokens.size() *
                                        static_cast<std::size_t>(model.hidden_size()))};
  model.Forward(batch, kv, output);
  AddHidden(plan, output.hidden);
}

void Engine::State::Emit() {
  const SchedulerCounts& counts = scheduler.counts();
  for (const TokenEvent& event : events) counted.prompt_tokens += event.usage.prompt_tokens;
  counted.num_finished = counts.num_finished;
  counted.num_preemptions = counts.num_preemptions;
  counted.cached_tokens = counts.cached_tokens;
  counted.computed_tokens = counts.computed_tokens;
  counted.output_tokens = counts.output_tokens;
  counted.forced_tokens = counts.forced_tokens;
  counted.radix_seconds = counts.radix_seconds;
  counted.queued = num_waiting();
  counted.running = scheduler.num_running();
  counted.kv_tokens_used =
      std::int64_t{cache.num_pages() - cache.num_available()} * cache.page_size();
  {
    const MutexLock lock(mutex);
    shown = counted;
  }
  router.Push(events);
  events.clear();
}

EngineMetrics Engine::metrics() const {
  const MutexLock lock(state_->mutex);
  return state_->shown;
}

}  // namespace espalier
