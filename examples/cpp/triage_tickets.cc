// Sorts customer tickets into JSON of a schema, all of them at once.
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/sgl.h"
#include "runtime/local/open_backend.h"

namespace sgl = espalier::sgl;

constexpr const char* kTicket = R"({
  "type": "object",
  "properties": {
    "area": {"enum": ["billing", "login", "shipping", "other"]},
    "urgent": {"type": "boolean"},
    "summary": {"type": "string", "maxLength": 60}
  },
  "required": ["area", "urgent", "summary"],
  "additionalProperties": false
})";

int main() {
  const sgl::Program triage("triage", {"ticket"}, [](sgl::State& s) {
    s += sgl::System("You sort customer tickets.");
    s += sgl::User("Ticket: " + s.Arg("ticket"));
    s += sgl::Assistant(
        sgl::Gen("ticket", {.json_schema = kTicket, .max_tokens = 200, .temperature = 0}));
  });

  auto backend = espalier::OpenLocalBackend();
  if (!backend.ok()) {
    std::fprintf(stderr, "%s\n", backend.status().message().c_str());
    return 2;
  }
  for (const sgl::ProgramResult& run : triage.CallBatch(
           **backend,
           {{{"ticket", "I was charged twice."}}, {{"ticket", "My parcel never came."}}})) {
    if (!run.status.ok()) {
      std::fprintf(stderr, "%s\n", run.status.message().c_str());
      return 1;
    }
    const auto ticket = nlohmann::json::parse(run.Text("ticket"));
    std::printf("%-9s %-7s %s\n", ticket["area"].get<std::string>().c_str(),
                ticket["urgent"].get<bool>() ? "urgent" : "",
                ticket["summary"].get<std::string>().c_str());
  }
}
