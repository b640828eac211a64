#include "frontend_lang/program/text_stream.h"

#include <algorithm>
#include <utility>

#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/repr.h"
#include "frontend_lang/script/str.h"

namespace espalier::program {

using lang::Fault;
using lang::Host;
using lang::Outcome;
using lang::Value;

Outcome<bool> TextStream::Next(Host& host, Value& value) {
  std::string piece;
  while (piece.empty() && !done_) ESP_TRY(NextPiece(piece));
  if (piece.empty()) return false;
  value = lang::MakeStr(host.heap(), std::move(piece));
  if (gives_ == Gives::kTextAndMeta) {
    value = host.heap().New<lang::Tuple>(std::vector<Value>{value, Meta(host)});
  }
  return true;
}

// An empty piece is not the end: done_ says so.
Fault TextStream::NextPiece(std::string& piece) {
  ESP_TRY(object().executor().machine().Step());
  return variable_ ? NextOfVariable(piece) : NextOfText(piece);
}

Fault TextStream::NextOfText(std::string& piece) {
  Executor& executor = object().executor();
  PromptState& state = object().state();
  if (!state.streams()) {
    done_ = true;
    ESP_TRY(executor.Sync(state));
    piece = state.text();
    return Fault();
  }
  const auto size = [&] { return state.prompt().size() + state.partial().size(); };
  const auto ended = [&] { return state.failed() || (state.idle() && !state.function_runs()); };
  ESP_TRY(executor.WaitUntil(&state, [&] { return size() > given_ || ended(); }));
  if (size() > given_) {
    const std::size_t in_text = std::min(given_, state.prompt().size());
    piece = state.prompt().Text(in_text);
    piece += state.partial().substr(given_ - in_text);
    given_ = size();
    return Fault();
  }
  done_ = true;
  return state.failed() ? executor.ErrorOf(state) : Fault();
}

Fault TextStream::NextOfVariable(std::string& piece) {
  Executor& executor = object().executor();
  PromptState& state = object().state();
  const auto partial = [&] {
    return state.partial_name() == *variable_ ? state.partial() : std::string_view();
  };
  const auto known = [&] {
    const Value* value = state.Find(*variable_);
    return value != nullptr && !value->is_unset();
  };
  const auto ended = [&] {
    return known() || state.failed() || (state.idle() && !state.function_runs());
  };
  if (state.streams()) {
    ESP_TRY(executor.WaitUntil(&state, [&] { return partial().size() > given_ || ended(); }));
    if (partial().size() > given_) {
      piece = partial().substr(given_);
      given_ = partial().size();
      return Fault();
    }
  }
  done_ = true;
  ESP_TRY_ASSIGN(Value value, executor.Read(state, *variable_));
  if (const auto* list = value.If<lang::List>(); list != nullptr && !list->items().empty()) {
    value = Value(list->items()[0]);
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Text(executor.machine(), value));
  piece = text.substr(std::min(given_, text.size()));
  return Fault();
}

Value TextStream::Meta(Host& host) {
  const Value* meta = variable_ ? object().state().Meta(*variable_) : nullptr;
  if (meta != nullptr) return *meta;
  Value made = host.heap().New<lang::Dict>();
  made.As<lang::Dict>()->PutStr("finish_reason", Value());
  return made;
}

}  // namespace espalier::program
