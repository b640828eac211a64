// Runs a program against a scripted backend, and says what came of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/program/runner.h"
#include "tests/frontend_lang/fake_backend.h"

namespace espalier::program {

struct Ran {
  CallResult result;
  std::vector<CallResult> all;
  std::string output;
  std::vector<std::string> notes;
  FakeLog log;
};

struct Scenario {
  FakeBackend::Order order = FakeBackend::Order::kFirst;
  std::function<CallEvent(const GenCall&)> answer;
  std::function<std::vector<double>(const std::string&, bool)> score;
  int increments = 0;
  bool hangs = false;
  Backend::ChatModel chat;
  std::vector<EntryCall> calls;
  bool print_fails = false;
  RunOptions options;
};

inline Ran RunText(const std::string& text, Scenario scenario = {}) {
  Ran ran;
  auto program = LoadProgram("p.sgl", text);
  if (!program.ok()) {
    ran.result.status = program.status();
    return ran;
  }
  RunOptions& options = scenario.options;
  options.wants_json = true;
  options.print = [&](std::string_view piece) {
    ran.output += piece;
    return scenario.print_fails ? Status(Code::kCancelled, "nobody reads") : Status();
  };
  options.note = [&](std::string_view line) { ran.notes.emplace_back(line); };
  options.make_backend = [&]() -> Result<std::unique_ptr<Backend>> {
    auto backend = std::make_unique<FakeBackend>(ran.log, scenario.order);
    backend->answer = scenario.answer;
    backend->score = scenario.score;
    backend->increments = scenario.increments;
    backend->hangs = scenario.hangs;
    backend->chat = scenario.chat;
    return std::unique_ptr<Backend>(std::move(backend));
  };
  ran.all = RunProgram(*program, options, scenario.calls);
  ran.result = ran.all[0];
  return ran;
}

inline CallEvent Says(std::string text) {
  CallEvent event;
  event.outputs.push_back({.text = std::move(text), .finish_reason = "stop"});
  return event;
}
inline CallEvent Fails(Code code, std::string message) {
  CallEvent event;
  event.status = Status(code, std::move(message));
  return event;
}

}  // namespace espalier::program
