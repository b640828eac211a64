// Gguf: what a valid file says is what is read, and every way a file can lie is a
// Status that names the liar.
#include "runtime/model/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "runtime/model/gguf_writer.h"
#include "runtime/model/registry.h"
#include "tests/support/paths.h"
#include "tests/support/scratch_folder.h"

namespace espalier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
std::string Raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}
std::string Text(std::string_view text) {
  return Raw<std::uint64_t>(text.size()) + std::string(text);
}
std::string Key(std::string_view key, std::uint32_t type) { return Text(key) + Raw(type); }

std::string Header(std::uint64_t tensors, std::uint64_t entries) {
  return "GGUF" + Raw<std::uint32_t>(3) + Raw(tensors) + Raw(entries);
}

struct RawTensor {
  std::string name = "t";
  std::vector<std::uint64_t> dims = {32};
  std::uint32_t type = 0;  // f32
  std::uint64_t offset = 0;
};

std::string TensorEntry(const RawTensor& t) {
  std::string out = Text(t.name) + Raw(static_cast<std::uint32_t>(t.dims.size()));
  for (const std::uint64_t dim : t.dims) out += Raw(dim);
  return out + Raw(t.type) + Raw(t.offset);
}

std::string WithTensors(const std::vector<RawTensor>& tensors, std::size_t data_bytes) {
  std::string out = Header(tensors.size(), 0);
  for (const RawTensor& tensor : tensors) out += TensorEntry(tensor);
  out.resize((out.size() + 31) / 32 * 32 + data_bytes);
  return out;
}

Status Load(std::string image) { return Gguf::FromMemory(std::move(image)).status(); }

void ExpectRefused(std::string image, Code code, const std::string& message) {
  const Status status = Load(std::move(image));
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_THAT(status.message(), HasSubstr(message));
}

std::shared_ptr<const Gguf> SmallFile() {
  GgufWriter writer;
  writer.SetString("general.architecture", "llama");
  writer.SetInt("count", 7);
  writer.SetFloat("ratio", 0.5f);
  writer.SetBool("flag", true);
  writer.SetStrings("words", std::vector<std::string>{"a", "", "c"});
  writer.SetInts("numbers", std::vector<std::int32_t>{-1, 2});
  writer.SetFloats("scores", std::vector<float>{1.5f});
  writer.AddTensor("second", DType::kQ8_0, {32, 3}, std::string(3 * 34, 'b'));
  writer.AddTensor("first", DType::kF32, {4, 2, 3}, std::string(24 * 4, 'a'));
  return Gguf::FromMemory(writer.Finish()).value();
}

TEST(GgufTest, ReadsMetadataOfEveryKind) {
  const auto gguf = SmallFile();
  EXPECT_EQ(gguf->GetString("general.architecture")->value(), "llama");
  EXPECT_EQ(gguf->GetInt("count")->value(), 7);
  EXPECT_EQ(gguf->GetFloat("ratio")->value(), 0.5);
  EXPECT_TRUE(gguf->GetBool("flag")->value());
  EXPECT_THAT(gguf->GetStrings("words")->value(), ElementsAre("a", "", "c"));
  EXPECT_THAT(gguf->GetInts("numbers")->value(), ElementsAre(-1, 2));
  EXPECT_THAT(gguf->GetInts("count")->value(), ElementsAre(7));
  EXPECT_THAT(gguf->GetFloats("scores")->value(), ElementsAre(1.5f));
  EXPECT_FALSE(gguf->GetInt("absent")->has_value());
}

TEST(GgufTest, ValueOfAnotherTypeNamesItsKey) {
  const auto gguf = SmallFile();
  EXPECT_THAT(gguf->GetInt("words").status().message(), HasSubstr("'words'"));
  EXPECT_THAT(gguf->GetString("count").status().message(), HasSubstr("'count'"));
  EXPECT_THAT(gguf->GetStrings("numbers").status().message(), HasSubstr("'numbers'"));
  EXPECT_THAT(gguf->GetInts("words").status().message(), HasSubstr("at index 0"));
  EXPECT_THAT(gguf->GetFloats("words").status().message(), HasSubstr("'words'"));
  EXPECT_THAT(gguf->GetBool("count").status().message(), HasSubstr("'count'"));
}

TEST(GgufTest, IntegersOfAnyWidthConvertWhereTheyFit) {
  const std::string image = Header(0, 4) + Key("u8", 0) + Raw<std::uint8_t>(200) + Key("i16", 3) +
                            Raw<std::int16_t>(-5) + Key("u64", 10) + Raw<std::uint64_t>(1) +
                            Key("huge", 10) + Raw(~std::uint64_t{0});
  const auto gguf = Gguf::FromMemory(image).value();
  EXPECT_EQ(gguf->GetInt("u8")->value(), 200);
  EXPECT_EQ(gguf->GetInt("i16")->value(), -5);
  EXPECT_EQ(gguf->GetInt("u64")->value(), 1);
  EXPECT_EQ(gguf->GetInt("huge").status().code(), Code::kDataLoss);
}

