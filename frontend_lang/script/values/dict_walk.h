// DictWalk: a walk through a dict's entries that sees when the dict changes under it.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>

#include "frontend_lang/script/values/dict.h"

namespace espalier::lang {

class DictWalk {
 public:
  explicit DictWalk(const Dict& dict) : size_(dict.size()), num_left_(dict.size()) {}

  // The next entry, valid until the dict changes; null at the end. A RuntimeError where keys
  // have come or gone since the walk began.
  Outcome<const HashTable::Entry*> Next(const Dict& dict) {
    if (dict.size() != size_) {
      size_ = -1;  // and so it stays
      return Raise("RuntimeError", "dictionary changed size during iteration");
    }
    const HashTable::Entry* entry = dict.EntryAt(position_);
    if (entry == nullptr) return entry;
    if (num_left_-- == 0) {
      return Raise("RuntimeError", "dictionary keys changed during iteration");
    }
    ++position_;
    return entry;
  }

 private:
  std::int64_t size_, num_left_;
  std::size_t position_ = 0;
};

}  // namespace espalier::lang
