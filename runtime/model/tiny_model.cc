// The built-in model "tiny". Its weights are Philox draws written straight into
// quantized blocks, with scales that keep every layer's output near unit size, so
// the image is the same on every machine. The head favours letters, so that what
// it writes looks like text, and end-of-text now and then.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/random.h"
#include "runtime/model/gguf_writer.h"
#include "runtime/model/registry.h"

namespace espalier {
namespace {

constexpr int kLayers = 2, kHidden = 64, kFeedForward = 128;
constexpr int kHeads = 4, kKvHeads = 2, kHeadDim = 16;
constexpr int kBytes = 256;
constexpr std::array<const char*, 3> kSpecials = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
constexpr int kEndOfText = kBytes, kImStart = kBytes + 1, kImEnd = kBytes + 2;
constexpr int kVocabulary = kBytes + 3;

constexpr std::string_view kChatTemplate =
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + "
    "message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

// The bits of (1 + eighths / 8) * 2^exponent as an f16.
constexpr std::uint16_t Half(int exponent, int eighths = 0) {
  return static_cast<std::uint16_t>(((exponent + 15) << 10) | (eighths << 7));
}
static_assert(Half(0) == 0x3c00 && Half(-1, 4) == 0x3a00);

constexpr std::uint16_t kNegative = 0x8000;

// A stream of bytes that depends on `stream` alone.
class ByteStream {
 public:
  explicit ByteStream(std::uint32_t stream) : stream_(stream) {}
  std::uint8_t Next() {
    if (used_ == sizeof(words_)) {
      words_ = Philox4x32({counter_++, stream_, 0, 0}, {0x7E57, 0x71AF});
      used_ = 0;
    }
    const std::uint32_t word = words_[used_ / 4];
    return static_cast<std::uint8_t>(word >> (8 * (used_++ % 4)));
  }

 private:
  std::uint32_t stream_;
  std::uint32_t counter_ = 0;
  std::array<std::uint32_t, 4> words_{};
  std::size_t used_ = sizeof(words_);
};

void AppendHalf(std::string& out, std::uint16_t bits) {
  out.push_back(static_cast<char>(bits & 0xff));
  out.push_back(static_cast<char>(bits >> 8));
}

// One block: its scale, a half (and minimum -7.5 * scale where the format has one), then
// random codes.
void AppendBlock(DType dtype, std::uint16_t scale, ByteStream& random, std::string& out) {
  const std::size_t end = out.size() + static_cast<std::size_t>(Traits(dtype).block_bytes);
  AppendHalf(out, scale);
  if (dtype == DType::kQ4_1) {
    // 7.5 = 1.875 * 4; the scales used here are powers of two.
    AppendHalf(out, static_cast<std::uint16_t>(kNegative | (scale + (2 << 10) + (7 << 7))));
  }
  while (out.size() < end) out.push_back(static_cast<char>(random.Next()));
}

// A matrix {rows, columns} whose row r has blocks of scale scale_of(r).
template <typename ScaleOf>
std::string Blocks(DType dtype, int rows, int columns, std::uint32_t stream, ScaleOf scale_of) {
  ByteStream random(stream);
  std::string out;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; c += Traits(dtype).block_size) {
      AppendBlock(dtype, scale_of(r), random, out);
    }
  }
  return out;
}

