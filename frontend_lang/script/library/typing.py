"""typing: the names of types are _typing's; here is what takes hints apart."""
import _machine
from _typing import (TYPE_CHECKING, AbstractSet, Annotated, Any, AsyncGenerator, AsyncIterable,
                     AsyncIterator, Awaitable, Callable, ClassVar, Collection, Container, Coroutine,
                     Counter, DefaultDict, Deque, Dict, Final, FrozenSet, Generator, Generic,
                     Hashable, ItemsView, Iterable, Iterator, KeysView, List, Literal,
                     LiteralString, Mapping, MappingView, MutableMapping, MutableSequence,
                     MutableSet, NamedTuple, Never, NewType, NoReturn, NotRequired, Optional,
                     OrderedDict, Protocol, Required, Reversible, Self, Sequence, Set, Sized, Text,
                     Tuple, Type, TypeAlias, TypeGuard, TypeVar, TypedDict, Union, ValuesView, cast,
                     final, overload, override, runtime_checkable)


@runtime_checkable
class SupportsInt(Protocol):
    def __int__(self):
        ...


@runtime_checkable
class SupportsFloat(Protocol):
    def __float__(self):
        ...


@runtime_checkable
class SupportsIndex(Protocol):
    def __index__(self):
        ...


@runtime_checkable
class SupportsAbs(Protocol):
    def __abs__(self):
        ...


class ForwardRef:
    def __init__(self, arg):
        self.arg = arg

    def __repr__(self):
        return f"ForwardRef({self.arg!r})"


_UnionType = type(int | None)
AnyStr = TypeVar("AnyStr", str, bytes)
IO = TextIO = BinaryIO = Pattern = Match = Any
ContextManager = AsyncContextManager = ChainMap = Container


def ParamSpec(name, *, bound=None, covariant=False, contravariant=False):
    return TypeVar(name)


TypeVarTuple = ParamSpec
Concatenate = Unpack = Annotated


def get_origin(tp):
    parts = _machine.parts_of_type(tp)
    if parts is None:
        return None
    return type(tp) if type(tp) is _UnionType else parts[0]


def get_args(tp):
    parts = _machine.parts_of_type(tp)
    if parts is None:
        return ()
    origin, args = parts
    if origin is Union:
        return tuple(type(None) if arg is None else arg for arg in args)
    return args


def is_typeddict(tp):
    return hasattr(tp, "__total__")


def _without_extras(hint):
    """What Annotated[T, ...] is of, at the outside."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _resolved(hint, owner, names):
    """The hint, with the texts in it as the types that they name."""
    if isinstance(hint, ForwardRef):
        hint = hint.arg
    if isinstance(hint, str):
        return _resolved(_machine.evaluate_hint(hint, owner, names), owner, names)
    parts = _machine.parts_of_type(hint)
    if parts is None or parts[0] is Literal:
        return hint
    origin, args = parts
    if origin is Annotated:
        args = (_resolved(args[0], owner, names), *args[1:])
    else:
        args = tuple(_resolved(arg, owner, names) for arg in args)
    return hint if args == parts[1] else _machine.with_parts(hint, args)


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    names = {**(globalns or {}), **(localns or {})} or None
    hints = {}
    if isinstance(obj, type):
        for cls in reversed(_machine.ancestors_of(obj)):
            for name, hint in getattr(cls, "__annotations__", {}).items():
                hints[name] = _resolved(hint, cls, names)
    else:
        for name, hint in getattr(obj, "__annotations__", {}).items():
            hints[name] = _resolved(hint, None, names)
    hints = {name: type(None) if hint is None else hint for name, hint in hints.items()}
    return hints if include_extras else {name: _without_extras(hint)
                                         for name, hint in hints.items()}


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def assert_type(val, typ, /):
    return val


def reveal_type(obj, /):
    import sys
    print(f"Runtime type is {type(obj).__name__!r}", file=sys.stderr)
    return obj


def no_type_check(arg):
    return arg


def dataclass_transform(**options):
    return lambda cls: cls


def get_overloads(func):
    return []
