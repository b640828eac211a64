// Machine: runs a Program.
//
// An instruction has one whole meaning, in Execute, which any operands may reach. Before
// that the run loop (machine_run.cc) tries the instructions that loops and calls are made
// of, on the operands that they mostly have (ints, floats, list items, plain functions of
// the script), inline and with the frame in registers: no Fault, no call, no look at the
// ends of the stack, since a frame reserves what its routine can push. What it does not
// know it leaves as it was, and Execute does it. So an instruction can be made fast
// without a second place for its errors; steps are counted alike in both.
//
//   1. Script calls script without C++ recursion; a built-in operation that calls back
//      (a sort key) nests one more run loop, as deep as the stack allows.
//   2. An error unwinds to the nearest handler of its task. A limit error has none.
//   3. All state of a thread of script is in its Task; whoever switches between
//      threads (fibers) sets the task that runs.
//
// Thread safety: none; one thread a Machine.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/classes/attribute_cache.h"
#include "frontend_lang/script/compile/bytecode.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/generator.h"
#include "frontend_lang/script/machine/loaded_file.h"
#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/machine/program_clock.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::script {

// The text of a module that lies beside the program.
struct ModuleText {
  std::string path, text;
};

struct MachineOptions {
  lang::Limits limits;
  int max_depth = 1000;                               // of script calls
  std::function<void(std::string_view)> print;        // stdout; may be null
  std::function<void(std::string_view)> print_error;  // stderr; may be null
  std::string read_folder;  // whose files the program may read; empty: none
  // Modules of the program's own, by name: "tools", "tools.web". May be null.
  std::function<std::optional<ModuleText>(std::string_view name)> find_module;
};

// Runs functions beside the script that waits for them: the fibers of a program.
class Strands {
 public:
  // How a time is waited for: kSkipped may jump there at once, where nothing else happens.
  enum class Sleep { kReal, kSkipped };
  using Deadline = std::optional<ProgramClock::TimePoint>;

  virtual ~Strands() = default;
  // `body` runs by itself: kNow until it first waits, or from when the script next does.
  enum class Begin { kNow, kLater };
  virtual void Start(std::function<void()> body, Begin begin) = 0;
  // Lets the other strands run until somebody calls `wake`, which it sets for that time,
  // or until the deadline on the machine's clock(). A limit error when the run is to stop.
  virtual Fault Wait(std::function<void()>& wake, Deadline deadline, Sleep sleep) = 0;
};

class Machine : public lang::Host {
 public:
  Machine(std::shared_ptr<const Program> program, MachineOptions options);
  ~Machine() override;

  // Adds a built-in name or a module. REQUIRES: nothing has run yet.
  void AddBuiltin(std::string_view name, Value value);
  void AddModule(std::string_view name, Value module);
  using ModuleMaker = Value (*)(Machine& machine);
  void AddModule(std::string_view name, ModuleMaker make);           // made by its first import
  void AddModuleFile(std::string_view name, std::string_view text);  // one in the language
  Value Builtin(std::string_view name) const;                        // or Unset
  Outcome<Value> Import(std::string_view name);                      // or Unset
  Value Imported(std::string_view name) const;  // the same, if somebody has imported it
  // The types of modules, for type(): by the name of their values' type.
  void AddType(std::string_view name, Value type) { types_[std::string(name)] = std::move(type); }
  Value FindType(std::string_view name) const;  // or Unset

  // Runs the file from the top, with __name__ set to `name`.
  Fault RunFile(std::string_view name);
  // The global variable, or Unset.
  Value Global(std::string_view name) const;

  Outcome<Value> Call(const Value& callee, const Args& args) override;
  // Runs a generator to its next value, from C++: true with it in `value`, or false with
  // what it returned. An `error` that is not Unset is raised where it waits.
  Outcome<bool> ResumeNested(Generator& generator, Value sent, Value error, Value& value);
  // What await drives: the coroutine itself, or what __await__ gives.
  Outcome<Value> AwaitIterator(const Value& value);
  // object.name(args...), for the names that only the language itself may call.
  Outcome<Value> CallSpecial(const Value& object, std::string_view name,
                             std::span<const Value> args);
  bool HasSpecial(const Value& object, std::string_view name);
  // An exception, or a type of one, as an exception; and as a fault.
  Outcome<Value> ErrorFrom(const Value& value);
  Fault ThrowError(Value error) { return Throw(std::move(error)); }

