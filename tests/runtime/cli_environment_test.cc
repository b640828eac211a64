#include "runtime/cli/environment.h"

#include <gmock/gmock.h>

namespace espalier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kKnown[] = {"ESPALIER_TEMPERATURE", "ESPALIER_MODEL"};

std::vector<std::string> Strange(std::vector<std::string_view> environment) {
  return StrangeVariables(environment, kKnown);
}

TEST(CliEnvironment, NamesAVariableThatNoFlagReads) {
  EXPECT_THAT(Strange({"PATH=/bin", "ESPALIER_TEMPERATRE=0"}),
              ElementsAre("the environment's ESPALIER_TEMPERATRE is not read: no flag has that "
                          "name; did you mean 'ESPALIER_TEMPERATURE'?"));
  EXPECT_EQ(Strange({"ESPALIER_X=", "ESPALIER_Y"}).size(), 2u);
}

TEST(CliEnvironment, KnowsFlagsAndWhatTheLauncherAndTheTestsTake) {
  EXPECT_THAT(Strange({"ESPALIER_MODEL=tiny", "ESPALIER_CACHE=/x", "ESPALIER_SHARED=", "HOME=/"}),
              IsEmpty());
}

}  // namespace
}  // namespace espalier
