// Bytecode: what the compiler makes of a program and the machine runs.
//
// A stack machine. A Program is immutable and holds no values of any heap, so any
// number of runs may share it. A function's locals stand at the bottom of its frame:
// parameters first (positional, keyword-only, *args, **kwargs), then other locals,
// then the cells of enclosing functions' variables. A local that a nested function
// uses holds a cell.
//
// Thread safety: immutable once compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend_lang/script/syntax/source.h"

namespace espalier::script {

// Comments give the stack before -> after; `a` is the argument.
enum class Op : std::uint8_t {
  kConstant,     // -> constants[a]
  kPop,          // x ->
  kDup,          // x -> x x
  kSwap,         // x y -> y x
  kRotateThree,  // x y z -> z x y
  kDupTwo,       // x y -> x y x y
  kRotateFour,   // w x y z -> z w x y
  kLoadLocal,    // -> local a; an error if unbound
  kLoadIfBound,  // -> local a, past the next instruction; nothing if unbound
  kStoreLocal,   // x ->
  kDeleteLocal,
  kLoadCell,   // -> contents of the cell in local a
  kStoreCell,  // x ->
  kDeleteCell,
  kLoadGlobal,   // -> global a, or the built-in of that name
  kStoreGlobal,  // x ->
  kDeleteGlobal,
  kLoadAttr,         // x -> x.names[a]
  kStoreAttr,        // value x ->
  kDeleteAttr,       // x ->
  kLoadItem,         // x key -> x[key]
  kStoreItem,        // value x key ->
  kDeleteItem,       // x key ->
  kUnary,            // x -> UnaryOp(a) x
  kNot,              // x -> not x
  kBinary,           // x y -> x BinaryOp(a) y
  kInPlace,          // x y -> the result of x op= y
  kInPlaceLocal,     // x y -> ; x was local (a >> 8), which becomes x op= y; BinaryOp a & 255
  kInPlaceCell,      // likewise
  kInPlaceGlobal,    // likewise
  kCompare,          // x y -> x CompareOp(a) y
  kJump,             // to instruction a
  kJumpIfFalse,      // x ->
  kJumpIfTrue,       // x ->
  kJumpIfFalseKeep,  // x -> x where it jumps, otherwise x ->
  kJumpIfTrueKeep,
  kBuildTuple,  // a items -> one
  kBuildList,
  kBuildSet,
  kBuildDict,    // a keys and values, in turn
  kBuildString,  // a strings -> one
  kBuildSlice,   // start stop step -> one
  kListAppend,   // ... x -> ...; to the list a below x
  kSetAdd,
  kDictPut,     // ... key value -> ...; to the dict a below
  kListExtend,  // list x -> list, with the items of x; a = 1: of a call
  kSetExtend,
  kDictMerge,     // dict x -> dict; {**x}
  kKeywordMerge,  // dict x -> dict; f(**x): a repeated key is an error
  kListToTuple,
  kFormat,         // x spec -> text; a: conversion character or 0, spec may be None
  kUnpack,         // x -> a items, the first on top
  kUnpackStar,     // x -> items; a = before << 16 | after; the starred is a list
  kIterate,        // x -> iter(x)
  kForIter,        // it -> it next, or at its end: it -> and jump to a
  kCall,           // f args -> result; a arguments
  kCallKeywords,   // f args -> result; by call_shapes[a]
  kCallSpread,     // f tuple dict -> result
  kCallMethod,     // x args -> x.name(args); call_shapes[a]
  kLoadMethod,     // x -> method self; of x.name(args), before the arguments; call_shapes[a]
  kCallLoaded,     // method self args -> result; call_shapes[a]
  kMakeFunction,   // defaults -> a function of routines[a]
  kMakeClass,      // -> the class whose body this frame has run; see Routine::is_class
  kReturn,         // x ->
  kYield,          // x -> what is sent; a: where a delegate's end leads, 0: a plain yield
  kSend,           // it x -> it next; at its end: it x -> result, and jump to a
  kYieldIterate,   // x -> what yield from takes values from
  kAwaitIterate,   // x -> what await takes values from
  kWrapYield,      // x -> x as what an async generator gives
  kAsyncIterate,   // x -> its async iterator
  kAsyncNext,      // it -> it awaitable
  kAsyncForEnd,    // it error -> ; raises what is not the end
  kAsyncEnter,     // manager -> manager awaitable
  kAsyncExit,      // manager -> awaitable
  kAsyncError,     // manager error -> error awaitable
  kAsyncExited,    // error x -> ; raises the error unless x is true
  kMatchSequence,  // x -> x bool
  kMatchLength,    // x -> x bool; a = length << 1 | at least
  kMatchMapping,   // x -> x bool; a: least length
  kMatchKeys,      // x keys -> x keys values bool
  kMatchRest,      // x keys -> dict of the others
  kMatchClass,     // x type -> parts bool; by call_shapes[a]
  kCapture,        // list ... x -> list ...; into the list, a = index << 8 | how far below
  kPushBlock,      // errors jump to a, with the error on the stack
  kPushWith,       // likewise; the value on top is not part of what is kept
  kPopBlock,
  kMatchError,  // error type -> error bool
  kEndHandler,  // the handled error is done with
  kReraise,     // error ->
  kStarBegin,   // error -> handling, of except*
  kStarMatch,   // handling types -> handling group bool; the group is handled from now on
  kStarRaised,  // handling error -> handling; the clause has raised it
  kStarEnd,     // handling -> , or raises what is left
  kRaise,       // a: 0 bare, 1 error ->, 2 error cause ->
  kAssertFail,  // a: 0, or 1: message ->
  kPushResume,  // -> mark that ends a finally body by a jump to a
  kEndFinally,  // payload mark -> payload, or raises
  kPopFinally,  // payload mark -> ; a = 1: below the top
  kWithEnter,   // manager -> manager value
  kWithExit,    // manager -> ; a = 1: below the top
  kWithError,   // manager error -> , or raises
  kImport,      // -> module names[a]; an error if there is none
  kImportFrom,  // module -> module value
  kImportStar,  // module ->
  kLoadType,    // x -> type(x)
};

struct Instruction {
  Op op;
  std::int32_t arg = 0;
};

// The most by which the stack is higher after the instruction than before. One that
// pushes more than one value must stand here.
constexpr int MostPushed(Instruction instruction) {
  switch (instruction.op) {
    case Op::kDupTwo:
    case Op::kMatchKeys: return 2;
    case Op::kUnpack: return instruction.arg;
    case Op::kUnpackStar: return (instruction.arg >> 16) + (instruction.arg & 0xFFFF) + 1;
    case Op::kPop:
    case Op::kStoreLocal:
    case Op::kStoreGlobal:
    case Op::kStoreCell:
    case Op::kStoreItem:
    case Op::kLoadAttr:
    case Op::kLoadItem:
    case Op::kBinary:
    case Op::kInPlaceLocal:
    case Op::kInPlaceGlobal:
    case Op::kCompare:
    case Op::kJump:
    case Op::kJumpIfFalse:
    case Op::kCall:
    case Op::kCallMethod:
    case Op::kCallLoaded:
    case Op::kReturn: return 0;
    default: return 1;
  }
}

// A whole number beyond 64 bits, as it stands in the source.
struct BigLiteral {
  std::string digits;
  int base;
  auto operator<=>(const BigLiteral&) const = default;
};

// b"...", as it means.
struct BytesLiteral {
  std::string bytes;
  auto operator<=>(const BytesLiteral&) const = default;
};

using Constant =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, BigLiteral, BytesLiteral>;

struct CallShape {
  int num_positional = 0;
  std::vector<std::string> keywords;
  int name = -1;  // of a method: into Program::names
  Span callee;    // of a method: of object.name
};

struct Routine {
  std::string name;        // as error messages say it: outer.<locals>.f
  std::string short_name;  // as tracebacks say it: f
  std::string doc;
  std::vector<Instruction> instructions;
  std::vector<Span> spans;          // of each instruction
  std::vector<std::string> locals;  // names, by slot

