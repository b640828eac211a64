// Transformer: a token's logits are a function of its own sequence, bit for bit,
// however the sequence was cut into batches, placed in pages, or shared a batch.
#include "runtime/model/transformer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "kernels/base/random.h"
#include "runtime/model/registry.h"

namespace espalier {
namespace {

constexpr int kPageSize = 16;
constexpr int kPages = 64;

// A model with a pool of its own.
struct Machine {
  explicit Machine(ModelOptions options = {}, int num_threads = 1)
      : threads(num_threads),
        model(LoadModel(Gguf::FromMemory(TinyModelGguf()).value(), options, threads).value()),
        kv(KvPool::Create(model->kv_shape(), kPages).value()) {}

  std::vector<float> Run(const Batch& batch) {
    std::vector<float> logits(batch.num_logits() * static_cast<std::size_t>(model->vocab_size()));
    model->Forward(batch, kv, {logits});
    return logits;
  }

  ThreadPool threads;
  std::unique_ptr<Model> model;
  KvPool kv;
};

std::vector<TokenId> RandomTokens(int count, std::uint32_t seed) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) {
    tokens.push_back(
        static_cast<TokenId>(Philox4x32({static_cast<std::uint32_t>(i)}, {seed, 0})[0] % 259));
  }
  return tokens;
}

std::vector<PageId> Pages(std::initializer_list<int> pages) {
  std::vector<PageId> ids;
  for (const int page : pages) ids.push_back(PageId{page});
  return ids;
}

enum class Want { kAll, kLast };

// Appends a row: tokens [begin, end) of `sequence`, whose pages are `pages`.
struct Piece {
  std::span<const TokenId> sequence;
  int begin;
  int end;
  std::span<const PageId> pages;
  Want want = Want::kAll;
};

std::int32_t Slot(std::span<const PageId> pages, int position) {
  return Index(pages[static_cast<std::size_t>(position / kPageSize)]) * kPageSize +
         position % kPageSize;
}

void Append(const Piece& piece, Batch& batch) {
  batch.seq.push_back(SeqId{batch.num_rows()});
  for (int p = piece.begin; p < piece.end; ++p) {
    if (piece.want == Want::kAll || p + 1 == piece.end) {
      batch.logits_tokens.push_back(static_cast<std::int32_t>(batch.num_tokens()));
    }
    batch.tokens.push_back(piece.sequence[static_cast<std::size_t>(p)]);
    batch.position.push_back(p);
    batch.slots.push_back(Slot(piece.pages, p));
    batch.slot_start.push_back(static_cast<std::int32_t>(batch.slots.size()));
  }
  batch.pages.insert(batch.pages.end(), piece.pages.begin(), piece.pages.end());
  batch.start.push_back(static_cast<std::int32_t>(batch.num_tokens()));
  batch.page_start.push_back(static_cast<std::int32_t>(batch.pages.size()));
  batch.logits_start.push_back(static_cast<std::int32_t>(batch.num_logits()));
}

Batch OneRow(const Piece& piece) {
  Batch batch;
  Append(piece, batch);
  return batch;
}

bool SameBits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Logits of rows [begin, end) of `logits`.
std::span<const float> Rows(const std::vector<float>& logits, int begin, int end) {
  return std::span(logits).subspan(static_cast<std::size_t>(begin) * 259,
                                   static_cast<std::size_t>(end - begin) * 259);
}

const std::vector<PageId> kFirstPages = Pages({0, 1, 2, 3, 4, 5});

TEST(TransformerTest, HiddenStatesAreTheSameHoweverTheSequenceIsCut) {
  Machine machine;
  const auto tokens = RandomTokens(40, 2);
  const auto run = [&](Batch batch, int begin, int end) {
    for (int t = begin; t < end; ++t) batch.hidden_tokens.push_back(t - begin);
    std::vector<float> hidden(static_cast<std::size_t>(end - begin) *
                              static_cast<std::size_t>(machine.model->hidden_size()));
    std::vector<float> logits(batch.num_logits() * 259);
    machine.model->Forward(batch, machine.kv, {logits, hidden});
    return hidden;
  };
  const auto whole = run(OneRow({tokens, 0, 40, kFirstPages}), 0, 40);
  auto pieces = run(OneRow({tokens, 0, 17, kFirstPages, Want::kLast}), 0, 17);
  const auto rest = run(OneRow({tokens, 17, 40, kFirstPages}), 17, 40);
  pieces.insert(pieces.end(), rest.begin(), rest.end());
  EXPECT_TRUE(SameBits(whole, pieces));
  EXPECT_NE(whole.front(), whole.back());
}

TEST(TransformerTest, LogitsAreFiniteAndVaried) {
  Machine machine;
  const auto tokens = RandomTokens(40, 1);
  const auto logits = machine.Run(OneRow({tokens, 0, 40, kFirstPages}));
  float low = logits[0], high = logits[0];
  for (const float x : logits) {
    ASSERT_TRUE(std::isfinite(x));
    low = std::min(low, x);
    high = std::max(high, x);
  }
  EXPECT_LT(low, -2);
  EXPECT_GT(high, 2);
}

class TransformerPrecisionTest : public ::testing::TestWithParam<Precision> {
 protected:
  ModelOptions Options() const {
    const bool exact = GetParam() == Precision::kExact;
    return {.precision = GetParam(), .kv_dtype = exact ? DType::kF32 : DType::kF16};
  }
};
INSTANTIATE_TEST_SUITE_P(All, TransformerPrecisionTest,
                         ::testing::Values(Precision::kQuantized, Precision::kExact));