  Task& task() { return *task_; }
  void SetTask(Task& task) { task_ = &task; }
  // Null: there is one strand only, and functions run where they are called.
  Strands* strands() const { return strands_; }
  void SetStrands(Strands* strands) { strands_ = strands; }
  ProgramClock& clock() { return clock_; }
  // Waits until then, or for the limit error that comes before.
  Fault SleepUntil(ProgramClock::TimePoint time);
  // Depth of script calls of all tasks is bounded by this.
  int max_depth() const { return options_.max_depth; }
  const Program& program() const { return *files_[0]->program; }
  const std::string& read_folder() const { return options_.read_folder; }

  void Print(std::string_view text) const {
    if (options_.print) options_.print(text);
  }
  void PrintError(std::string_view text) const {
    if (options_.print_error) options_.print_error(text);
  }

  // Makes sure that the error has its object, so that it can be caught and traced.
  ErrorObject& ObjectOf(lang::LangError& error);

 private:
  class Loop;
  // The loop: runs until num_frames are left, then gives what the last one returned.
  Outcome<Value> Run(std::size_t num_frames);
  Outcome<Value> RunFrames(std::size_t num_frames);
  Outcome<Value> CallNatively(const Value& callee, const Args& args);
  Fault Run(LoadedFile& file, std::string_view name);  // from the top
  Outcome<Value> ImportFile(const std::string& name, ModuleText text, LoadedFile::Kind kind);
  Fault Execute(Instruction instruction);
  Fault ExecuteStack(Instruction instruction);
  Fault ExecuteBuild(Instruction instruction);
  Fault ExecuteBlock(Instruction instruction);
  Fault ExecuteGenerator(Instruction instruction);
  Fault ExecuteMatch(Instruction instruction);

  // The stack of the running task.
  void Push(Value value) { task_->values.push_back(std::move(value)); }
  void PushBool(bool value) {
    task_->values.emplace_back();
    Top() = Value::Bool(value);
  }
  Value Pop() {
    Value value = std::move(task_->values.back());
    task_->values.pop_back();
    return value;
  }
  Value& Top(std::size_t below = 0) { return task_->values[task_->values.size() - 1 - below]; }
  void Drop(std::size_t count) { task_->values.resize(task_->values.size() - count); }
  Frame& frame() { return task_->frames.back(); }
  Value& Local(int slot) { return task_->values[frame().base + static_cast<std::size_t>(slot)]; }
  Value& GlobalAt(int slot) { return frame().file->globals[static_cast<std::size_t>(slot)]; }
  Cell& CellAt(int slot) { return *static_cast<Cell*>(Local(slot).object()); }
  const std::string& Name(int index) {
    return frame().file->program->names[static_cast<std::size_t>(index)];
  }

  // Names.
  Fault LoadLocal(int slot);
  Fault LoadCell(int slot);
  Fault LoadGlobal(int slot);
  Fault DeleteVariable(Value& variable, std::string_view name, bool local);
  Fault Unbound(int slot, bool free);
  template <typename Variable>
  Fault InPlace(Variable variable, int op);
  Fault Augment(lang::BinaryOp op, Value& target, const Value& right);
  Fault UndefinedGlobal(int slot);

  // Operators and containers.
  Fault BinaryOperator(lang::BinaryOp op);
  Fault CompareValues(int op);
  Fault JumpUnless(bool wanted, int target, bool keep);
  Fault FormatField(int conversion);
  Fault BuildString(int count);
  Fault BuildDict(int count);
  Fault Extend(const Value& callee);  // Unset: not in a call
  Fault ExtendSet();
  Fault MergeDict(bool keywords);
  Fault Unpack(int count);
  Fault UnpackStar(int before, int after);
  Fault NextItem(int target);

