// AnswerShape: how one API words what an exchange's requests produced, whole or as a
// stream of server-sent events.
//
// Thread safety: io thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "kernels/base/status.h"
#include "runtime/api/request_run.h"

namespace espalier {

using Runs = std::vector<std::unique_ptr<RequestRun>>;

class AnswerShape {
 public:
  virtual ~AnswerShape() = default;

  // The body, once all are done; or what is wrong with what they gave.
  virtual Result<nlohmann::ordered_json> Whole(const Runs& runs) = 0;

  // What a piece of one request adds to the stream.
  struct News {
    std::string text;  // SSE events, each by AddEvent
    // Set: it says all that the last one of this number did, and may stand for that.
    std::optional<std::size_t> latest_of = {};
  };
  virtual News Piece(const RequestRun& run, std::size_t request,
                     const RequestRun::Piece& piece) = 0;
  // What comes after the last piece of all, before [DONE].
  virtual void End(const Runs& /*runs*/, std::string& /*stream*/) {}
};

// "data: <json>\n\n". Invalid UTF-8 in it becomes U+FFFD.
void AddEvent(const nlohmann::ordered_json& json, std::string& stream);

// The text of an answer's body, likewise.
std::string BodyText(const nlohmann::ordered_json& json);

}  // namespace espalier
