#include "frontend_lang/script/compile/emitter.h"

namespace espalier::script {

int Pools::Add(Constant constant) {
  // 0.0 and -0.0 compare equal and NaN never does: floats are not shared.
  if (!std::holds_alternative<double>(constant)) {
    const auto [at, added] =
        constants_.try_emplace(constant, static_cast<int>(program_.constants.size()));
    if (!added) return at->second;
  }
  program_.constants.push_back(std::move(constant));
  return static_cast<int>(program_.constants.size()) - 1;
}

int Pools::Intern(Index& index, std::vector<std::string>& list, std::string_view name) {
  const auto found = index.find(name);
  if (found != index.end()) return found->second;
  list.emplace_back(name);
  return index.emplace(name, static_cast<int>(list.size()) - 1).first->second;
}

}  // namespace espalier::script
