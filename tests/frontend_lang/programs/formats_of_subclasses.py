class Safe(dict):
    def __missing__(self, key):
        return "{" + key + "}"


print("{a} {b}".format_map(Safe(a=1)), "%(a)s %(z)s" % Safe(a=2))
print("{a[x]}".format_map(Safe(a={"x": 5})))
try:
    "{q}".format_map({"a": 1})
except KeyError as error:
    print(error)
#---
from enum import Enum, IntEnum


class Price(float):
    def __str__(self):
        return f"${float(self):.2f}"


class Count(int):
    pass


class Level(IntEnum):
    LOW = 1


class Kind(int, Enum):
    A = 7


print("%s" % Price(1), "%.1f" % Price(2.25), "%s|%s" % (Price(3), Price(4)), "%r" % Price(5))
print("%d" % Count(7), "%d-%05d" % (Count(7), Level.LOW), "%x" % Count(255), "%s" % Count(3), "%s" % Level.LOW)
print("%d" % Kind.A, "%s" % Kind.A, "%f" % Count(2))


class Items(list):
    def __str__(self):
        return "items"


class Point(tuple):
    pass


print("%s" % Items([1]), "%s %s" % Point((1, 2)), "%s" % {"a": 1}, "%s" % [1])
for run in (lambda: "abc" % Count(1), lambda: "abc" % Kind.A, lambda: "%d" % "x", lambda: "abc" % Items([1])):
    try:
        print(run())
    except TypeError as error:
        print(error)
#---
class Name(str):
    pass


class Box:
    size = 3


print(getattr(Box, Name("size")), hasattr(Box(), Name("size")))
box = Box()
setattr(box, Name("color"), "red")
print(vars(box), box.color)
