class L(list):
    def last(self):
        return self[-1]


class D(dict):
    pass


class S(set):
    pass


class Holder:
    def __init__(self):
        self.items = L()


a = b = L([1])
a += [2]
b += (x for x in range(2))
b *= 2
print(type(a).__name__, a, a is b, a.last())
d = e = D({1: 1})
e |= {2: 2}
print(type(d).__name__, d, d is e)
s = t = S([1, 2, 3])
t |= {9}
t &= {1, 3, 9}
t -= {3}
t ^= {4, 9}
print(type(s).__name__, s, s is t)
h = Holder()
same = h.items
h.items += ["x"]
print(same, type(h.items).__name__)
#---
class dotdict(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


d = dotdict(a=1)
d.b = 2
print(d.a, d.b, d.missing, d)
del d.a
print(d, "a" in d)


class Stack(list):
    push = list.append
    size = list.__len__


s = Stack()
s.push(3)
s.push(4)
print(s, s.size(), s.pop())


class Loud(str):
    shout = str.upper


print(Loud("abc").shout())
#---
from enum import Enum, IntEnum, StrEnum


class Level(IntEnum):
    HI = 2

    def __str__(self):
        return "Hi"


class Tone(StrEnum):
    A = "a"

    def __str__(self):
        return "Tone"


print(f"{Level.HI} {Tone.A} {Level.HI:3}|", "{}".format(Level.HI), f"{Level.HI:d}")
