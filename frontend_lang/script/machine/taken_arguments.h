// TakenArguments: the arguments of one built-in call, taken off the stack, which the call may
// grow.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "frontend_lang/script/machine/value_stack.h"
#include "frontend_lang/script/values/host.h"

namespace espalier::script {

class TakenArguments {
 public:
  // The keywords' values stand behind the positional ones; null: there are none.
  TakenArguments(ValueStack& values, std::size_t num_positional,
                 const std::vector<std::string>* keywords) {
    const std::size_t num_keywords = keywords == nullptr ? 0 : keywords->size();
    const std::size_t count = num_positional + num_keywords;
    Value* to = few_.data();
    if (count > few_.size()) {
      many_.resize(count);
      to = many_.data();
    }
    Value* const begin = values.end() - count;
    std::move(begin, values.end(), to);
    values.erase(begin, values.end());
    positional_ = {to, num_positional};
    for (std::size_t i = 0; i < num_keywords; ++i) {
      keywords_.push_back({(*keywords)[i], std::move(to[num_positional + i])});
    }
  }

  Args args() const { return {positional_, keywords_}; }

 private:
  std::array<Value, 4> few_;
  std::vector<Value> many_;
  std::span<const Value> positional_;
  std::vector<lang::Keyword> keywords_;
};

}  // namespace espalier::script
