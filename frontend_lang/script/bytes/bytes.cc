#include "frontend_lang/script/bytes/bytes.h"

#include <fmt/format.h>

#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

using lang::BinaryOp;

namespace {

Value IntAt(const std::string& bytes, std::size_t at) {
  return Value::Int(static_cast<unsigned char>(bytes[at]));
}

Outcome<Value> Repeated(Host& host, const std::string& bytes, const Value& count) {
  if (!count.is_integral() || count.as_int() <= 0 || bytes.empty()) {
    return host.heap().New<Bytes>(std::string());
  }
  const auto size = static_cast<std::int64_t>(bytes.size());
  ESP_TRY(host.Reserve(count.as_int(), size));
  ESP_TRY(host.Step(count.as_int() * size / 4096));
  std::string out;
  out.reserve(static_cast<std::size_t>(count.as_int() * size));
  for (std::int64_t i = 0; i < count.as_int(); ++i) out += bytes;
  return host.heap().New<Bytes>(std::move(out));
}

}  // namespace

Bytes::Bytes(Heap& heap, std::string bytes)
    : Extension(heap, lang::Type::kExtension), bytes_(std::move(bytes)) {
  Charge(static_cast<std::int64_t>(sizeof(Bytes) + bytes_.capacity()));
}

const Bytes* AsBytes(const Value& value) { return Exactly<Bytes>(value); }

Outcome<std::string_view> BytesArgument(const Value& value) {
  if (const Bytes* bytes = AsBytes(value)) return std::string_view(bytes->bytes());
  return lang::TypeError(
      fmt::format("a bytes-like object is required, not '{}'", lang::TypeName(value)));
}

Outcome<bool> Bytes::Equals(Host&, const Value& other) {
  const Bytes* bytes = AsBytes(other);
  return bytes != nullptr && bytes->bytes_ == bytes_;
}

Outcome<std::uint64_t> Bytes::Hash(Host&) { return lang::HashBytes(bytes_); }

Outcome<std::string> Bytes::Repr(Host& host) {
  ESP_TRY(host.Reserve(size(), 4));
  const char quote =
      bytes_.find('\'') != bytes_.npos && bytes_.find('"') == bytes_.npos ? '"' : '\'';
  std::string out{'b', quote};
  for (const char c : bytes_) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += {'\\', c == '\n' ? 'n' : c == '\r' ? 'r' : 't'};
    } else if (byte < 0x20 || byte > 0x7E) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + quote;
}

Outcome<Value> Bytes::GetAttr(Host& host, std::string_view name) {
  return BytesMethod(host, Value(this), name);
}

Outcome<Value> Bytes::GetItem(Host& host, const Value& key) {
  if (const auto* slice = key.If<lang::Slice>()) {
    ESP_TRY_ASSIGN(const lang::SliceIndexes run, lang::ResolveSlice(*slice, size()));
    ESP_TRY(host.Reserve(run.count));
    ESP_TRY(host.Step(run.count / 4096));
    std::string out;
    for (std::int64_t i = 0; i < run.count; ++i) {
      out += bytes_[static_cast<std::size_t>(run.start + i * run.step)];
    }
    return host.heap().New<Bytes>(std::move(out));
  }
  if (!key.is_integer()) {
    return lang::TypeError(
        fmt::format("byte indices must be integers or slices, not {}", lang::TypeName(key)));
  }
  ESP_TRY_ASSIGN(std::int64_t index, lang::ToIndex(key));
  if (index < 0) index += size();
  if (index < 0 || index >= size()) return lang::Raise("IndexError", "index out of range");
  return IntAt(bytes_, static_cast<std::size_t>(index));
}

Outcome<Value> Bytes::Contains(Host&, const Value& item) {
  if (item.is_integral()) {
    if (item.as_int() < 0 || item.as_int() > 255) {
      return lang::ValueError("byte must be in range(0, 256)");
    }
    return Value::Bool(bytes_.find(static_cast<char>(item.as_int())) != bytes_.npos);
  }
  ESP_TRY_ASSIGN(const std::string_view part, BytesArgument(item));
  return Value::Bool(bytes_.find(part) != bytes_.npos);
}

Outcome<Value> Bytes::Iterate(Host& host) {
  return host.heap().New<StepIterator>(
      "bytes_iterator",
      [held = Value(this), at = std::size_t{0}](Host&, Value& value) mutable -> Outcome<bool> {
        const std::string& bytes = AsBytes(held)->bytes();
        if (at == bytes.size()) return false;
        value = IntAt(bytes, at++);
        return true;
      });
}

Outcome<Value> Bytes::Binary(Host& host, BinaryOp op, const Value& other, lang::Side side) {
  if (op == BinaryOp::kMul && other.is_integer()) return Repeated(host, bytes_, other);
  if (op != BinaryOp::kAdd || side == lang::Side::kRight) return Value::Unset();
  const Bytes* right = AsBytes(other);
  if (right == nullptr) {
    return lang::TypeError(fmt::format("can't concat {} to bytes", lang::TypeName(other)));
  }
  ESP_TRY(host.Reserve(size() + right->size()));
  return host.heap().New<Bytes>(bytes_ + right->bytes_);
}

Outcome<Value> Bytes::Compare(Host&, lang::CompareOp op, const Value& other) {
  const Bytes* bytes = AsBytes(other);
  if (bytes == nullptr) return Value::Unset();
  const int order = bytes_.compare(bytes->bytes_);
  switch (op) {
    case lang::CompareOp::kEq: return Value::Bool(order == 0);
    case lang::CompareOp::kNe: return Value::Bool(order != 0);
    case lang::CompareOp::kLt: return Value::Bool(order < 0);
    case lang::CompareOp::kLe: return Value::Bool(order <= 0);
    case lang::CompareOp::kGt: return Value::Bool(order > 0);
    case lang::CompareOp::kGe: return Value::Bool(order >= 0);
  }
  return Value::Unset();
}

}  // namespace espalier::script
