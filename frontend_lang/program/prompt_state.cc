#include "frontend_lang/program/prompt_state.h"

#include <algorithm>

namespace espalier::program {

const lang::Value* PromptState::Find(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

void PromptState::Set(std::string_view name, lang::Value value) {
  const auto found = variables_.find(name);
  if (found != variables_.end()) {
    found->second = std::move(value);
    return;
  }
  names_.emplace_back(name);
  variables_.emplace(name, std::move(value));
}

const lang::Value* PromptState::Meta(std::string_view name) const {
  const auto found = meta_.find(name);
  return found == meta_.end() ? nullptr : &found->second;
}

bool PromptState::HadAtFork(std::string_view name) const {
  const auto end = names_.begin() + static_cast<std::ptrdiff_t>(num_names_at_fork_);
  return std::find(names_.begin(), end, name) != end;
}

}  // namespace espalier::program
