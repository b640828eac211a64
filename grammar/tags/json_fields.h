// JsonFields: the members of one JSON object, read with errors that say where they are.
//
// Thread safety: a value; the JSON must outlive it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/schema/json.h"
#include "grammar/schema/uri.h"
#include "kernels/base/status.h"

namespace espalier {

class JsonFields {
 public:
  JsonFields(const Json& object, std::string pointer)
      : object_(object), pointer_(std::move(pointer)) {}

  const Json& object() const { return object_; }
  std::string PointerTo(std::string_view name) const { return pointer_ + "/" + EscapedToken(name); }

  // kUnsupported for the first member with another name.
  Status CheckNames(std::initializer_list<std::string_view> names) const;

  // Each is kInvalidArgument if the member is missing, where that is wrong, or is not of
  // the kind.
  Result<const Json*> Member(std::string_view name, Json::Kind kind) const;
  Result<std::string> String(std::string_view name) const;
  Result<std::optional<bool>> Flag(std::string_view name) const;  // may be missing
  // Of non-empty strings; a missing member is an empty list.
  Result<std::vector<std::string>> Strings(std::string_view name) const;

  Status Error(std::string_view name, std::string_view message,
               Code code = Code::kInvalidArgument) const;

 private:
  const Json& object_;
  const std::string pointer_;
};

}  // namespace espalier
