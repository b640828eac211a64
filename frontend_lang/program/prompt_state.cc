#include "frontend_lang/program/prompt_state.h"

namespace espalier::program {
namespace {

constexpr std::size_t kNodeBytes = 64;  // of a map, about

}  // namespace

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
  names_bytes_ += static_cast<std::int64_t>(2 * (sizeof(std::string) + name.size()) + kNodeBytes);
  names_.emplace_back(name);
  variables_.emplace(name, std::move(value));
}

void PromptState::SetMeta(const std::string& name, lang::Value meta) {
  const bool is_new = meta_.insert_or_assign(name, std::move(meta)).second;
  if (is_new) meta_bytes_ += static_cast<std::int64_t>(name.size() + kNodeBytes);
}

const lang::Value* PromptState::Meta(std::string_view name) const {
  const auto found = meta_.find(name);
  return found == meta_.end() ? nullptr : &found->second;
}

std::string_view PromptState::partial_name() const {
  const auto* gen = running_ ? std::get_if<GenSegment>(&running_->segment) : nullptr;
  return gen == nullptr ? std::string_view() : std::string_view(gen->name);
}

std::int64_t PromptState::SizeBytes() const {
  return static_cast<std::int64_t>(sizeof *this + text_.size() - fork_start_ + partial().size()) +
         pending_bytes_ + messages_bytes_ + names_bytes_ + meta_bytes_;
}

std::int64_t PromptState::ForkBytes() const {
  return static_cast<std::int64_t>(sizeof *this) + messages_bytes_ + names_bytes_ + meta_bytes_;
}

}  // namespace espalier::program
