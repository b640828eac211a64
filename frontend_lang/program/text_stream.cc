#include "frontend_lang/program/text_stream.h"

#include <algorithm>
#include <utility>

#include "frontend_lang/script/asyncio/waiting.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {

using lang::Args;
using lang::Fault;
using lang::Host;
using lang::Outcome;
using lang::Value;

Outcome<bool> TextStream::Next(Host& host, Value& value) {
  std::string piece;
  while (piece.empty() && !done_) {
    ESP_TRY(host.Step());
    ESP_TRY(object().executor().WaitUntil(&object().state(), [this] { return HasNews(); }));
    ESP_TRY(TakePiece(piece));
  }
  if (piece.empty()) return false;
  value = lang::MakeStr(host.heap(), std::move(piece));
  if (gives_ == Gives::kTextAndMeta) {
    value = host.heap().New<lang::Tuple>(std::vector<Value>{value, Meta(host)});
  }
  return true;
}

bool TextStream::HasNews() const {
  const PromptState& state = object().state();
  if (done_ || state.failed() || (state.idle() && !state.function_runs())) return true;
  if (variable_) {
    const Value* value = state.Find(*variable_);
    if (value != nullptr && !value->is_unset()) return true;
  }
  if (!state.streams()) return false;
  if (variable_) return PartOfVariable().size() > given_;
  return state.prompt().size() + state.partial().size() > given_;
}

// An empty piece is not the end: done_ says so. REQUIRES: HasNews().
Fault TextStream::TakePiece(std::string& piece) {
  return variable_ ? TakeOfVariable(piece) : TakeOfText(piece);
}

Fault TextStream::TakeOfText(std::string& piece) {
  PromptState& state = object().state();
  const std::size_t size = state.prompt().size() + state.partial().size();
  if (state.streams() && size > given_) {
    const std::size_t in_text = std::min(given_, state.prompt().size());
    piece = state.prompt().Text(in_text);
    piece += state.partial().substr(given_ - in_text);
    given_ = size;
    return Fault();
  }
  done_ = true;
  if (state.failed()) return object().executor().ErrorOf(state);
  if (!state.streams()) piece = state.text();
  return Fault();
}

std::string_view TextStream::PartOfVariable() const {
  const PromptState& state = object().state();
  return state.partial_name() == *variable_ ? state.partial() : std::string_view();
}

Fault TextStream::TakeOfVariable(std::string& piece) {
  Executor& executor = object().executor();
  PromptState& state = object().state();
  if (state.streams() && PartOfVariable().size() > given_) {
    piece = PartOfVariable().substr(given_);
    given_ = PartOfVariable().size();
    return Fault();
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

// ---- AsyncTextStream.

namespace {

namespace asyncio = script::asyncio;

// One step: waits until the stream has news, as the task does.
Outcome<bool> NextPiece(const Value& over, script::Machine& machine,
                        const asyncio::NativeCoroutine::Given& given, Value& next) {
  if (!given.error.is_unset()) return asyncio::Throwing(given.error);
  auto& stream =
      *static_cast<TextStream*>(static_cast<AsyncTextStream*>(over.object())->stream().object());
  if (!stream.HasNews()) {
    ESP_TRY_ASSIGN(asyncio::EventLoop* const loop, asyncio::NeedLoop(machine));
    next = loop->NewFuture();
    loop->ExpectPost();
    stream.object().executor().Watch(stream.object().state(),
                                     [held = Value(loop), loop, waiter = next] {
                                       loop->Post(asyncio::Release(waiter, Value()));
                                     });
    return true;
  }
  ESP_TRY_ASSIGN(const bool more, stream.Next(machine, next));
  if (!more) return lang::Raise("StopAsyncIteration", "");
  return false;
}

Outcome<Value> AsyncNext(Host& host, const Value& self, const Args&) {
  return host.heap().New<asyncio::NativeCoroutine>(
      [self](script::Machine& machine, const asyncio::NativeCoroutine::Given& given, Value& next) {
        return NextPiece(self, machine, given, next);
      });
}

Outcome<Value> AsyncIterate(Host&, const Value& self, const Args&) { return self; }

}  // namespace

Outcome<Value> AsyncTextStream::GetAttr(Host& host, std::string_view name) {
  if (name != "__aiter__" && name != "__anext__") return Value::Unset();
  return host.heap().New<lang::NativeFunction>(name, name == "__anext__" ? AsyncNext : AsyncIterate,
                                               Value(this));
}

}  // namespace espalier::program
