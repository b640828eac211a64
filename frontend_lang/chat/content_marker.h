// The text that a chat template puts around a message's content: the template is rendered with
// a marker in the content's place, or at its end, and cut there.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// A content that no template changes and no conversation holds.
inline constexpr std::string_view kContentMarker = "espalier-turn-marker-7f3a9c";

struct TurnText {
  std::string before, after;

  bool operator==(const TurnText&) const = default;
};

// What stands before and after the last marker of a rendered text; unset if there is none.
inline std::optional<TurnText> CutAtMarker(std::string_view text) {
  const std::size_t at = text.rfind(kContentMarker);
  if (at == std::string_view::npos) return std::nullopt;
  return TurnText{std::string(text.substr(0, at)),
                  std::string(text.substr(at + kContentMarker.size()))};
}

}  // namespace espalier
