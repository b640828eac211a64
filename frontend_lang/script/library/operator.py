"""operator: the operators are _operator's; here is what is made of them."""
from _operator import (add, and_, attrgetter, concat, contains, delitem, eq, floordiv, ge, getitem,
                       gt, inv, invert, is_, is_not, itemgetter, le, lshift, lt, methodcaller, mod,
                       mul, ne, neg, not_, or_, pos, pow, rshift, setitem, sub, truediv, truth, xor)

abs = abs


def index(a, /):
    if isinstance(a, int):
        return int(a)
    method = getattr(a, "__index__", None)
    if method is None:
        raise TypeError(f"{type(a).__name__!r} object cannot be interpreted as an integer")
    return method()


def matmul(a, b, /):
    return a @ b


def call(obj, /, *args, **kwargs):
    return obj(*args, **kwargs)


def countOf(a, b, /):
    return sum(1 for item in a if item is b or item == b)


def indexOf(a, b, /):
    for place, item in enumerate(a):
        if item is b or item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


def length_hint(obj, default=0, /):
    try:
        return len(obj)
    except TypeError:
        hint = getattr(obj, "__length_hint__", None)
        return default if hint is None else hint()


def iadd(a, b, /):
    a += b
    return a


iconcat = iadd


def isub(a, b, /):
    a -= b
    return a


def imul(a, b, /):
    a *= b
    return a


def imatmul(a, b, /):
    a @= b
    return a


def itruediv(a, b, /):
    a /= b
    return a


def ifloordiv(a, b, /):
    a //= b
    return a


def imod(a, b, /):
    a %= b
    return a


def ipow(a, b, /):
    a **= b
    return a


def ilshift(a, b, /):
    a <<= b
    return a


def irshift(a, b, /):
    a >>= b
    return a


def iand(a, b, /):
    a &= b
    return a


def ior(a, b, /):
    a |= b
    return a


def ixor(a, b, /):
    a ^= b
    return a
