#include "runtime/tokenizer/detokenizer.h"

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

std::string Detokenizer::Feed(std::string_view bytes) {
  // At most three bytes are pending, so joining costs O(bytes).
  std::string joined;
  if (!pending_.empty()) {
    joined = pending_;
    joined.append(bytes);
    bytes = joined;
    pending_.clear();
  }
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t pos = 0; pos < bytes.size();) {
    const Utf8Char read = ReadUtf8(bytes, pos);
    if (read.kind == Utf8Kind::kUnfinished) {
      pending_.assign(bytes.substr(pos));
      break;
    }
    text.append(read.kind == Utf8Kind::kValid ? bytes.substr(pos, read.size) : kReplacement);
    pos += read.size;
  }
  return text;
}

std::string Detokenizer::Finish() {
  const bool unfinished = !pending_.empty();
  pending_.clear();
  return unfinished ? std::string(kReplacement) : std::string();
}

}  // namespace espalier
