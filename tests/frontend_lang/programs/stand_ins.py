# Members of an IntEnum are ints wherever a built-in wants one.
import itertools
import math
import random
from collections import Counter, deque
from enum import IntEnum


class N(IntEnum):
    ONE = 1
    TWO = 2
    THREE = 3


items = list(range(10))
print(items[N.TWO], items[N.ONE:], items[:: N.THREE], items[-N.TWO :])
print(list(range(N.THREE)), list(range(N.ONE, 10, N.THREE)))
print(round(3.14159, N.TWO), divmod(N.THREE, N.TWO), chr(N.THREE + 94), chr(N.THREE) == "\x03")
print(hex(N.THREE), bin(N.TWO), oct(N.THREE), int("11", N.TWO), math.sqrt(N.ONE))
print(math.floor(N.THREE), math.factorial(N.THREE), math.gcd(N.TWO, 4), math.comb(N.THREE, N.TWO))
print(list(itertools.islice("abcdef", N.ONE, 6, N.TWO)), list(itertools.repeat("x", N.TWO)))
print(deque("abcd", maxlen=N.TWO), Counter("aab").most_common(N.ONE))
items.insert(N.ONE, "new")
print(items.pop(N.ONE), items.index(4, N.TWO), "x" * N.THREE, "a b c".split(None, N.ONE))
print("%d %x %5.1f %s %c" % (N.TWO, N.THREE, N.ONE, N.TWO, N.THREE + 94))
print("abcabc".find("a", N.ONE), "-".join(["a", "b"]).replace("a", "c", N.ONE), "7".zfill(N.THREE))
#---
# Objects with __index__.
class Place:
    def __init__(self, at):
        self.at = at

    def __index__(self):
        return self.at


p = Place(1)
print([10, 20, 30][p], "abc"[p], (1, 2)[p], range(5)[p], [1, 2, 3][p:], "abc"[: Place(2)])
print(list(range(Place(3))), hex(Place(255)), bin(p), round(2.567, p), chr(Place(97)))
values = [1, 2, 3]
values[p] = "x"
del values[Place(0)]
values[p:] = ["y", "z"]
print(values, "%x %d" % (p, p))
for bad in ("a", None, 1.5):
    try:
        print([1, 2][Place(bad)])
    except TypeError as error:
        print(error)
#---
# Numbers that format themselves, and a text that asks them.
from enum import Enum


class Money(float):
    def __str__(self):
        return "$%.2f" % float(self)


class Color(str, Enum):
    RED = "red"


class Half:
    def __float__(self):
        return 0.5

    def __int__(self):
        return 7


print("%s %r %.1f" % (Money(1), Money(2), Money(3)), "%s" % Money(4))
print("%s" % Color.RED, "%s|%s" % (Color.RED, Color.RED.value), f"{Color.RED}", "%.2f" % Half())
for form in ("%d", "%x", "%f", "%s %s"):
    try:
        print(form % object)
    except TypeError as error:
        print(form, error)
try:
    print("%(a)s %s" % {"a": 1})
except TypeError as error:
    print(error)
print("%s %(a)s" % {"a": 1}, "%(a)s" % {"a": 1, "b": 2})
#---
# Members of a str Enum in re, getattr, ord and keywords.
import re
from enum import Enum


class Tag(str, Enum):
    A = "a+"
    B = "b"


class S(str):
    pass


print(re.match(Tag.A, "aab").group(), re.sub("b", S("<b>"), Tag.B), re.split(S(","), S("a,b")))
print(re.findall("b", Tag.B), re.compile(Tag.A).fullmatch(S("aa")), re.escape(S("a+b")))
print(ord(Tag.B), getattr("abc", S("upper"))(), (lambda **kw: kw)(**{S("k"): 1}), S("b") in "abc")
print(hasattr("", Tag.B), "x".join(S("ab")), "abc".startswith(Tag.B), Tag.B.upper())
try:
    getattr("abc", 5)
except TypeError as error:
    print(error)
#---
# A mapping is what has keys() and [].
class Row:
    def __init__(self, **items):
        self.items = items

    def keys(self):
        return list(self.items)

    def __getitem__(self, key):
        return self.items[key]


row = Row(a=1, b=2)
print(dict(row), dict(row, c=3), {**row, "d": 4}, (lambda **kw: kw)(**row))
d = {"z": 0}
d.update(row)
print(d, dict(dict(row)) == d)


class NoKeys:
    pass


for make in (lambda: dict(NoKeys()), lambda: {**NoKeys()}, lambda: dict(**NoKeys()), lambda: dict(5)):
    try:
        make()
    except TypeError as error:
        print(error)
#---
# Dicts that make up what they lack, in the places where a template asks them.
class Safe(dict):
    def __missing__(self, key):
        return "{" + key + "}"


print("{a} {b}".format_map(Safe(a=1)), "%(a)s %(z)s" % Safe(a=2), Safe()["q"])


