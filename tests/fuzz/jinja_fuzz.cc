// Any bytes as a chat template, rendered over a small conversation under small limits:
// a text or an error, never a crash or a hang.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frontend_lang/chat/chat_template.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const espalier::Result<espalier::ChatTemplate> compiled = espalier::ChatTemplate::Compile(text);
  if (!compiled.ok()) return 0;
  espalier::ChatInput input{.add_generation_prompt = true, .bos_token = "<s>", .now = std::tm{}};
  input.now->tm_mday = 1;
  input.messages = {{{"role", "system"}, {"content", "Be brief."}},
                    {{"role", "user"}, {"content", "\u00fc"}},
                    {{"role", "assistant"}, {"content", nullptr}}};
  espalier::jinja::RenderLimits limits;
  limits.values.max_bytes = 16 << 20;
  limits.values.max_steps = 200'000;
  limits.max_output_bytes = 1 << 20;
  const auto result = compiled->Render(input, limits);
  return result.ok() && result.value().size() > (1u << 20) ? 1 : 0;
}
