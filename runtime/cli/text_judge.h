// TextJudge: which whole texts a constraint accepts, decided byte by byte, with no
// tokenizer.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/constraint.h"
#include "grammar/matcher.h"
#include "kernels/base/status.h"

namespace espalier {

// One token a byte, one that ends a text, and special ones of these names.
std::shared_ptr<const Vocabulary> ByteVocabulary(std::vector<std::string> special = {});

class TextJudge {
 public:
  // `bytes`: ByteVocabulary(), made once by the caller. Errors are those of CompileGrammar.
  static Result<TextJudge> Make(const ConstraintSpec& spec,
                                std::shared_ptr<const Vocabulary> bytes);

  // Whether each byte of `text` may follow those before it, and the text may end behind the
  // last. Where the name of a special token stands in it, the longest, that token is meant.
  // kLimit: deciding it would take more than the limits allow.
  Result<bool> Accepts(std::string_view text) const;

 private:
  TextJudge(std::shared_ptr<const CompiledGrammar> grammar,
            std::shared_ptr<const Vocabulary> tokens);

  std::shared_ptr<const CompiledGrammar> grammar_;
  std::shared_ptr<const Vocabulary> tokens_;
};

// A schema, to be judged as written: any whitespace within bounds, members in any order.
ConstraintSpec SchemaToJudge(std::string_view schema);

}  // namespace espalier
