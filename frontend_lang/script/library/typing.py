"""typing: the names of types are _typing's; here is what takes hints apart."""
import _machine
from _typing import (TYPE_CHECKING, Annotated, Any, AsyncGenerator, AsyncIterable, AsyncIterator,
                     Awaitable, Callable, ClassVar, Collection, Container, Coroutine, Counter,
                     DefaultDict, Deque, Dict, Final, FrozenSet, Generator, Generic, Hashable,
                     Iterable, Iterator, List, Literal, LiteralString, Mapping, MutableMapping,
                     MutableSequence, NamedTuple, NewType, NoReturn, NotRequired, Never, Optional,
                     OrderedDict, Protocol, Required, Reversible, Self, Sequence, Set, Sized, Text,
                     Tuple, Type,
                     TypeAlias, TypedDict, TypeGuard, TypeVar, Union, cast, final, overload,
                     override, runtime_checkable)


class SupportsInt(Protocol):
    def __int__(self):
        ...


class SupportsFloat(Protocol):
    def __float__(self):
        ...


class SupportsIndex(Protocol):
    def __index__(self):
        ...


class SupportsAbs(Protocol):
    def __abs__(self):
        ...


class ForwardRef:
    def __init__(self, arg):
        self.arg = arg

    def __repr__(self):
        return f"ForwardRef({self.arg!r})"


AnyStr = TypeVar("AnyStr", str, bytes)
IO = TextIO = BinaryIO = Pattern = Match = Any
AbstractSet = MutableSet = KeysView = ItemsView = ValuesView = MappingView = Collection
ContextManager = AsyncContextManager = ChainMap = Container


def ParamSpec(name, *, bound=None, covariant=False, contravariant=False):
    return TypeVar(name)


TypeVarTuple = ParamSpec
Concatenate = Unpack = Annotated


def get_origin(tp):
    parts = _machine.parts_of_type(tp)
    return None if parts is None else parts[0]


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


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    if isinstance(obj, type):
        for cls in reversed(_machine.ancestors_of(obj)):
            hints.update(getattr(cls, "__annotations__", {}))
    else:
        hints.update(getattr(obj, "__annotations__", {}))
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
