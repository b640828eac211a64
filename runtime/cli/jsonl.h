// The offline batch mode: a request a line in, a result a line out, in input order.
//
// Lines are read as they come and run all at once, up to a window of lines and bytes
// that bounds memory however long the input is: a line counts with what its result may
// come to, and then with its result, until that is written. What the engine's queue has no
// room for waits and is never dropped. A line that fails becomes {"error": ...} in its
// place, with its number in the message, and stops nothing else.
//
// Thread safety: main thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "kernels/base/status.h"
#include "runtime/api/request_line.h"
#include "runtime/api/request_run.h"
#include "runtime/cli/line_reader.h"
#include "runtime/cli/openai_batch.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/totals.h"
#include "runtime/local/engine_client.h"

namespace espalier {

class JsonlRun {
 public:
  static constexpr std::size_t kMaxLines = 2048;                    // in the window
  static constexpr std::size_t kMaxBytes = std::size_t{128} << 20;  // of those and their results

  JsonlRun(EngineClient& client, LineReader& input, LineDefaults defaults, std::uint64_t seed);

  // Until all results are written. Fails if the input cannot be read or stdout not be
  // written; lines that failed are counted in totals().
  Status Run();

  const Totals& totals() const { return totals_; }

 private:
  struct Line {
    std::int64_t number = 0;           // in the input
    std::size_t size_bytes = 0;        // its part of window_bytes_
    std::optional<OpenAiLine> openai;  // a line of an OpenAI batch file
    std::unique_ptr<RequestRun> run;   // while it is under way
    std::string result;                // the line to write, once it is done
  };

  bool HasRoom() const { return lines_.size() < kMaxLines && window_bytes_ < kMaxBytes; }
  Status Step();
  Status StartLines();
  void Resize(Line& line, std::size_t size_bytes);
  void StartLine(const LineReader::Line& text);
  Result<LineRequest> Parse(const LineReader::Line& text, Line& line);
  Status ReserveResult(const LineRequest& request, Line& line);
  void Finish(Line& line);
  nlohmann::ordered_json Answer(const Line& line, const RequestRun& run) const;
  void Fail(Line& line, const Status& status);
  void SetResult(Line& line, const nlohmann::ordered_json& result);
  Status WriteResults();
  void DrawProgress();
  void WaitForNews();

  EngineClient& client_;
  LineReader& input_;
  const LineDefaults defaults_;
  const std::uint64_t seed_;
  std::uint64_t num_read_ = 0;               // lines, empty ones not counted
  std::deque<std::unique_ptr<Line>> lines_;  // the window, in input order
  std::size_t window_bytes_ = 0;
  Totals totals_;
  Progress progress_;
};

}  // namespace espalier
