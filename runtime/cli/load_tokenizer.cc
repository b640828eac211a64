#include "runtime/cli/load_tokenizer.h"

#include "runtime/cli/read_file.h"
#include "runtime/local/model_file.h"
#include "runtime/tokenizer/load.h"

namespace espalier {

Result<std::shared_ptr<const Tokenizer>> LoadTokenizer(const std::string& path) {
  if (path.ends_with(".json")) {
    ESP_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
    return OfModelFile(path, TokenizerFromJson(text));
  }
  ESP_ASSIGN_OR_RETURN(const auto gguf, OpenModelFile(path));
  return OfModelFile(path, TokenizerFromGguf(*gguf));
}

}  // namespace espalier
