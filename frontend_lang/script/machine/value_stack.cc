#include "frontend_lang/script/machine/value_stack.h"

#include <algorithm>

namespace espalier::script {

void ValueStack::Grow(std::size_t count) {
  constexpr std::size_t kLeast = 64;
  const std::size_t wanted = std::max({kLeast, 2 * capacity(), size() + count});
  std::allocator<lang::Value> allocator;
  lang::Value* moved = allocator.allocate(wanted);
  lang::Value* moved_end = std::uninitialized_move(begin_, end_, moved);
  std::destroy(begin_, end_);
  allocator.deallocate(begin_, capacity());
  begin_ = moved;
  end_ = moved_end;
  limit_ = moved + wanted;
}

}  // namespace espalier::script
