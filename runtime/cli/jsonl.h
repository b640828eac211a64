// The offline batch mode: a request a line in, a result a line out, in input order.
//
// Lines are read as they come and run all at once, up to a window of lines and bytes
// that bounds memory however long the input is; what the engine's queue has no room
// for waits and is never dropped. A line that fails becomes {"error": ...} in its
// place, with its number in the message, and stops nothing else.
//
// Thread safety: main thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "kernels/base/status.h"
#include "runtime/cli/line_reader.h"
#include "runtime/cli/openai_batch.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/request_line.h"
#include "runtime/cli/totals.h"
#include "runtime/local/engine_client.h"
#include "runtime/local/generated.h"

namespace espalier {

class JsonlRun {
 public:
  static constexpr std::size_t kMaxLines = 2048;                   // in the window
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;  // of those lines

  JsonlRun(EngineClient& client, LineReader& input, LineDefaults defaults, std::uint64_t seed);

  // Until all results are written. Fails if the input cannot be read or stdout not be
  // written; lines that failed are counted in totals().
  Status Run();

  const Totals& totals() const { return totals_; }

 private:
  struct Line {
    std::int64_t number = 0;  // in the input
    std::size_t size_bytes = 0;
    std::optional<OpenAiLine> openai;  // a line of an OpenAI batch file
    LineRequest request;
    int num_open = 0;  // parts of the request under way
    std::unique_ptr<Generated> generated;
    std::unique_ptr<ChoiceScorer> scorer;
    std::optional<program::Decision> decision;  // once the choices are scored
    Usage score_usage;
    Status status;       // the first failure
    std::string result;  // the line to write, once it is done
  };

  bool HasRoom() const { return lines_.size() < kMaxLines && window_bytes_ < kMaxBytes; }
  Status Step();
  Status StartLines();
  void StartLine(const LineReader::Line& text);
  Status Parse(const LineReader::Line& text, Line& line);
  void StartGenerate(Line& line);
  void StartScore(Line& line);
  void OnToken(Line& line, TokenEvent event);
  void OnScores(Line& line, ChoiceScores scores);
  void Close(Line& line, const Status& status);
  nlohmann::ordered_json Answer(const Line& line) const;
  void Fail(Line& line, const Status& status);
  Status WriteResults();
  void DrawProgress();
  void WaitForNews();

  EngineClient& client_;
  LineReader& input_;
  const LineDefaults defaults_;
  const std::uint64_t seed_;
  std::int64_t num_lines_ = 0;               // of the input
  std::uint64_t num_read_ = 0;               // lines, empty ones not counted
  std::deque<std::unique_ptr<Line>> lines_;  // the window, in input order
  std::size_t window_bytes_ = 0;
  Totals totals_;
  Progress progress_;
};

}  // namespace espalier
