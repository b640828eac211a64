import collections
import collections.abc as abc
import numbers


class Iterates:
    def __iter__(self):
        return iter([])


class Sized:
    def __len__(self):
        return 0


class Both(Iterates, Sized):
    def __contains__(self, item):
        return False


class Callable:
    def __call__(self):
        pass


class Unhashable:
    __hash__ = None


class MyList(list):
    pass


types = [int, float, str, bytes, list, tuple, dict, set, frozenset, range, type(None), bool, type,
         collections.Counter, collections.deque, collections.defaultdict,
         collections.OrderedDict, collections.ChainMap, collections.UserDict, collections.UserList,
         Iterates, Sized, Both, Callable, Unhashable, MyList, Exception]
for name in ["Hashable", "Iterable", "Iterator", "Reversible", "Sized", "Container", "Callable",
             "Collection", "Set", "MutableSet", "Mapping", "MutableMapping", "Sequence",
             "MutableSequence", "ByteString", "Awaitable"]:
    print(name, [cls.__name__ for cls in types if issubclass(cls, getattr(abc, name))])
for name in ["Number", "Complex", "Real", "Rational", "Integral"]:
    print(name, [cls.__name__ for cls in types if issubclass(cls, getattr(numbers, name))])
#---
import collections
import collections.abc as abc
import typing


def generate():
    yield


values = {"1": 1, "str": "", "list": [], "tuple": (), "dict": {}, "set": set(), "range": range(2),
          "generator": generate(), "map": map(str, []), "zip": zip(), "iter": iter([]),
          "function": generate, "len": len, "keys": {}.keys(), "values": {}.values(),
          "items": {}.items(), "deque": collections.deque(), "counter": collections.Counter(),
          "none": None, "bytes": b"", "float": 1.5, "class": int}
for name in ["Hashable", "Iterable", "Iterator", "Generator", "Reversible", "Sized", "Container",
             "Callable", "Collection", "Set", "MutableSet", "Mapping", "MutableMapping",
             "MappingView", "KeysView", "ItemsView", "ValuesView", "Sequence", "MutableSequence"]:
    print(name, [key for key, value in values.items() if isinstance(value, getattr(abc, name))])
for name in ["Iterable", "Mapping", "Sequence", "Callable", "List", "Dict", "Deque", "Counter"]:
    print(name, [key for key, value in values.items() if isinstance(value, getattr(typing, name))])
#---
from collections.abc import MutableMapping, MutableSequence, Sequence, Set


class Store(MutableMapping):
    def __init__(self):
        self.items_ = {}

    def __getitem__(self, key):
        return self.items_[key]

    def __setitem__(self, key, value):
        self.items_[key] = value

    def __delitem__(self, key):
        del self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)


class Fixed(Sequence):
    def __getitem__(self, index):
        return [1, 2, 3, 2][index]

    def __len__(self):
        return 4


class Growing(MutableSequence):
    def __init__(self):
        self.items = []

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __len__(self):
        return len(self.items)

    def insert(self, index, value):
        self.items.insert(index, value)


class Letters(Set):
    def __init__(self, letters=""):
        self.letters = list(dict.fromkeys(letters))

    def __contains__(self, letter):
        return letter in self.letters

    def __iter__(self):
        return iter(self.letters)

    def __len__(self):
        return len(self.letters)


store = Store()
store.update(a=1, b=2)
print(list(store.items()), store.pop("a"), store.get("z", 3), store.setdefault("q", 1),
      store == {"b": 2, "q": 1}, "q" in store, dict(store), isinstance(store, dict))
print(store.popitem(), list(store.values()), store.clear(), len(store))
try:
    store.pop("nope")
except KeyError as error:
    print(repr(error))
fixed = Fixed()
print(list(fixed), 2 in fixed, fixed.index(2), fixed.count(2), list(reversed(fixed)))
growing = Growing()
growing.append(1)
growing.extend([2, 3])
growing += [4]
growing.remove(1)
growing.reverse()
print(growing.items, growing.pop(), growing.items)
a, b = Letters("abc"), Letters("bcd")
print((a & b).letters, (a | b).letters, (a - b).letters, (a ^ b).letters, a <= b,
      a == Letters("cba"), a.isdisjoint(b))
for cls in (Sequence, type("Bad", (MutableMapping,), {})):
    try:
        cls()
    except TypeError as error:
        print(error)
#---
from abc import ABC, abstractmethod
from collections.abc import Sequence


class Shape(ABC):
    @abstractmethod
    def area(self):
        ...


@Shape.register
class Square:
    def area(self):
        return 4


print(isinstance(Square(), Shape), issubclass(Square, Shape), issubclass(int, Shape))
Sequence.register(Square)
print(isinstance(Square(), Sequence), Sequence, type(Shape), type(Shape).__name__)
print([cls.__name__ for cls in Shape.mro()])
