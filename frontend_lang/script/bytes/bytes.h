// Bytes: Python's bytes, immutable.
//
// Its methods are those of str: bytes are seen as text of ASCII and, for 0x80 and above, of
// code points that are no letter, digit or space; what a method gives is seen as bytes again.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/values/extension.h"

namespace espalier::script {

class Bytes final : public lang::Extension {
 public:
  Bytes(lang::Heap& heap, std::string bytes);

  const std::string& bytes() const { return bytes_; }
  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }

  std::string_view TypeName() const override { return "bytes"; }
  lang::Outcome<bool> Truth(lang::Host&) override { return !bytes_.empty(); }
  lang::Outcome<bool> Equals(lang::Host& host, const lang::Value& other) override;
  lang::Outcome<std::uint64_t> Hash(lang::Host& host) override;
  lang::Outcome<std::string> Repr(lang::Host& host) override;
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<lang::Value> GetItem(lang::Host& host, const lang::Value& key) override;
  lang::Outcome<lang::Value> Length(lang::Host&) override { return lang::Value::Int(size()); }
  lang::Outcome<lang::Value> Contains(lang::Host& host, const lang::Value& item) override;
  lang::Outcome<lang::Value> Iterate(lang::Host& host) override;
  lang::Outcome<lang::Value> Binary(lang::Host& host, lang::BinaryOp op, const lang::Value& other,
                                    lang::Side side) override;
  lang::Outcome<lang::Value> Compare(lang::Host& host, lang::CompareOp op,
                                     const lang::Value& other) override;

 private:
  const std::string bytes_;
};

// The bytes of a value, or null for anything else.
const Bytes* AsBytes(const lang::Value& value);
// The bytes of an argument; a TypeError "a bytes-like object is required, not 'str'".
lang::Outcome<std::string_view> BytesArgument(const lang::Value& value);

// bytes(...), and the method `name` of bytes bound to `self`, or Unset.
lang::Outcome<lang::Value> MakeBytes(lang::Host& host, const lang::Value& type,
                                     const lang::Args& args);
lang::Outcome<lang::Value> BytesMethod(lang::Host& host, const lang::Value& self,
                                       std::string_view name);
lang::Outcome<lang::Value> BytesFromHex(lang::Host& host, const lang::Value&,
                                        const lang::Args& args);

}  // namespace espalier::script
