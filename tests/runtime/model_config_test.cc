// ReadConfig and LoadModel: a file that asks for what is not there, or for another
// function than ours, is refused by the name of the key or tensor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "runtime/model/gguf_writer.h"
#include "runtime/model/registry.h"

namespace espalier {
namespace {

using ::testing::HasSubstr;

constexpr int kHidden = 8, kFfn = 16, kRows = 5;

// A minimal llama of one layer; a test changes what it is about before Write().
struct SmallModel {
  std::map<std::string, std::uint32_t> ints = {{"llama.block_count", 1},
                                               {"llama.embedding_length", kHidden},
                                               {"llama.feed_forward_length", kFfn},
                                               {"llama.context_length", 64},
                                               {"llama.attention.head_count", 2}};
  std::map<std::string, float> floats = {{"llama.attention.layer_norm_rms_epsilon", 1e-5f}};
  std::map<std::string, std::string> strings = {{"general.architecture", "llama"}};
  std::map<std::string, std::vector<std::int32_t>> arrays;
  std::map<std::string, std::pair<int, int>> tensors = {  // {rows, columns}, all f32 zeros
      {"token_embd.weight", {kRows, kHidden}},     {"output_norm.weight", {1, kHidden}},
      {"blk.0.attn_norm.weight", {1, kHidden}},    {"blk.0.ffn_norm.weight", {1, kHidden}},
      {"blk.0.attn_q.weight", {kHidden, kHidden}}, {"blk.0.attn_k.weight", {kHidden, kHidden}},
      {"blk.0.attn_v.weight", {kHidden, kHidden}}, {"blk.0.attn_output.weight", {kHidden, kHidden}},
      {"blk.0.ffn_gate.weight", {kFfn, kHidden}},  {"blk.0.ffn_up.weight", {kFfn, kHidden}},
      {"blk.0.ffn_down.weight", {kHidden, kFfn}}};

  std::shared_ptr<const Gguf> Write() const {
    GgufWriter writer;
    for (const auto& [key, value] : ints) writer.SetInt(key, value);
    for (const auto& [key, value] : floats) writer.SetFloat(key, value);
    for (const auto& [key, value] : strings) writer.SetString(key, value);
    for (const auto& [key, value] : arrays) writer.SetInts(key, value);
    for (const auto& [name, shape] : tensors) {
      const auto [rows, columns] = shape;
      writer.AddTensor(name, DType::kF32, {columns, rows},
                       std::string(static_cast<std::size_t>(rows * columns) * 4, '\0'));
    }
    return Gguf::FromMemory(writer.Finish()).value();
  }

