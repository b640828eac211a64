#include "frontend_lang/chat/model_chat_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace espalier {
namespace {

struct Family {
  std::array<std::string_view, 2> words;  // all of them stand in the name, in lower case
  std::string_view format;
};

constexpr Family kFamilies[] = {
    {{"llama-3", "instruct"}, "llama-3-instruct"},
    {{"llama-2", "chat"}, "llama-2-chat"},
    {{"codellama", "instruct"}, "llama-2-chat"},
    {{"mistral", "instruct"}, "llama-2-chat"},
    {{"gemma", "it"}, "gemma-it"},
    {{"deepseek", "v3"}, "deepseek-v3"},
    {{"deepseek", "r1"}, "deepseek-v3"},
    {{"vicuna", ""}, "vicuna_v1.1"},
    {{"qwen", ""}, "chatml"},
    {{"smollm", "instruct"}, "chatml"},
    {{"yi-", "chat"}, "chatml"},
    {{"hermes", ""}, "chatml"},
};

}  // namespace

std::string_view ChatFormatOfModel(std::string_view model_name) {
  std::string name(model_name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Family& family : kFamilies) {
    if (std::all_of(family.words.begin(), family.words.end(), [&name](std::string_view word) {
          return name.find(word) != std::string::npos;
        })) {
      return family.format;
    }
  }
  return "default";
}

}  // namespace espalier
