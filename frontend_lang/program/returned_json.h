// ReturnedJson: what a program gave, as JSON.
//
//   1. None, bools, numbers, strings, lists, tuples and dicts are as json.dumps writes them;
//      the keys of a dict are texts.
//   2. A state is {"variables": {...}, "text": "..."}; a variable without a value is null.
//   3. What has no JSON form is its repr: an object, a set, what lies within itself or deeper
//      than kMaxDepth.
//
// Each part is a Step, and all of it counts as memory: a value that holds one list many
// times is written out many times. Fails where a limit is reached, and with what a
// __repr__ or __str__ of the program raises.
//
// Thread safety: none; one thread a Host.
#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/program/prompt_state.h"
#include "frontend_lang/script/values/host.h"

namespace espalier::program {

class ReturnedJson {
 public:
  static constexpr std::size_t kMaxDepth = 100;

  using Json = nlohmann::ordered_json;

  explicit ReturnedJson(lang::Host& host) : host_(host) {}

  lang::Outcome<Json> Of(const lang::Value& value);
  lang::Outcome<Json> VariablesOf(const PromptState& state);

 private:
  lang::Outcome<Json> OfParts(const lang::Value& value);
  lang::Outcome<Json> OfDict(const lang::Value& dict);
  lang::Outcome<Json> OfLeaf(const lang::Value& value);
  lang::Outcome<Json> ReprOf(const lang::Value& value);
  lang::Fault Count(std::size_t size_bytes);

  lang::Host& host_;
  std::int64_t size_bytes_ = 0;             // of all that was made
  std::vector<const lang::Object*> above_;  // what the value lies in
};

}  // namespace espalier::program
