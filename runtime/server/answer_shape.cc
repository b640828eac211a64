#include "runtime/server/answer_shape.h"

#include <nlohmann/json.hpp>

namespace espalier {

std::string BodyText(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void AddEvent(const nlohmann::ordered_json& json, std::string& stream) {
  stream += "data: ";
  stream += BodyText(json);
  stream += "\n\n";
}

}  // namespace espalier
