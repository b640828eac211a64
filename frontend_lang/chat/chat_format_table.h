// The named chat formats: the pieces around a message of each role.
#pragma once

#include <span>
#include <string_view>

namespace espalier {

struct NamedChatFormat {
  struct Role {
    std::string_view before, after;
  };
  std::string_view name;
  std::string_view default_system;  // said before a first turn that is not system's
  Role system, user, assistant;
  std::string_view stop = "";  // what ends an answer, if it is not an end token
  // Llama 2: the system message stands inside the first user message.
  bool system_in_user = false;
};

inline constexpr NamedChatFormat kChatFormats[] = {
    {"default", "", {"SYSTEM:", "\n"}, {"USER:", "\n"}, {"ASSISTANT:", "\n"}},
    {"claude", "", {"", ""}, {"\n\nHuman: ", ""}, {"\n\nAssistant:", ""}, "\n\nHuman"},
    {"chatml",
     "",
     {"<|im_start|>system\n", "<|im_end|>\n"},
     {"<|im_start|>user\n", "<|im_end|>\n"},
     {"<|im_start|>assistant\n", "<|im_end|>\n"},
     "<|im_end|>"},
    {"qwen",
     "You are a helpful assistant.",
     {"<|im_start|>system\n", "<|im_end|>\n"},
     {"<|im_start|>user\n", "<|im_end|>\n"},
     {"<|im_start|>assistant\n", "<|im_end|>\n"},
     "<|im_end|>"},
    {"yi-1.5",
     "",
     {"", ""},
     {"<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"},
     {"", "<|im_end|>\n"},
     "<|im_end|>"},
    {"llama-3-instruct",
     "",
     {"<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"},
     {"<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"},
     {"<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"},
     "<|eot_id|>"},
    {"llama-4",
     "",
     {"<|header_start|>system<|header_end|>\n\n", "<|eot|>"},
     {"<|header_start|>user<|header_end|>\n\n", "<|eot|>"},
     {"<|header_start|>assistant<|header_end|>\n\n", "<|eot|>"},
     "<|eot|>"},
    {"llama-2-chat",
     "",
     {"<<SYS>>\n", "\n<</SYS>>\n\n"},
     {"[INST] ", " [/INST]"},
     {"", " </s><s>"},
     "",
     true},
    {"gemma-it",
     "",
     {"", ""},
     {"<start_of_turn>user\n", "<end_of_turn>\n"},
     {"<start_of_turn>model\n", "<end_of_turn>\n"}},
    {"c4ai-command-r",
     "",
     {"<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>", "<|END_OF_TURN_TOKEN|>"},
     {"<|START_OF_TURN_TOKEN|><|USER_TOKEN|>", "<|END_OF_TURN_TOKEN|>"},
     {"<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"}},
    {"granite-3-instruct",
     "",
     {"<|start_of_role|>system<|end_of_role|>", "<|end_of_text|>"},
     {"<|start_of_role|>user<|end_of_role|>", "<|end_of_text|>"},
     {"<|start_of_role|>assistant<|end_of_role|>", "<|end_of_text|>"},
     "<|end_of_text|>"},
    {"deepseek-v3",
     "",
     {"", ""},
     {"<\uFF5CUser\uFF5C>", ""},
     {"<\uFF5CAssistant\uFF5C>", "<\uFF5Cend\u2581of\u2581sentence\uFF5C>"},
     "<\uFF5Cend\u2581of\u2581sentence\uFF5C>"},
    {"vicuna_v1.1",
     "A chat between a curious user and an artificial intelligence assistant. "
     "The assistant gives helpful, detailed, and polite answers to the user's questions.",
     {"", " "},
     {"USER:", " "},
     {"ASSISTANT:", "</s>"}},
};

}  // namespace espalier
