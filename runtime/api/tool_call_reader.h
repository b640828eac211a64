// ToolCallReader: an output that calls tools, read as it comes: text, and calls whose
// arguments grow.
//
// What may be the beginning of a call is held back until it is one or is not. Pieces
// joined are the whole, however the output was cut.
//
// Thread safety: none on one object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/api/tool_format.h"

namespace espalier {

class ToolCallReader {
 public:
  struct Call {
    std::string name;
    std::string arguments;  // so far
  };
  // What a piece of output added.
  struct News {
    std::string text;
    struct Arguments {
      std::size_t call = 0;  // index in calls()
      bool begins = false;   // its name is new
      std::string arguments;
    };
    std::vector<Arguments> calls;
  };

  explicit ToolCallReader(const ToolFormat& format) : format_(format) {}

  News Feed(std::string_view piece);
  News Finish();  // the output has ended: what was held back is text

  const std::vector<Call>& calls() const { return calls_; }
  // Whether the last call is whole: its arguments have come to their end.
  bool last_is_whole() const { return place_ == Place::kBehind || place_ == Place::kText; }

 private:
  enum class Place : unsigned char { kText, kName, kArguments, kBehind };

  // Each takes from held_ what it can; false: more is needed.
  bool TakeText(News& news);
  bool TakeName(News& news);
  bool TakeArguments(News& news);
  bool TakeBehind();

  const ToolFormat& format_;
  Place place_ = Place::kText;
  std::string held_;
  std::string opening_;  // of the call whose name is being read: text, if it ends there
  std::vector<Call> calls_;
  // Of the arguments' JSON.
  int depth_ = 0;
  bool in_string_ = false, escaped_ = false;
};

}  // namespace espalier
