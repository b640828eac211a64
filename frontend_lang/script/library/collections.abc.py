"""collections.abc: classes that say what others can do, with what follows from it."""
from _abstract import mark as _mark
from abc import ABC as _ABC, abstractmethod

_NAMES = []


def _public(cls):
    _mark(cls)
    _NAMES.append(cls.__name__)
    return cls


@_public
class Hashable(_ABC):
    @abstractmethod
    def __hash__(self):
        return 0


@_public
class Awaitable(_ABC):
    @abstractmethod
    def __await__(self):
        yield


@_public
class Coroutine(Awaitable):
    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise typ if val is None else val

    def close(self):
        _close(self)


@_public
class AsyncIterable(_ABC):
    @abstractmethod
    def __aiter__(self):
        return self


@_public
class AsyncIterator(AsyncIterable):
    @abstractmethod
    async def __anext__(self):
        raise StopAsyncIteration

    def __aiter__(self):
        return self


@_public
class AsyncGenerator(AsyncIterator):
    async def __anext__(self):
        return await self.asend(None)

    @abstractmethod
    async def asend(self, value):
        raise StopAsyncIteration

    @abstractmethod
    async def athrow(self, typ, val=None, tb=None):
        raise typ if val is None else val


@_public
class Iterable(_ABC):
    @abstractmethod
    def __iter__(self):
        while False:
            yield None


@_public
class Iterator(Iterable):
    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


@_public
class Reversible(Iterable):
    @abstractmethod
    def __reversed__(self):
        while False:
            yield None


def _close(generator):
    try:
        generator.throw(GeneratorExit)
    except (GeneratorExit, StopIteration):
        pass
    else:
        raise RuntimeError("generator ignored GeneratorExit")


@_public
class Generator(Iterator):
    def __next__(self):
        return self.send(None)

    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise typ if val is None else val

    def close(self):
        _close(self)


@_public
class Sized(_ABC):
    @abstractmethod
    def __len__(self):
        return 0


@_public
class Container(_ABC):
    @abstractmethod
    def __contains__(self, x):
        return False


@_public
class Collection(Sized, Iterable, Container):
    pass


@_public
class Callable(_ABC):
    @abstractmethod
    def __call__(self, *args, **kwds):
        return False


@_public
class Set(Collection):
    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in self)

    def __lt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self.__le__(other)

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in other)

    def __gt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self.__ge__(other)

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in other if value in self)

    __rand__ = __and__

    def isdisjoint(self, other):
        return not any(value in self for value in other)

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(item for part in (self, other) for item in part)

    __ror__ = __or__

    def _as_set(self, other):
        return other if isinstance(other, Set) else self._from_iterable(other)

    def __sub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = self._as_set(other)
        return self._from_iterable(value for value in self if value not in other)

    def __rsub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in self._as_set(other) if value not in self)

    def __xor__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = self._as_set(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__


@_public
class MutableSet(Set):
    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            break
        else:
            raise KeyError from None
        self.discard(value)
        return value

    def clear(self):
        try:
            while True:
                self.pop()
        except KeyError:
            pass

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __iand__(self, it):
        for value in self - it:
            self.discard(value)
        return self

    def __ixor__(self, it):
        if it is self:
            self.clear()
            return self
        for value in self._as_set(it):
            self.discard(value) if value in self else self.add(value)
        return self

    def __isub__(self, it):
        if it is self:
            self.clear()
            return self
        for value in it:
            self.discard(value)
        return self


@_public
class Mapping(Collection):
    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __reversed__ = None


@_public
class MappingView(Sized):
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


@_public
class KeysView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


@_public
class ItemsView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, item):
        key, value = item
        try:
            found = self._mapping[key]
        except KeyError:
            return False
        return found is value or found == value

    def __iter__(self):
        for key in self._mapping:
            yield (key, self._mapping[key])


@_public
class ValuesView(MappingView, Collection):
    def __contains__(self, value):
        return any(found is value or found == value for found in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


_MISSING = object()


@_public
class MutableMapping(Mapping):
    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=_MISSING):
        try:
            value = self[key]
        except KeyError:
            if default is _MISSING:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            break
        else:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **kwds):
        if isinstance(other, Mapping):
            for key in other:
                self[key] = other[key]
        elif hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


@_public
class Sequence(Reversible, Collection):
    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        if start is not None and start < 0:
            start = max(len(self) + start, 0)
        if stop is not None and stop < 0:
            stop += len(self)
        i = start
        while stop is None or i < stop:
            try:
                item = self[i]
            except IndexError:
                break
            if item is value or item == value:
                return i
            i += 1
        raise ValueError

    def count(self, value):
        return sum(1 for item in self if item is value or item == value)


@_public
class ByteString(Sequence):
    pass


@_public
class MutableSequence(Sequence):
    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        for value in list(values) if values is self else values:
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


def _register():
    from _collections import Counter, OrderedDict, defaultdict, deque
    for cls in (int, float, str, bytes, tuple, frozenset, range, type(None), type,
                BaseException):
        Hashable.register(cls)
    for cls in (str, tuple, range, bytes):
        Sequence.register(cls)
    ByteString.register(bytes)
    for cls in (list, deque):
        MutableSequence.register(cls)
    MutableMapping.register(dict)
    Reversible.register(dict)
    Set.register(frozenset)
    MutableSet.register(set)
    Callable.register(type)


_register()
__all__ = _NAMES
