import functools
from functools import cache, cmp_to_key, lru_cache, partial, reduce, wraps

print(reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], "x"), reduce(max, [3, 1, 2]))
add = partial(lambda a, b, c=0: a + b + c, 1, c=10)
print(add(2), add(2, c=5), partial(int, base=2)("101"), add.args, add.keywords, partial(print, sep="-"))
try:
    reduce(lambda a, b: a, [])
except TypeError as e:
    print(e)
#---
from functools import cache, lru_cache

calls = []

@lru_cache(maxsize=2)
def square(x):
    calls.append(x)
    return x * x

print([square(i) for i in (1, 2, 1, 3, 2, 1)], calls, square.cache_info(), square.__name__)
square.cache_clear()
print(square.cache_info())

@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(40), fib.cache_info().hits)

@lru_cache
def pair(a, b=2):
    "Doc."
    return a, b

print(pair(1), pair(1, b=3), pair(1), pair.cache_info(), pair.__doc__)
try:
    pair([])
except TypeError as e:
    print(e)
#---
from functools import cmp_to_key, wraps

def logged(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        print("call", f.__name__, args, kwargs)
        return f(*args, **kwargs)
    return wrapper

@logged
def greet(name, punct="!"):
    """Says hello."""
    return "hello " + name + punct

print(greet("bob", punct="?"), greet.__name__, greet.__doc__)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)), max("ab", "b", key=cmp_to_key(lambda a, b: len(a) - len(b))))
#---
import operator
from operator import attrgetter, itemgetter, methodcaller

rows = [{"n": "b", "v": 2}, {"n": "a", "v": 2}, {"n": "c", "v": 1}]
print(sorted(rows, key=itemgetter("v", "n")), itemgetter(1)([5, 6]), itemgetter(0, -1)("abc"), methodcaller("upper")("x"), methodcaller("split", ",")("a,b"))
print(operator.add(1, 2), operator.mul("a", 3), operator.sub(5, 2), operator.truediv(1, 2), operator.not_(0), operator.contains([1], 1), operator.neg(3), operator.eq(1, 1.0), operator.is_(None, None))
d = {}
operator.setitem(d, "a", 1)
print(d, operator.getitem(d, "a"), max({"a": 3, "b": 5}.items(), key=itemgetter(1))[0])
#---
import bisect
import heapq

h = []
for x in [5, 1, 4, 1, 3]:
    heapq.heappush(h, x)
print(h, heapq.heappop(h), h, heapq.heappushpop(h, 0), heapq.heapreplace(h, 9), h, heapq.nsmallest(2, [3, 1, 2]), heapq.nlargest(2, ["a", "ccc", "bb"], key=len))
data = [9, 7, 5, 3, 1, 2, 8]
heapq.heapify(data)
print(data, [heapq.heappop(data) for _ in range(len(data))], list(heapq.merge([1, 4], [2, 3])))
a = [1, 3, 3, 5]
bisect.insort(a, 4)
print(bisect.bisect(a, 3), bisect.bisect_left(a, 3), bisect.bisect_right(a, 10), a)
try:
    heapq.heappop([])
except IndexError as e:
    print(e)
#---
import copy

a = [1, [2, {"k": [3]}], (4, [5]), {6}]
b = copy.copy(a)
c = copy.deepcopy(a)
a[1][1]["k"].append(9)
a[2][1].append(8)
print(a, b, c, b[1] is a[1], c[1] is a[1], copy.deepcopy((1, 2)) == (1, 2), copy.copy({"a": 1}))
loop = [1]
loop.append(loop)
twin = copy.deepcopy(loop)
print(twin[1] is twin, twin is loop, twin)
