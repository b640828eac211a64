// Few-shot classification: five examples, then a review; all reviews at once. The rows
// share the examples, so the model reads them once.
#include <cstdio>
#include <string>
#include <vector>

#include "frontend_lang/sgl.h"
#include "runtime/local/open_backend.h"

namespace sgl = espalier::sgl;

int main() {
  const std::string examples =
      "Review: I would watch it again tomorrow.\nLabel: positive\n\n"
      "Review: The plot has more holes than a net.\nLabel: negative\n\n"
      "Review: A warm, funny film.\nLabel: positive\n\n"
      "Review: I left after twenty minutes.\nLabel: negative\n\n"
      "Review: The music alone is worth the ticket.\nLabel: positive\n\n";
  const sgl::Program classify("classify", {"text"}, [&examples](sgl::State& s) {
    s += examples + "Review: " + s.Arg("text") + "\nLabel: ";
    s += sgl::Select("label", {"positive", "negative"});
  });

  auto backend = espalier::OpenLocalBackend();
  if (!backend.ok()) {
    std::fprintf(stderr, "%s\n", backend.status().message().c_str());
    return 2;
  }
  const std::vector<sgl::Arguments> rows = {{{"text", "Two hours that I will never get back."}},
                                            {{"text", "I laughed until I cried."}}};
  const std::vector<sgl::ProgramResult> runs = classify.CallBatch(**backend, rows);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].status.ok()) {
      std::fprintf(stderr, "%s\n", runs[i].status.message().c_str());
      return 1;
    }
    std::printf("%s -> %s\n", rows[i].at("text").c_str(), runs[i].Text("label").c_str());
  }
}
