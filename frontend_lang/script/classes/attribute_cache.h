// AttributeCache: where attributes of instances were found lately, by shape and name.
//
//   1. An entry holds while the class's version is the one it was made at.
//   2. Names are told apart by their address: those of a program's pool are unique.
//
// Thread safety: none; one thread a Machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "frontend_lang/script/classes/shape.h"
#include "frontend_lang/script/values/value.h"

namespace espalier::script {

class AttributeCache {
 public:
  struct Entry {
    const Shape* shape = nullptr;
    const std::string* name = nullptr;
    std::uint64_t version = 0;              // of the class
    int slot = -1;                          // of the instance; -1: none
    const lang::Value* in_class = nullptr;  // where slot < 0; null: not found at all
  };

  Entry& At(const Shape& shape, const std::string& name) {
    const auto key =
        reinterpret_cast<std::uintptr_t>(&shape) * 31 + reinterpret_cast<std::uintptr_t>(&name);
    return entries_[(key >> 4 ^ key >> 12) % entries_.size()];
  }

 private:
  std::array<Entry, 256> entries_;
};

}  // namespace espalier::script
