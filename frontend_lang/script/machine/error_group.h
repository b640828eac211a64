// Exception groups: their parts, and what except* does with them.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "frontend_lang/script/machine/error_object.h"

namespace espalier::script {

bool IsGroup(const Value& error);
// REQUIRES: IsGroup(group)
Outcome<std::vector<Value>> ErrorsOf(Host& host, const Value& group);

// A group as a call of its type makes it: a TypeError or a ValueError for what is no message
// with a sequence of exceptions.
Fault CheckGroup(Host& host, const ErrorKind& kind, const Args& args);

// group.split, subgroup and derive, bound; Unset for other names.
Value GroupMethod(Host& host, ErrorObject& group, std::string_view name);

// What except* clauses have left of an error, and what they have raised.
class StarHandling final : public lang::Extension {
 public:
  StarHandling(Heap& heap, Value error)
      : Extension(heap, lang::Type::kExtension), error_(error), rest_(error) {}

  std::string_view TypeName() const override { return "except*"; }

  // The part that `except* types` handles, as a group; None: nothing.
  Outcome<Value> Take(Host& host, const Value& types);
  void AddRaised(Value error) { raised_.push_back(std::move(error)); }
  // What goes on behind the last clause; None: all is handled.
  Outcome<Value> Finish(Host& host);

 private:
  void Clear() override {
    error_ = rest_ = Value();
    taken_.clear();
    raised_.clear();
  }
  // Whether it is a part of the error that a clause let go on.
  bool IsReraised(const Value& raised) const;

  Value error_, rest_;  // rest_: None when nothing is left
  std::vector<Value> taken_, raised_;
};

}  // namespace espalier::script