TEST(GgufTest, TensorsAreViewsFoldedIntoRows) {
  const auto gguf = SmallFile();
  ASSERT_EQ(gguf->tensors().size(), 2u);
  const Gguf::Tensor* first = gguf->FindTensor("first");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->view.columns, 4);
  EXPECT_EQ(first->view.rows, 6);
  EXPECT_THAT(first->dims, ElementsAre(4, 2, 3));
  EXPECT_EQ(*static_cast<const char*>(first->view.data), 'a');
  const Gguf::Tensor* second = gguf->FindTensor("second");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->view.dtype, DType::kQ8_0);
  EXPECT_EQ(static_cast<const char*>(second->view.data)[3 * 34 - 1], 'b');
  EXPECT_EQ(gguf->FindTensor("third"), nullptr);
}

TEST(GgufTest, EveryTruncationIsRefused) {
  const std::string image(SmallFile()->bytes());
  for (std::size_t size = 0; size < image.size(); ++size) {
    EXPECT_EQ(Load(image.substr(0, size)).code(), Code::kDataLoss) << size;
  }
}

TEST(GgufTest, ForeignFilesAreRefused) {
  ExpectRefused("", Code::kDataLoss, "not a GGUF file");
  ExpectRefused("PK\x03\x04 something", Code::kDataLoss, "not a GGUF file");
  const auto rest = std::string(16, '\0');
  ExpectRefused("GGUF" + Raw<std::uint32_t>(1) + rest, Code::kUnsupported, "version 1");
  ExpectRefused("GGUF" + Raw<std::uint32_t>(4) + rest, Code::kUnsupported, "version 4");
  ExpectRefused("GGUF" + Raw<std::uint32_t>(3u << 24) + rest, Code::kUnsupported, "big-endian");
  EXPECT_TRUE(Load("GGUF" + Raw<std::uint32_t>(2) + rest).ok());
}

TEST(GgufTest, CountsOverTheLimitsAreRefused) {
  const std::uint64_t huge = std::uint64_t{1} << 62;
  ExpectRefused(Header(huge, 0), Code::kDataLoss, "tensors");
  ExpectRefused(Header(0, huge), Code::kDataLoss, "metadata entries");
  ExpectRefused(Header(9, 0), Code::kDataLoss, "tensor 0");
  ExpectRefused(Header(0, 9), Code::kDataLoss, "metadata entry 0");
  ExpectRefused(Header(0, 1) + Raw(huge) + "key", Code::kDataLoss, "metadata entry 0");
  ExpectRefused(Header(0, 1) + Key("k", 8) + Raw(huge), Code::kDataLoss, "'k'");
  for (const std::uint64_t length : {huge, std::uint64_t{1000}}) {
    for (const std::uint32_t type : {0u, 4u, 8u, 12u}) {
      ExpectRefused(Header(0, 1) + Key("k", 9) + Raw(type) + Raw(length), Code::kDataLoss, "'k'");
    }
  }
}

TEST(GgufTest, UnknownTypesAreRefused) {
  ExpectRefused(Header(0, 1) + Key("k", 13) + Raw(0), Code::kDataLoss, "unknown value type");
  ExpectRefused(Header(0, 1) + Key("k", 9) + Raw(99) + Raw<std::uint64_t>(0), Code::kDataLoss,
                "array of an unknown type");
  ExpectRefused(WithTensors({{.name = "blk.0.x", .type = 10}}, 128), Code::kUnsupported,
                "'blk.0.x' has type id 10");
}

TEST(GgufTest, ArraysNestToALimit) {
  const auto nested = [](int depth) {
    std::string image = Header(0, 1) + Key("k", 9);
    for (int i = 1; i < depth; ++i) image += Raw(9) + Raw<std::uint64_t>(1);
    return image + Raw(4) + Raw<std::uint64_t>(0);
  };
  EXPECT_TRUE(Load(nested(4)).ok());
  ExpectRefused(nested(5), Code::kDataLoss, "too deep");
  ExpectRefused(nested(100000), Code::kDataLoss, "too deep");
}

TEST(GgufTest, DuplicatesAreRefused) {
  const std::string entry = Key("twice", 7) + '\1';
  ExpectRefused(Header(0, 2) + entry + entry, Code::kDataLoss, "'twice' stands twice");
  ExpectRefused(WithTensors({{.name = "a"}, {.name = "a", .offset = 128}}, 256), Code::kDataLoss,
                "'a' stands twice");
}

TEST(GgufTest, BadNamesAreRefused) {
  for (const std::string& name : {std::string(), std::string(65, 'n'), std::string("a\nb"),
                                  std::string("a\0b", 3), std::string("\xff")}) {
    ExpectRefused(WithTensors({{.name = name}}, 128), Code::kDataLoss, "tensor 0");
  }
  ExpectRefused(Header(0, 1) + Key("", 7) + '\1', Code::kDataLoss, "metadata entry 0");
}

