// Bytes as a schema, made into a network with little fuel: it is refused, or its shortest way
// ends in a JSON text.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "grammar/schema/schema_network.h"
#include "kernels/base/check.h"
#include "tests/grammar/network_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace espalier;  // NOLINT(google-build-using-namespace)
  constexpr std::uint64_t kFuel = 300'000;
  SchemaSettings reading;
  reading.max_nodes = 1000;
  reading.max_depth = 64;
  auto document =
      SchemaDocument::Parse(std::string_view(reinterpret_cast<const char*>(data), size), reading);
  if (!document.ok()) return 0;
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  SchemaNetworkResult result = MakeSchemaNetwork(
      std::move(document).value(),
      {JsonWhitespace::kCompact, PropertyOrder::kAny, FormatUse::kAssert}, set, fuel);
  ESP_CHECK((result.network == nullptr) == !result.problems.empty());
  if (result.network == nullptr) return 0;
  fuel.Refill(kFuel);
  test::NetworkReader reader(*result.network, set);
  for (int i = 0; i < 2000 && !reader.is_complete() && !fuel.exhausted(); ++i) {
    if (reader.NextBytes().empty()) break;
    if (!reader.Read(reader.ShortestByte())) break;
  }
  if (fuel.exhausted()) return 0;
  ESP_CHECK(!reader.is_complete() || ParseJson(reader.text(), 512).ok()) << reader.text();
  ESP_CHECK(reader.is_complete() || reader.text().size() == 2000) << reader.text();
  return 0;
}