TEST_P(TransformerPrecisionTest, AnyChunksGiveTheSameBits) {
  const auto tokens = RandomTokens(83, 2);
  const auto whole = Machine(Options()).Run(OneRow({tokens, 0, 64, kFirstPages}));
  for (const int chunk : {1, 3, 16, 63}) {
    Machine machine(Options());
    for (int begin = 0; begin < 64; begin += chunk) {
      const int end = std::min(begin + chunk, 64);
      const auto part = machine.Run(OneRow({tokens, begin, end, kFirstPages}));
      EXPECT_TRUE(SameBits(part, Rows(whole, begin, end))) << "chunk " << chunk << " at " << begin;
    }
  }
}

TEST_P(TransformerPrecisionTest, CompanyInTheBatchChangesNothing) {
  const auto a = RandomTokens(50, 3), b = RandomTokens(21, 4), c = RandomTokens(70, 5);
  const auto a_pages = Pages({9, 3, 60, 7}), b_pages = Pages({30, 2}),
             c_pages = Pages({8, 1, 4, 5, 6});
  Machine alone(Options()), together(Options());
  const auto alone_a = alone.Run(OneRow({a, 0, 50, a_pages, Want::kLast}));
  const auto alone_b = alone.Run(OneRow({b, 0, 21, b_pages, Want::kLast}));
  const auto alone_c = alone.Run(OneRow({c, 0, 70, c_pages, Want::kLast}));
  // c is one decode step, b a chunk, a a whole prompt.
  together.Run(OneRow({c, 0, 69, c_pages, Want::kLast}));
  together.Run(OneRow({b, 0, 10, b_pages, Want::kLast}));
  Batch batch;
  Append({c, 69, 70, c_pages, Want::kLast}, batch);
  Append({a, 0, 50, a_pages, Want::kLast}, batch);
  Append({b, 10, 21, b_pages, Want::kLast}, batch);
  const auto logits = together.Run(batch);
  EXPECT_TRUE(SameBits(alone_c, Rows(logits, 0, 1)));
  EXPECT_TRUE(SameBits(alone_a, Rows(logits, 1, 2)));
  EXPECT_TRUE(SameBits(alone_b, Rows(logits, 2, 3)));
}

TEST_P(TransformerPrecisionTest, TwoThreadsGiveTheBitsOfOne) {
  const auto tokens = RandomTokens(64, 6);
  const Batch batch = OneRow({tokens, 0, 64, kFirstPages});
  EXPECT_TRUE(SameBits(Machine(Options(), 1).Run(batch), Machine(Options(), 2).Run(batch)));
}

TEST(TransformerTest, PagesMayLieAnywhere) {
  const auto tokens = RandomTokens(60, 7);
  const auto straight = Machine().Run(OneRow({tokens, 0, 60, kFirstPages}));
  const auto shuffled = Machine().Run(OneRow({tokens, 0, 60, Pages({63, 0, 17, 5})}));
  EXPECT_TRUE(SameBits(straight, shuffled));
}

TEST(TransformerTest, CopiedSlotsEqualComputedOnes) {
  const auto tokens = RandomTokens(40, 8);
  Machine machine;
  const auto whole = machine.Run(OneRow({tokens, 0, 40, Pages({10, 11, 12})}));
  // Another row takes slots [0, 5) of page 11 and computes on from position 21.
  const auto pages = Pages({10, 20, 21});
  Batch batch = OneRow({tokens, 21, 40, pages});
  batch.copies.push_back({PageId{11}, PageId{20}, 5});
  EXPECT_TRUE(SameBits(machine.Run(batch), Rows(whole, 21, 40)));
}

TEST(TransformerTest, TokenWrittenToTwoSlotsIsSeenByBothRows) {
  const auto tokens = RandomTokens(20, 9);
  Machine machine;
  const auto whole = machine.Run(OneRow({tokens, 0, 20, Pages({1, 2})}));
  // The second row shares page 1 and has its own copy of what follows in page 3.
  Batch batch = OneRow({tokens, 16, 18, Pages({1, 2})});
  batch.slots = {2 * kPageSize, 3 * kPageSize, 2 * kPageSize + 1, 3 * kPageSize + 1};
  batch.slot_start = {0, 2, 4};
  machine.Run(batch);
  const auto fork = machine.Run(OneRow({tokens, 18, 20, Pages({1, 3})}));
  EXPECT_TRUE(SameBits(fork, Rows(whole, 18, 20)));
}

TEST(TransformerTest, OnlyWantedLogitsAreComputed) {
  const auto tokens = RandomTokens(30, 10);
  Machine machine;
  const auto whole = machine.Run(OneRow({tokens, 0, 30, kFirstPages}));
  Batch batch = OneRow({tokens, 0, 30, kFirstPages});
  batch.logits_tokens = {4, 29};
  batch.logits_start = {0, 2};
  const auto some = machine.Run(batch);
  EXPECT_TRUE(SameBits(Rows(some, 0, 1), Rows(whole, 4, 5)));
  EXPECT_TRUE(SameBits(Rows(some, 1, 2), Rows(whole, 29, 30)));
  batch.logits_tokens.clear();
  batch.logits_start = {0, 0};
  EXPECT_TRUE(machine.Run(batch).empty());
}

TEST(TransformerTest, ExactAndQuantizedAgreeRoughly) {
  const auto tokens = RandomTokens(32, 11);
  const Batch batch = OneRow({tokens, 0, 32, kFirstPages});
  const auto fast = Machine().Run(batch);
  const auto exact = Machine({.precision = Precision::kExact, .kv_dtype = DType::kF32}).Run(batch);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    error += std::pow(fast[i] - exact[i], 2);
    size += std::pow(exact[i], 2);
  }
  EXPECT_LT(std::sqrt(error / size), 0.02);
  EXPECT_GT(error, 0);
}

}  // namespace
}  // namespace espalier
