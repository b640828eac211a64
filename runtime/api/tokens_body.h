// The bodies of /tokenize and /detokenize, in the words of vLLM, SGLang and llama.cpp.
//
// Source: the API references of the three.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "kernels/base/types.h"

namespace espalier {

struct TokenizeBody {
  std::vector<std::string> texts;  // empty: there are messages instead
  bool is_list = false;            // they came as a list
  bool add_special = true;         // a token of the text's beginning, where the model wants one
  bool parse_special = true;       // the names of special tokens in the text are those tokens
  // What stands beside the ids: nothing, each with its text (llama.cpp), or a list of texts.
  enum class Texts : unsigned char { kNone, kPieces, kList } show = Texts::kNone;
};

// kInvalidArgument or kUnsupported, with the field's name in front.
Result<TokenizeBody> ReadTokenizeBody(const nlohmann::ordered_json& body);

struct DetokenizeBody {
  std::vector<std::vector<TokenId>> lists;  // not empty
  bool is_list = false;                     // they came as a list of lists
  bool skip_special = false;
};

// As above; ids are from 0 to vocab_size - 1.
Result<DetokenizeBody> ReadDetokenizeBody(const nlohmann::ordered_json& body,
                                          std::int64_t vocab_size);

}  // namespace espalier
