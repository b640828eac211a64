#include "frontend_lang/script/classes/special_methods.h"

#include <algorithm>
#include <array>

namespace espalier::script {
namespace {

constexpr std::array<std::string_view, kNumSpecials> kNames = {
    "__init__",    "__new__",      "__repr__",      "__str__",       "__format__",   "__bool__",
    "__len__",     "__hash__",     "__call__",      "__iter__",      "__next__",     "__contains__",
    "__getitem__", "__setitem__",  "__delitem__",   "__missing__",   "__reversed__", "__enter__",
    "__exit__",    "__getattr__",  "__setattr__",   "__delattr__",   "__int__",      "__float__",
    "__index__",   "__abs__",      "__round__",     "__aenter__",    "__aexit__",    "__aiter__",
    "__anext__",   "__await__",    "__get__",       "__set__",       "__delete__",   "__del__",
    "__eq__",      "__ne__",       "__lt__",        "__le__",        "__gt__",       "__ge__",
    "__pos__",     "__neg__",      "__invert__",    "__add__",       "__sub__",      "__mul__",
    "__truediv__", "__floordiv__", "__mod__",       "__pow__",       "__lshift__",   "__rshift__",
    "__and__",     "__xor__",      "__or__",        "__matmul__",    "__radd__",     "__rsub__",
    "__rmul__",    "__rtruediv__", "__rfloordiv__", "__rmod__",      "__rpow__",     "__rlshift__",
    "__rrshift__", "__rand__",     "__rxor__",      "__ror__",       "__rmatmul__",  "__iadd__",
    "__isub__",    "__imul__",     "__itruediv__",  "__ifloordiv__", "__imod__",     "__ipow__",
    "__ilshift__", "__irshift__",  "__iand__",      "__ixor__",      "__ior__",      "__imatmul__",
};
static_assert(!kNames.back().empty());

bool IsSpecial(std::string_view name) { return std::ranges::find(kNames, name) != kNames.end(); }

bool IsDunder(std::string_view name) { return name.starts_with("__") && name.ends_with("__"); }

}  // namespace

std::string_view NameOf(Special special) { return kNames[static_cast<std::size_t>(special)]; }

bool IsAllowedAttribute(std::string_view name) {
  constexpr std::array<std::string_view, 35> kOthers = {"__name__",          "__qualname__",
                                                        "__doc__",           "__members__",
                                                        "__post_init__",     "__init_subclass__",
                                                        "__cause__",         "__context__",
                                                        "__notes__",         "__suppress_context__",
                                                        "__traceback__",     "__version__",
                                                        "__module__",        "__annotations__",
                                                        "__wrapped__",       "__defaults__",
                                                        "__kwdefaults__",    "__func__",
                                                        "__self__",          "__set_name__",
                                                        "__instancecheck__", "__subclasscheck__",
                                                        "__copy__",          "__deepcopy__",
                                                        "__divmod__",        "__floor__",
                                                        "__ceil__",          "__trunc__",
                                                        "__class_getitem__", "__getstate__",
                                                        "__setstate__",      "__bytes__",
                                                        "__fspath__",        "__length_hint__"};
  return !IsDunder(name) || IsSpecial(name) || std::ranges::find(kOthers, name) != kOthers.end();
}

// What Python would call or read by itself, and the language does not. Other names between
// underscores are as any other.
bool IsAllowedDefinition(std::string_view name) {
  constexpr std::string_view kRefused[] = {
      "__abstractmethods__", "__annotations__", "__bases__",        "__dict__",
      "__getattribute__",    "__mro__",         "__mro_entries__",  "__mro_subclasses__",
      "__prepare__",         "__subclasses__",  "__subclasshook__", "__weakref__",
      "__module__",          "__qualname__"};
  return !IsDunder(name) || IsSpecial(name) ||
         std::ranges::find(kRefused, name) == std::end(kRefused);
}

}  // namespace espalier::script
