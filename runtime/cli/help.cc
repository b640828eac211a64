#include "runtime/cli/help.h"

#include <utility>

#include <fmt/format.h>

namespace espalier {

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string help;
  for (const char c : CLI::Formatter::make_help(app, std::move(name), mode)) {
    if (c != '\n' || !help.ends_with("\n\n")) help += c;  // one empty line between groups
  }
  return help;
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string /*name*/) const {
  std::string usage = "\nusage: " + app->get_name() + " [FLAGS]";
  for (const CLI::Option* option : app->get_options()) {
    if (!option->get_positional()) continue;
    usage += option->get_required() ? fmt::format(" {}", option->get_name(true))
                                    : fmt::format(" [{}]", option->get_name(true));
  }
  return usage + "\n";
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  return name.substr(0, name.find('{'));  // without the value of a flag's negation
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_items_expected_max() == 0) return "";
  return " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string value = option->get_default_str();
  if (value.size() > 2 && value.starts_with("[")) value = value.substr(1, value.size() - 2);
  const bool has_default = !value.empty() && value != "\"\"" && value != "[]" && value != "{}" &&
                           option->get_items_expected_max() != 0;
  return option->get_description() + (has_default ? fmt::format(" [{}]", value) : "");
}

}  // namespace espalier
