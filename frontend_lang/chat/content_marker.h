// Finding a message's content in what a chat template renders: a marker stands in the content's
// place, or at its end.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// A content that no template changes and no conversation holds.
inline constexpr std::string_view kContentMarker = "espalier-turn-marker-7f3a9c";

struct MarkedText {
  std::string before, after;
};

// What stands before and after the last marker of a rendered text; unset if there is none.
inline std::optional<MarkedText> CutAtMarker(std::string_view text) {
  const std::size_t at = text.rfind(kContentMarker);
  if (at == std::string_view::npos) return std::nullopt;
  return MarkedText{std::string(text.substr(0, at)),
                    std::string(text.substr(at + kContentMarker.size()))};
}

}  // namespace espalier
