// TextJudge: which whole texts a constraint accepts, decided byte by byte, with no
// tokenizer.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/constraint.h"
#include "grammar/matcher.h"
#include "kernels/base/status.h"

namespace espalier {

// One token a byte, and one that ends a text.
std::shared_ptr<const Vocabulary> ByteVocabulary();

class TextJudge {
 public:
  // `bytes`: ByteVocabulary(), made once by the caller. Errors are those of CompileGrammar.
  static Result<TextJudge> Make(const ConstraintSpec& spec,
                                std::shared_ptr<const Vocabulary> bytes);

  // Whether each byte of `text` may follow those before it, and the text may end behind the
  // last. kLimit: deciding it would take more than the limits allow.
  Result<bool> Accepts(std::string_view text) const;

 private:
  explicit TextJudge(std::shared_ptr<const CompiledGrammar> grammar);

  std::shared_ptr<const CompiledGrammar> grammar_;
};

// A schema, to be judged as written: any whitespace within bounds, members in any order.
ConstraintSpec SchemaToJudge(std::string_view schema);

}  // namespace espalier
