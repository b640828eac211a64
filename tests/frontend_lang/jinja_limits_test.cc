// Templates that ask for more than a render may take end in a limit error.
#include <gtest/gtest.h>

#include <string>

#include "frontend_lang/chat/chat_template.h"

namespace espalier {
namespace {

Result<std::string> Render(const std::string& text, const jinja::RenderLimits& limits = {}) {
  const Result<ChatTemplate> compiled = ChatTemplate::Compile(text);
  if (!compiled.ok()) return compiled.status();
  return compiled->Render(ChatInput{.now = std::tm{}}, limits);
}

// `action` 2,000 times takes more than 200,000 steps: it pays for the size of its values.
void ExpectPaid(const std::string& before, const std::string& action) {
  jinja::RenderLimits limits;
  limits.values.max_steps = 200'000;
  const std::string text = before + "{% for i in range(2000) %}" + action + "{% endfor %}";
  EXPECT_EQ(Render(text, limits).status().code(), Code::kLimit) << text;
}

void ExpectLimit(const std::string& text) {
  EXPECT_EQ(Render(text).status().code(), Code::kLimit) << text.substr(0, 200);
}

TEST(JinjaLimits, IntegersStaySmall) {
  ExpectLimit(
      "{% set ns = namespace(x=3) %}{% for i in range(30) %}{% set ns.x = ns.x * ns.x %}"
      "{% endfor %}");
  ExpectLimit("{{ 2 ** 100000000 }}");
  ExpectLimit("{{ 3 ** (2 ** 80) }}");
  ExpectLimit("{{ ('f' * 100000) | int(0, 16) }}");
  EXPECT_EQ(Render("{{ 10 ** 9999 % 7 }}{{ 1 ** (2 ** 80) }}{{ (-1) ** 3 }}").value(), "61-1");
}

TEST(JinjaLimits, WorkOnLargeValuesIsPaidByItsSize) {
  ExpectPaid("{% set x = 2 ** 30000 %}", "{% set y = x * x %}");
  ExpectPaid("{% set x = 2 ** 60000 %}", "{% set y = x // 3 ** 15000 %}");
  ExpectPaid("{% set x = 'a' * 5000000 %}", "{% set y = x | e %}");
  ExpectPaid("{% set x = '1' * 20000000 %}", "{% set y = x | int %}");
  ExpectPaid("{% set x = 'a ' * 5000000 %}", "{% set y = x | wordcount %}");
  ExpectPaid("{% set x = 'a ' * 5000000 %}", "{% set y = x ~ 1 %}");
  ExpectPaid("{% set x = 'a ' * 2000000 %}", "{% set y = x | tojson %}");
  ExpectPaid(
      "{% set x = range(100000) | list %}{% macro m() %}{{ varargs | length }}{% endmacro %}",
      "{% set y = m(*x) %}");
}

TEST(JinjaLimits, TextStaysWithinItsMemory) {
  const std::string doubling =
      "{% set ns = namespace(x='ab') %}{% for i in range(40) %}{% set ns.x = ns.x OP ns.x %}"
      "{% endfor %}";
  for (const std::string op : {"~", "+"}) {
    std::string text = doubling;
    text.replace(text.find("OP"), 2, op);
    ExpectLimit(text);
  }
  ExpectLimit("{{ [1] | batch(1000000000000, 0) | list }}");
  ExpectLimit("{{ [1] | slice(1000000000000) | list }}");
  ExpectLimit("{{ '%1000000000d' | format(5) }}");
  ExpectLimit("{{ 'x' | center(10 ** 12) }}");
  ExpectLimit("{{ ('a\n' * 100000) | indent(100000) }}");
}

}  // namespace
}  // namespace espalier