TEST(GgufTest, ImpossibleShapesAreRefused) {
  const std::uint64_t big = (std::uint64_t{1} << 42) + 1;
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {}, {1, 1, 1, 1, 1}, {0}, {4, 0}, {~std::uint64_t{0}}, {big, big}, {1u << 31, 1u << 31, 4}};
  for (const auto& dims : shapes) {
    ExpectRefused(WithTensors({{.name = "shape", .dims = dims}}, 128), Code::kDataLoss, "'shape'");
  }
  // 2^42 + 1 elements a side overflow only as bytes.
  ExpectRefused(WithTensors({{.dims = {std::uint64_t{1} << 61}}}, 128), Code::kDataLoss, "'t'");
  ExpectRefused(WithTensors({{.dims = {33}, .type = 8}}, 128), Code::kDataLoss, "block of q8_0");
}

TEST(GgufTest, TensorsLieInsideTheFileAndApart) {
  EXPECT_TRUE(Load(WithTensors({{.name = "a"}, {.name = "b", .offset = 128}}, 256)).ok());
  ExpectRefused(WithTensors({{.name = "out"}}, 127), Code::kDataLoss, "'out' reaches past");
  ExpectRefused(WithTensors({{.offset = ~std::uint64_t{31}}}, 128), Code::kDataLoss, "'t'");
  ExpectRefused(WithTensors({{.offset = 4}}, 256), Code::kDataLoss, "alignment 32");
  ExpectRefused(WithTensors({{.name = "a"}, {.name = "b", .offset = 96}}, 256), Code::kDataLoss,
                "'b' overlaps tensor 'a'");
}

TEST(GgufTest, AlignmentIsAPowerOfTwo) {
  const auto with = [](std::uint32_t value) {
    return Header(0, 1) + Key("general.alignment", 4) + Raw(value);
  };
  EXPECT_TRUE(Load(with(8)).ok());
  for (const std::uint32_t value : {0u, 1u, 24u, 1u << 20, ~0u}) {
    ExpectRefused(with(value), Code::kDataLoss, "'general.alignment'");
  }
  ExpectRefused(Header(0, 1) + Key("general.alignment", 8) + Text("32"), Code::kDataLoss,
                "'general.alignment'");
}

TEST(GgufTest, SplitFilesAreRefusedByName) {
  ExpectRefused(Header(0, 1) + Key("split.count", 2) + Raw<std::uint16_t>(3), Code::kUnsupported,
                "split.count");
  EXPECT_TRUE(Load(Header(0, 1) + Key("split.count", 2) + Raw<std::uint16_t>(1)).ok());
}

TEST(GgufTest, OpenNamesThePath) {
  const test::ScratchFolder scratch;
  const std::string& folder = scratch.path();
  const Status absent = Gguf::Open(folder + "/no_such.gguf").status();
  EXPECT_EQ(absent.code(), Code::kNotFound);
  EXPECT_THAT(absent.message(), HasSubstr("no_such.gguf"));
  EXPECT_EQ(Gguf::Open(folder).status().code(), Code::kInvalidArgument);
  const std::string path = folder + "/gguf_test_file.gguf";
  std::ofstream(path) << "";
  EXPECT_THAT(Gguf::Open(path).status().message(), HasSubstr("gguf_test_file.gguf: is not a GGUF"));
  std::ofstream(path, std::ios::binary) << SmallFile()->bytes();
  EXPECT_EQ(Gguf::Open(path).value()->GetInt("count")->value(), 7);
}

TEST(GgufTest, LargeVocabularyIsIndexedInPlace) {
  GgufWriter writer;
  writer.SetStrings("tokens", std::vector<std::string>(150000, "token"));
  const auto gguf = Gguf::FromMemory(writer.Finish()).value();
  const auto tokens = gguf->GetStrings("tokens").value().value();
  ASSERT_EQ(tokens.size(), 150000u);
  EXPECT_GE(tokens.back().data(), gguf->bytes().data());
  EXPECT_LT(tokens.back().data(), gguf->bytes().data() + gguf->bytes().size());
}

TEST(GgufTest, ReadsTheDefaultModel) {
  ESP_NEEDS_MODEL();
  const auto gguf = Gguf::Open(test::DefaultModelPath()).value();
  EXPECT_EQ(gguf->GetString("general.architecture")->value(), "llama");
  EXPECT_EQ(gguf->GetInt("llama.block_count")->value(), 30);
  EXPECT_EQ(gguf->GetStrings("tokenizer.ggml.tokens")->value().size(), 49152u);
  ASSERT_NE(gguf->FindTensor("token_embd.weight"), nullptr);
  EXPECT_EQ(gguf->FindTensor("token_embd.weight")->view.rows, 49152);
}

TEST(TinyModelTest, IsAValidFileAndTheSameEachTime) {
  const std::string image = TinyModelGguf();
  EXPECT_EQ(image, TinyModelGguf());
  const auto gguf = Gguf::FromMemory(image).value();
  const auto tokens = gguf->GetStrings("tokenizer.ggml.tokens").value().value();
  ASSERT_EQ(tokens.size(), 259u);
  EXPECT_EQ(tokens['a'], "a");
  EXPECT_EQ(tokens[' '], "\xc4\xa0");  // U+0120
  EXPECT_EQ(gguf->FindTensor("output.weight")->view.rows, 259);
  EXPECT_LT(image.size(), 300000u);
}

}  // namespace
}  // namespace espalier
