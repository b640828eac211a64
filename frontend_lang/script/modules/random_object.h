// RandomObject: a generator of random numbers, as random.Random makes it.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <optional>

#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/modules/twister.h"

namespace espalier::script {

class RandomObject final : public lang::Extension {
 public:
  explicit RandomObject(Heap& heap) : Extension(heap, lang::Type::kExtension) {}

  Twister& twister() { return twister_; }
  std::optional<double> next_gauss;  // the second of the pair that gauss drew

  std::string_view TypeName() const override { return "Random"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  Twister twister_;
};

// REQUIRES: self is a RandomObject.
inline RandomObject& RandomOf(const Value& self) {
  return *static_cast<RandomObject*>(self.object());
}

}  // namespace espalier::script