// Norm weights from 0.75 to 1.25, as f32.
std::string NormWeights(std::uint32_t stream) {
  ByteStream random(stream);
  std::string out;
  for (int i = 0; i < kHidden; ++i) {
    const float value = 0.75f + static_cast<float>(random.Next()) / 512.0f;
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  return out;
}

// How strongly the head can want a token: letters and blanks most.
std::uint16_t HeadScale(int token) {
  const bool letter = (token >= 'a' && token <= 'z') || token == ' ';
  if (letter) return Half(-8, 4);
  if (token == kImEnd) return Half(-7, 1);  // about one token in a hundred
  if ((token > ' ' && token < 0x7f) || token == '\n') return Half(-8);
  return Half(-11);
}

class TinyWriter {
 public:
  std::string Write() {
    WriteConfig();
    WriteTokenizer();
    Add("token_embd.weight", DType::kQ8_0, kVocabulary, kHidden, Half(-6));
    for (int i = 0; i < kLayers; ++i) WriteLayer(fmt::format("blk.{}.", i));
    AddNorm("output_norm.weight");
    writer_.AddTensor("output.weight", DType::kQ8_0, {kHidden, kVocabulary},
                      Blocks(DType::kQ8_0, kVocabulary, kHidden, stream_++, HeadScale));
    return writer_.Finish();
  }

 private:
  void WriteConfig() {
    writer_.SetString("general.architecture", "llama");
    writer_.SetString("general.name", "tiny (fixed pseudo-random weights, for tests)");
    writer_.SetInt("llama.context_length", 8192);
    writer_.SetInt("llama.embedding_length", kHidden);
    writer_.SetInt("llama.block_count", kLayers);
    writer_.SetInt("llama.feed_forward_length", kFeedForward);
    writer_.SetInt("llama.attention.head_count", kHeads);
    writer_.SetInt("llama.attention.head_count_kv", kKvHeads);
    writer_.SetInt("llama.rope.dimension_count", kHeadDim);
    writer_.SetInt("llama.vocab_size", kVocabulary);
    writer_.SetFloat("llama.rope.freq_base", 10000.0f);
    writer_.SetFloat("llama.attention.layer_norm_rms_epsilon", 1e-5f);
  }

  void WriteTokenizer();

  void WriteLayer(const std::string& prefix) {
    AddNorm(prefix + "attn_norm.weight");
    Add(prefix + "attn_q.weight", DType::kQ4_1, kHeads * kHeadDim, kHidden, Half(-5));
    Add(prefix + "attn_k.weight", DType::kQ8_0, kKvHeads * kHeadDim, kHidden, Half(-9));
    Add(prefix + "attn_v.weight", DType::kQ8_0, kKvHeads * kHeadDim, kHidden, Half(-9));
    Add(prefix + "attn_output.weight", DType::kQ4_0, kHidden, kHeads * kHeadDim, Half(-5));
    AddNorm(prefix + "ffn_norm.weight");
    Add(prefix + "ffn_gate.weight", DType::kQ4_1, kFeedForward, kHidden, Half(-5));
    Add(prefix + "ffn_up.weight", DType::kQ4_1, kFeedForward, kHidden, Half(-5));
    Add(prefix + "ffn_down.weight", DType::kQ8_0, kHidden, kFeedForward, Half(-9));
  }

  void Add(const std::string& name, DType dtype, int rows, int columns, std::uint16_t scale) {
    writer_.AddTensor(name, dtype, {columns, rows},
                      Blocks(dtype, rows, columns, stream_++, [=](int) { return scale; }));
  }

  void AddNorm(const std::string& name) {
    writer_.AddTensor(name, DType::kF32, {kHidden}, NormWeights(stream_++));
  }

  GgufWriter writer_;
  std::uint32_t stream_ = 0;  // of the next tensor
};

// GPT-2's spelling of a byte as a printable character: printable Latin-1 stands for
// itself, the others in order for U+0100 and on.
std::string SpellByte(int byte) {
  static constexpr auto kPrintable = [](int b) {
    return (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || (b >= 0xae && b <= 0xff);
  };
  int code_point = byte;
  if (!kPrintable(byte)) {
    code_point = 256;
    for (int b = 0; b < byte; ++b) code_point += kPrintable(b) ? 0 : 1;
  }
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  return {static_cast<char>(0xc0 | (code_point >> 6)), static_cast<char>(0x80 | (code_point & 63))};
}

void TinyWriter::WriteTokenizer() {
  constexpr std::int32_t kNormal = 1, kControl = 3;
  std::vector<std::string> tokens;
  for (int byte = 0; byte < kBytes; ++byte) tokens.push_back(SpellByte(byte));
  tokens.insert(tokens.end(), kSpecials.begin(), kSpecials.end());
  std::vector<std::int32_t> types(kBytes, kNormal);
  types.resize(tokens.size(), kControl);
  writer_.SetString("tokenizer.ggml.model", "gpt2");
  writer_.SetString("tokenizer.ggml.pre", "gpt-2");
  writer_.SetStrings("tokenizer.ggml.tokens", tokens);
  writer_.SetInts("tokenizer.ggml.token_type", types);
  writer_.SetStrings("tokenizer.ggml.merges", {});
  writer_.SetInt("tokenizer.ggml.bos_token_id", kImStart);
  writer_.SetInt("tokenizer.ggml.eos_token_id", kImEnd);
  writer_.SetInt("tokenizer.ggml.padding_token_id", kEndOfText);
  writer_.SetBool("tokenizer.ggml.add_bos_token", false);
  writer_.SetString("tokenizer.chat_template", kChatTemplate);
}

}  // namespace

std::string TinyModelGguf() { return TinyWriter().Write(); }

}  // namespace espalier
