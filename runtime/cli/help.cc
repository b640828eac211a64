#include "runtime/cli/help.h"

#include <fmt/format.h>

namespace espalier {

std::string HelpFormatter::make_usage(const CLI::App* app, std::string /*name*/) const {
  std::string usage = "\nusage: " + app->get_name() + " [FLAGS]";
  for (const CLI::Option* option : app->get_options()) {
    if (!option->get_positional()) continue;
    usage += option->get_required() ? fmt::format(" {}", option->get_name(true))
                                    : fmt::format(" [{}]", option->get_name(true));
  }
  return usage + "\n";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_items_expected_max() == 0) return "";
  return " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  const std::string value = option->get_default_str();
  const bool has_default = !value.empty() && value != "\"\"" && value != "[]" && value != "{}" &&
                           option->get_items_expected_max() != 0;
  return option->get_description() + (has_default ? fmt::format(" [{}]", value) : "");
}

}  // namespace espalier