  int num_positional = 0;       // parameters, of `locals`
  int num_positional_only = 0;  // of these
  int num_keyword_only = 0;
  bool has_star = false, has_double_star = false;
  int num_defaults = 0;               // of the last positional parameters
  std::vector<int> keyword_defaults;  // numbers of keyword-only parameters with a default
  bool is_generator = false;
  bool is_async = false;  // a coroutine; with is_generator: an async generator
  bool is_comprehension = false;
  // The number of parameters, where a call has only to put them there: all positional,
  // no cells of its own, no generator. Otherwise -1.
  int plain_arity = -1;
  int max_pushed = 0;  // values on the stack above the locals, at most
  // The body of a class statement. Its parameters are the tuple of bases, the dict of
  // keywords and a dict for annotations; locals after these are the class's attributes.
  bool is_class = false;

  std::vector<int> own_cells;  // slots whose values are wrapped in a cell at entry
  int first_free = 0;          // slots [first_free, locals.size()) come from the closure
  std::vector<int> captures;   // for each of these: the slot in the enclosing function

  int num_parameters() const {
    return num_positional + num_keyword_only + (has_star ? 1 : 0) + (has_double_star ? 1 : 0);
  }
};

struct Program {
  std::shared_ptr<const Source> source;
  std::vector<std::unique_ptr<const Routine>> routines;  // routines[0] is the file itself
  std::vector<Constant> constants;
  std::vector<std::string> names;    // of attributes and modules
  std::vector<std::string> globals;  // names, by slot
  std::vector<CallShape> call_shapes;
  // What the runner must know of the file.
  bool has_main_guard = false;  // if __name__ == "__main__":
};

}  // namespace espalier::script
