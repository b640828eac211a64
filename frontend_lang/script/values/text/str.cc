#include "frontend_lang/script/values/text/str.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "frontend_lang/script/values/compare.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

constexpr std::int64_t kMarkEvery = 64;

std::int64_t SizeOf(const std::string& bytes) {
  return static_cast<std::int64_t>(sizeof(Str) + bytes.capacity());
}

std::uint64_t Fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

Str::Str(Heap& heap, std::string bytes)
    : Object(heap, kType), bytes_(std::move(bytes)), length_(NumCodePoints(bytes_)) {
  Charge(SizeOf(bytes_));
}

std::size_t Str::OffsetOf(std::int64_t index) const {
  if (ascii()) return static_cast<std::size_t>(index);
  if (index == length_) return bytes_.size();
  if (marks_ == nullptr) {
    marks_ = std::make_unique<std::vector<std::size_t>>();
    std::int64_t count = 0;
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if (!IsContinuation(bytes_[i]) && count++ % kMarkEvery == 0) marks_->push_back(i);
    }
  }
  std::size_t offset = (*marks_)[static_cast<std::size_t>(index / kMarkEvery)];
  for (std::int64_t i = index % kMarkEvery; i > 0; --i) {
    offset += static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(bytes_[offset])));
  }
  return offset;
}

std::int64_t Str::IndexOf(std::size_t offset) const {
  if (ascii()) return static_cast<std::int64_t>(offset);
  OffsetOf(0);  // makes the marks
  const auto after = std::upper_bound(marks_->begin(), marks_->end(), offset);
  const auto mark = static_cast<std::size_t>(after - marks_->begin()) - 1;
  const std::size_t from = (*marks_)[mark];
  return static_cast<std::int64_t>(mark) * kMarkEvery +
         NumCodePoints(std::string_view(bytes_).substr(from, offset - from));
}

std::string_view Str::Slice(std::int64_t start, std::int64_t stop) const {
  const std::size_t from = OffsetOf(start);
  return std::string_view(bytes_).substr(from, OffsetOf(stop) - from);
}

std::uint64_t Str::Hash() const {
  if (hash_ == 0) hash_ = HashStr(heap(), bytes_);
  return hash_;
}

void Str::Append(std::string_view utf8, std::int64_t num_code_points) {
  bytes_.append(utf8);
  length_ += num_code_points;
  hash_ = 0;
  marks_.reset();
  Charge(SizeOf(bytes_));
}

Value MakeValidStr(Heap& heap, std::string bytes) {
  if (bytes.empty()) return heap.EmptyStr();
  if (bytes.size() == 1) return heap.AsciiChar(static_cast<unsigned char>(bytes[0]));
  return heap.New<Str>(std::move(bytes));
}

Value MakeStr(Heap& heap, std::string bytes) {
  if (ValidUtf8Prefix(bytes) != bytes.size()) bytes = RepairUtf8(bytes);
  return MakeValidStr(heap, std::move(bytes));
}

Value MakeStr(Heap& heap, std::string_view bytes) { return MakeStr(heap, std::string(bytes)); }

// Multiply and fold over words of 8 bytes, keyed by the heap's seed.
std::uint64_t HashBytes(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t hash = Fold(seed ^ bytes.size(), kOdd);
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min<std::size_t>(8, bytes.size());
    std::memcpy(&word, bytes.data(), taken);
    hash = Fold(hash ^ word ^ seed, kOdd ^ (seed << 1 | 1)) + word;
    bytes.remove_prefix(taken);
  }
  return Fold(hash ^ seed, kOdd);
}

}  // namespace espalier::lang
