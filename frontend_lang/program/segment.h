// Segments: what a program appends to a prompt. A new primitive is one more struct
// here; the compiler then names each place that misses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend_lang/backend.h"

namespace espalier::program {

struct TextSegment {
  std::string text;
};

struct GenSegment {
  std::string name;  // of the variable; empty: none
  GenOptions options;
  // How the model marks its reasoning (reasoning.h), which then goes into the variable
  // <name>_reasoning_content and not into the prompt. Empty: nothing is separated.
  std::string reasoning;
};

enum class ChoicesMethod { kTokenLengthNormalized, kGreedyTokenSelection, kUnconditional };

struct SelectSegment {
  std::string name;
  std::vector<std::string> choices;  // not empty
  ChoicesMethod method = ChoicesMethod::kTokenLengthNormalized;
};

struct RoleBegin {
  std::string role;  // "system", "user", "assistant"
};
struct RoleEnd {
  std::string role;
};

struct ScopeBegin {  // the text from here to the matching end becomes a variable
  std::string name;
};
struct ScopeEnd {
  std::string name;
};

struct ForkSegment {  // children that begin where the parent is when it gets here
  std::vector<class PromptState*> children;
};

using Segment = std::variant<TextSegment, GenSegment, SelectSegment, RoleBegin, RoleEnd, ScopeBegin,
                             ScopeEnd, ForkSegment>;

// What a segment occupies, its texts included.
std::int64_t SizeBytes(const Segment& segment);

}  // namespace espalier::program
