#include "frontend_lang/script/values/text/str.h"

#include <algorithm>
#include <utility>

#include "frontend_lang/script/values/hash.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

constexpr std::int64_t kMarkEvery = 64;

std::int64_t SizeOf(const std::string& bytes) {
  return static_cast<std::int64_t>(sizeof(Str) + bytes.capacity());
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
  if (hash_ == 0) hash_ = HashStr(bytes_);
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

}  // namespace espalier::lang