  // Calls (machine_calls.cc).
  Fault CallWith(std::size_t num_positional, const std::vector<std::string>* keywords);
  Fault CallMethodShape(const CallShape& shape);
  Fault LoadMethod(const CallShape& shape);
  Fault CallLoaded(const CallShape& shape);
  struct BoundCall {
    Value callee;
    Value self;  // its first argument; None: it has all that it needs
  };
  Outcome<BoundCall> BoundCallOf(const Value& object, const CallShape& shape);
  Fault CallBuiltIn(const CallShape& shape, const lang::Method& method, std::size_t num_below);
  const lang::Method* MethodOf(const Value& object, const CallShape& shape);
  Fault CallSpread();
  Fault CallNative(const Value& callee, std::size_t num_positional,
                   const std::vector<std::string>* keywords, std::size_t num_below);
  Fault EnterFunction(ScriptFunction& function, std::size_t num_positional,
                      const std::vector<std::string>* keywords);
  Fault BindSlow(const ScriptFunction& function, std::size_t num_positional,
                 const std::vector<std::string>* keywords);
  static Fault FillDefaults(const ScriptFunction& function, std::vector<Value>& slots);
  Fault PushFrame(ScriptFunction& function);
  void PushPlainFrame(ScriptFunction& function);
  Fault MakeFunction(const Routine& routine);
  Fault ReturnValue(Value value);
  Value ReturnLast();
  Value YieldLast();

  // Generators and coroutines (machine_generators.cc).
  Outcome<bool> EnterGenerator(Generator& generator, Value sent, int on_end, bool gives_result);
  Fault ResumeInFor(Generator& generator, int target);
  Fault SendOn(int target);
  Outcome<Value> IteratorOf(const Value& source);
  Outcome<bool> SendToInstance(Instance& instance, const Value& sent, Value& value);
  Fault YieldValue();
  Fault YieldIterate();
  Value LeavingGenerator(const Generator& generator, const Value& error);
  Outcome<Value> AsyncIterator(const Value& value);
  Fault AsyncForEnd();
  Fault AsyncWith(Op op);
  Fault CloseUnfinished();

  // Patterns (machine_match.cc).
  Fault MatchMapping(int least);
  Fault MatchKeys();
  Fault MatchRest();
  Fault MatchClass(const CallShape& shape);
  Outcome<std::vector<std::string>> MatchArguments(const Value& type, int count);
  Outcome<std::string> TypeNameOf(const Value& type);

  // Classes (frontend_lang/script/classes/machine_classes.cc).
  struct Attribute;
  Attribute FindAttribute(Instance& instance, const std::string& name);
  Fault LoadAttribute(const std::string& name);
  Fault StoreAttribute(const std::string& name);
  Fault CallWithSelf(const Value& function, std::size_t num_positional,
                     const std::vector<std::string>* keywords, Value self);
  Fault CallClass(ClassObject& cls, std::size_t num_positional,
                  const std::vector<std::string>* keywords);
  Fault MakeClass();

  // Errors (machine_errors.cc).
  bool Unwind(Fault& fault, std::size_t num_frames);
  Fault SetContext(ErrorObject& error);
  Outcome<Value> CauseFrom(const Value& value);
  void DropFrame();
  Fault RaiseOp(int arg);
  Fault Throw(Value error);    // as new
  Fault Rethrow(Value error);  // its trace has this frame already
  Fault MatchError();
  Fault ExceptStar(Op op);
  Fault EndFinally();
  void PopFinally(bool below_top);
  Fault WithEnter();
  Fault WithExit(bool below_top);
  Outcome<std::vector<Value>> ExitArguments(const Value& error);
  Outcome<bool> Leave(const Value& manager, const Value& error);
  Fault WithError();
  Fault ImportModule(const std::string& name);
  Fault ImportFrom(const std::string& name);
  Fault ImportStar();

  MachineOptions options_;
  std::vector<std::unique_ptr<LoadedFile>> files_;  // the first is the program's own
  struct ImportableModule {
    Value module = Value::Unset();
    ModuleMaker make = nullptr;
    std::string_view text = {};  // of a module in the language
  };
  std::map<std::string, Value> builtins_, types_;
  std::map<std::string, ImportableModule> modules_;
  Task main_task_;
  Task* task_ = &main_task_;
  std::optional<Span> error_span_;  // of the next error, where not all of its instruction
  Strands* strands_ = nullptr;
  ProgramClock clock_;
  bool rethrown_ = false;  // from Rethrow to Unwind
  AttributeCache attributes_;
};

}  // namespace espalier::script
