// A judge: one essay, graded from three sides at once. The forks share the essay, and each
// grade is one digit, whatever the model would like to say.
#include <cstdio>
#include <string>
#include <vector>

#include "frontend_lang/sgl.h"
#include "runtime/local/open_backend.h"

namespace sgl = espalier::sgl;

int main() {
  const std::vector<std::string> sides = {"clarity", "evidence", "style"};
  const sgl::Program judge("judge", {"essay"}, [&sides](sgl::State& s) {
    s += sgl::System("You judge essays.");
    s += sgl::User("Read this essay.\n\n" + s.Arg("essay"));
    sgl::Forks forks = s.Fork(static_cast<int>(sides.size()));
    for (std::size_t i = 0; i < sides.size(); ++i) {
      forks[i] += sgl::User("Grade its " + sides[i] + " from 1 to 5.");
      forks[i] +=
          sgl::Assistant("Grade: " + sgl::Gen("grade", {.regex = "[1-5]", .temperature = 0}));
    }
    forks.Join();
  });

  auto backend = espalier::OpenLocalBackend();
  if (!backend.ok()) {
    std::fprintf(stderr, "%s\n", backend.status().message().c_str());
    return 2;
  }
  const sgl::ProgramResult run =
      judge.Call(**backend, {{"essay",
                              "Cities should plant more trees. A street with trees is cooler in "
                              "summer, and the leaves take dust from the air."}});
  if (!run.status.ok()) {
    std::fprintf(stderr, "%s\n", run.status.message().c_str());
    return 1;
  }
  const std::vector<std::string>& grades = run.variables.at("grade");
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::printf("%-9s %s\n", sides[i].c_str(), grades[i].c_str());
  }
}
