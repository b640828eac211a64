#include "runtime/local/model_file.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "runtime/model/registry.h"

namespace espalier {
namespace {

constexpr const char* kDefaultModel = "SmolLM2-135M-Instruct.Q4_1.gguf";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

Result<std::shared_ptr<const Gguf>> OpenDefault() {
  if (Environment("ESPALIER_CACHE").empty() && Environment("HOME").empty()) {
    return Status(
        Code::kNotFound,
        "the default model is kept where HOME or ESPALIER_CACHE says, and neither is set; "
        "pass --model FILE.gguf");
  }
  const std::string path = DefaultModelPath();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Status(Code::kNotFound,
                  fmt::format("the default model is not at {}; run ./espalier once, which gets it, "
                              "or pass --model FILE.gguf",
                              path));
  }
  return Gguf::Open(path);
}

}  // namespace

std::string DefaultModelPath() {
  std::string cache = Environment("ESPALIER_CACHE");
  if (cache.empty()) cache = Environment("HOME") + "/.cache/espalier";
  return cache + "/models/" + kDefaultModel;
}

Result<std::shared_ptr<const Gguf>> OpenModelFile(const std::string& model) {
  if (model.empty()) return OpenDefault();
  if (model == "tiny") return Gguf::FromMemory(TinyModelGguf());
  std::error_code error;
  if (std::filesystem::is_directory(model, error)) {
    return Status(Code::kUnsupported,
                  fmt::format("--model {}: folders of safetensors are not in this version; pass a "
                              "GGUF file",
                              model));
  }
  if (!std::filesystem::exists(model, error)) {
    return Status(Code::kNotFound, fmt::format("--model {}: there is no such file", model));
  }
  return Gguf::Open(model);
}

std::string ModelName(const std::string& model) {
  return std::filesystem::path(model.empty() ? kDefaultModel : model).stem().string();
}

}  // namespace espalier
