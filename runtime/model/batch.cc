#include "runtime/model/batch.h"

namespace espalier {

void Batch::Clear() {
  for (auto* starts : {&start, &page_start, &slot_start, &logits_start}) starts->assign(1, 0);
  seq.clear();
  pages.clear();
  tokens.clear();
  position.clear();
  slots.clear();
  logits_tokens.clear();
  hidden_tokens.clear();
  copies.clear();
}

}  // namespace espalier
