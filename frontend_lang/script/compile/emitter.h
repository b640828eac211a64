// Emitter: writes one Routine, and shares the pools of its Program with the others.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/compile/bytecode.h"

namespace espalier::script {

// The pools of a Program while it is built: equal entries are kept once.
class Pools {
 public:
  explicit Pools(Program& program) : program_(program) {}

  int Add(Constant constant);
  int Name(std::string_view name) { return Intern(names_, program_.names, name); }
  int Global(std::string_view name) { return Intern(globals_, program_.globals, name); }
  int Shape(CallShape shape) {
    program_.call_shapes.push_back(std::move(shape));
    return static_cast<int>(program_.call_shapes.size()) - 1;
  }
  int AddRoutine(std::unique_ptr<const Routine> code) {
    program_.routines.push_back(std::move(code));
    return static_cast<int>(program_.routines.size()) - 1;
  }

 private:
  using Index = std::map<std::string, int, std::less<>>;
  static int Intern(Index& index, std::vector<std::string>& list, std::string_view name);

  Program& program_;
  Index names_, globals_;
  std::map<Constant, int> constants_;
};

// A place to jump to. Jumps may be emitted before it is bound.
class Label {
 private:
  friend class Emitter;
  int target_ = -1;
  std::vector<int> jumps_;
};

class Emitter {
 public:
  explicit Emitter(Pools& pools) : pools_(pools) {}

  Routine& code() { return code_; }
  Pools& pools() { return pools_; }
  void SetSpan(Span span) { span_ = span; }
  Span span() const { return span_; }
  // Gives the last instruction another span. REQUIRES: there is one.
  void MoveSpan(Span span) { code_.spans.back() = span; }

  void Emit(Op op, int arg = 0) {
    code_.instructions.push_back({op, arg});
    code_.spans.push_back(span_);
  }
  void Jump(Op op, Label& label) {
    label.jumps_.push_back(static_cast<int>(code_.instructions.size()));
    Emit(op, label.target_);
  }
  // The next instruction is the label's. Each label is bound once.
  void Bind(Label& label) {
    label.target_ = static_cast<int>(code_.instructions.size());
    for (const int at : label.jumps_) {
      code_.instructions[static_cast<std::size_t>(at)].arg = label.target_;
    }
  }
  void Load(Constant constant) { Emit(Op::kConstant, pools_.Add(std::move(constant))); }
  void LoadNone() { Load(std::monostate{}); }

 private:
  Pools& pools_;
  Routine code_;
  Span span_;
};

}  // namespace espalier::script