class Loud(dict):
    def __getitem__(self, key):
        return key.upper()

    def __iter__(self):
        return iter(["one"])


loud = Loud(a=1)
print("{a}".format_map(loud), "%(x)s" % loud, "a" in loud, "one" in loud, list(loud), loud.get("a"))


class Shout(dict):
    def __missing__(self, key):
        return chr(key).upper()


print("abc".translate(Shout({98: "-"})))
#---
# Views of dicts are sets.
data = {"a": 1, "b": 2}
print({"a"} <= data.keys(), data.keys() >= {"a", "b"}, data.keys() < {"a", "b", "c"}, data.keys() > {"b"})
print(data.keys() <= {"a"}, data.keys() == {"a", "b"}, {"a", "b"} == data.keys(), data.keys() != {"a"})
print(data.items() <= {"a": 1, "b": 2, "c": 3}.items(), {("a", 1)} <= data.items())
print(sorted(data.keys() - ["a"]), sorted(data.keys() | "xy"), sorted(data.keys() & ["a", "z"]))
print(sorted(data.keys() ^ {"b", "c"}), sorted({"a", "z"} - data.keys()), sorted(["a", "q"] - data.keys()))
print(data.keys().isdisjoint(["z"]), data.keys().isdisjoint(iter("a")), data.items().isdisjoint([("a", 2)]))
print(data.keys() == {"a": 5, "b": 6}.keys(), data.items() == {"a": 1, "b": 2}.items())
lists = {"a": [1]}
print(lists.items() <= {"a": [1], "b": [2]}.items(), lists.items() == {"a": [1]}.items())
for test in (
    lambda: data.values() <= {1},
    lambda: data.keys() <= ["a"],
    lambda: data.keys() - 5,
    lambda: data.values() - {1},
    lambda: data.keys() + {1},
    lambda: data.values().isdisjoint([]),
):
    try:
        print(test())
    except (TypeError, AttributeError) as error:
        print(type(error).__name__, error)
#---
# Which special methods there are.
def f():
    pass


class Plain:
    pass


class Items(list):
    pass


names = ["__iter__", "__len__", "__getitem__", "__call__", "__next__", "__contains__", "__add__"]
for value in ([], "", (), {}, {1}, range(3), 5, f, len, Plain(), Items(), iter([]), {}.keys()):
    print(type(value).__name__, [name for name in names if hasattr(value, name)])


def flatten(x):
    if hasattr(x, "__iter__") and not isinstance(x, str):
        return [z for y in x for z in flatten(y)]
    return [x]


print(flatten([1, [2, (3, "four")], {5: 6}.keys()]))
print([1, 2].__len__(), "abc".__contains__("b"), (5).__add__(3), {"k": 1}.__getitem__("k"))
print(sorted("bca", key={"a": 3, "b": 2, "c": 1}.__getitem__), "z".__eq__("z"), (3).__lt__(4))
it = iter([7, 8])
print(it.__next__(), [*it.__iter__()], "x".__str__(), [1].__repr__(), (2).__mul__(4), f.__call__())
#---
# The type of a function is one type.
def f():
    yield


def g():
    pass


print(type(f) == type(g), type(f) is type(lambda: 0), isinstance(g, type(lambda: 0)))
print(isinstance(len, type(print)), isinstance(5, type(f)), type(len) == type(print))
print(isinstance({}.keys(), type({}.keys())), isinstance(f(), type(f())), isinstance([], type(iter([]))))
print(type(iter([])) == type(iter([1])), isinstance(iter({}), type(iter([]))), type(f).__name__)
#---
# What the rest of a split keeps.
print("  abc  def ".split(maxsplit=1), " a b c ".split(None, 1), "go north\n".split(None, 1))
print(" a b c ".rsplit(None, 1), " a b ".rsplit(maxsplit=1), "a ".split(None, 1), " a".rsplit(None, 1))
print("  a b ".split(None, 0), "  a b ".rsplit(None, 0), " a  b  c ".split(None, 5), "".split(None, 1))
#---
# What collections.abc says of objects.
from collections import deque
from collections.abc import *


class It:
    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration


class Sized_:
    def __len__(self):
        return 0


class Box:
    def __contains__(self, x):
        return True

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0


class Call:
    def __call__(self):
        pass


class Unhashable:
    def __eq__(self, other):
        return True


kinds = [Iterable, Iterator, Sized, Container, Collection, Callable, Hashable, Sequence, MutableSequence]
kinds += [Mapping, Set, MutableSet, Reversible]
values = [It(), Sized_(), Box(), Call(), Unhashable(), [], (), "", {}, set(), frozenset(), range(2), 5]
values += [iter([]), deque(), {}.keys(), {}.values(), len, print, int, lambda: 0, None, [].append]
for value in values:
    print(type(value).__name__, [kind.__name__ for kind in kinds if isinstance(value, kind)])