  Status Load() const {
    ThreadPool threads(1);
    return LoadModel(Write(), {}, threads).status();
  }
  ModelConfig Config() const { return ReadConfig(*Write()).value(); }
};

void ExpectRefused(const SmallModel& model, Code code, const std::string& name) {
  const Status status = model.Load();
  EXPECT_EQ(status.code(), code) << name << ": " << status.message();
  EXPECT_THAT(status.message(), HasSubstr(name));
}

TEST(ModelConfigTest, MissingKeysTakeTheFormatsDefaults) {
  const SmallModel model;
  EXPECT_TRUE(model.Load().ok()) << model.Load().message();
  const ModelConfig config = model.Config();
  EXPECT_EQ(config.num_kv_heads, 2);
  EXPECT_EQ(config.head_dim, 4);
  EXPECT_EQ(config.rope.rotary_dim, 4);
  EXPECT_EQ(config.rope.freq_base, 10000.0);
  EXPECT_EQ(config.rope.scaling, RopeScaling::kNone);
  EXPECT_EQ(config.attention_scale, 0.5f);
  EXPECT_EQ(config.vocab_size, kRows);
}

TEST(ModelConfigTest, EveryRequiredKeyIsNamedWhenMissing) {
  for (const auto& [key, value] : SmallModel().ints) {
    SmallModel model;
    model.ints.erase(key);
    ExpectRefused(model, Code::kDataLoss, key);
  }
  SmallModel model;
  model.floats.clear();
  ExpectRefused(model, Code::kDataLoss, "layer_norm_rms_epsilon");
  model.strings.clear();
  ExpectRefused(model, Code::kDataLoss, "general.architecture");
}

TEST(ModelConfigTest, EverySizeHasARange) {
  for (const auto& [key, value] : SmallModel().ints) {
    for (const std::uint32_t wrong : {0u, ~0u}) {
      SmallModel model;
      model.ints[key] = wrong;
      ExpectRefused(model, Code::kDataLoss, key);
    }
  }
  const std::pair<const char*, std::uint32_t> wrong[] = {
      {"llama.attention.head_count_kv", 0},    {"llama.attention.head_count_kv", 3},
      {"llama.attention.key_length", 1 << 20}, {"llama.rope.dimension_count", 3},
      {"llama.rope.dimension_count", 6},       {"llama.rope.freq_base", 0}};
  for (const auto& [key, value] : wrong) {
    SmallModel model;
    model.ints[key] = value;
    ExpectRefused(model, Code::kDataLoss, std::string(key).substr(6));
  }
}

TEST(ModelConfigTest, PerLayerHeadsMustAgree) {
  SmallModel model;
  model.arrays["llama.attention.head_count_kv"] = {1};
  EXPECT_EQ(model.Config().num_kv_heads, 1);
  model.arrays["llama.attention.head_count_kv"] = {1, 1, 1};
  ExpectRefused(model, Code::kDataLoss, "3 values for 1 layers");
  model.ints["llama.block_count"] = 2;
  model.arrays["llama.attention.head_count_kv"] = {1, 2};
  ExpectRefused(model, Code::kUnsupported, "head_count_kv");
}

TEST(ModelConfigTest, WhatIsNotBuiltIsRefusedByName) {
  SmallModel model;
  model.strings["general.architecture"] = "mamba";
  ExpectRefused(model, Code::kUnsupported, "'mamba'");
  for (const std::string scaling : {"longrope", "dynamic", ""}) {
    model = SmallModel();
    model.strings["llama.rope.scaling.type"] = scaling;
    ExpectRefused(model, Code::kUnsupported, "rope.scaling.type");
  }
  for (const char* key : {"llama.expert_count", "llama.attention.value_length"}) {
    model = SmallModel();
    model.ints[key] = 8;
    ExpectRefused(model, Code::kUnsupported, key);
  }
}

TEST(ModelConfigTest, WhatChangesTheMathIsRefusedByName) {
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping", "logit_scale",
                          "embedding_scale", "residual_scale", "attention.clamp_kqv"}) {
    SmallModel model;
    model.floats[std::string("llama.") + key] = 30.0F;
    ExpectRefused(model, Code::kUnsupported, key);
  }
  SmallModel neutral;
  neutral.floats["llama.logit_scale"] = 1.0F;
  neutral.floats["llama.attn_logit_softcapping"] = 0.0F;
  EXPECT_EQ(neutral.Config().context_length, 64);
}

TEST(ModelConfigTest, SlidingWindowBoundsTheContext) {
  SmallModel model;
  model.ints["llama.attention.sliding_window"] = 32;
  EXPECT_EQ(model.Config().context_length, 32);
  model.ints["llama.attention.sliding_window"] = 4096;
  EXPECT_EQ(model.Config().context_length, 64);
}

TEST(ModelConfigTest, EveryTensorIsNamedWhenMissingOrMisshapen) {
  for (const auto& [name, shape] : SmallModel().tensors) {
    SmallModel model;
    model.tensors.erase(name);
    ExpectRefused(model, Code::kDataLoss, "'" + name + "'");
    model.tensors[name] = {shape.first + 1, shape.second};
    if (name != "token_embd.weight") ExpectRefused(model, Code::kDataLoss, "'" + name + "'");
    model.tensors[name] = {shape.first, shape.second + 1};
    ExpectRefused(model, Code::kDataLoss, "'" + name + "'");
  }
}

TEST(ModelConfigTest, TensorWithoutAPlaceIsRefused) {
  SmallModel model;
  model.tensors["blk.0.ffn_gate_inp.weight"] = {2, kHidden};
  ExpectRefused(model, Code::kUnsupported, "'blk.0.ffn_gate_inp.weight'");
  model = SmallModel();
  model.tensors["blk.1.attn_q.weight"] = {kHidden, kHidden};
  ExpectRefused(model, Code::kUnsupported, "'blk.1.attn_q.weight'");
  model = SmallModel();  // a rope factor of 0 would divide by it
  model.tensors["rope_freqs.weight"] = {1, 2};
  ExpectRefused(model, Code::kDataLoss, "'rope_freqs.weight'");
}

TEST(ModelConfigTest, VocabularyMustHaveTheEmbeddingsLength) {
  const SmallModel model;
  GgufWriter writer;
  writer.SetString("general.architecture", "llama");
  for (const auto& [key, value] : model.ints) writer.SetInt(key, value);
  for (const auto& [key, value] : model.floats) writer.SetFloat(key, value);
  writer.SetStrings("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
  writer.AddTensor("token_embd.weight", DType::kF32, {kHidden, kRows},
                   std::string(kHidden * kRows * 4, '\0'));
  const Status status = ReadConfig(*Gguf::FromMemory(writer.Finish()).value()).status();
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("2 tokens, but 'token_embd.weight' has 5 rows"));
}

}  // namespace
}  // namespace espalier
