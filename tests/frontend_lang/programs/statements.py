a = b = c = []
a.append(1)
print(b, c, a is c)
x = y, z = 1, 2
print(x, y, z)
(p), [q, r] = 1, (2, 3)
print(p, q, r)
#---
def show(x):
    print("eval", x)
    return x
d = {}
d[show("k")] = show("v")
l = [0, 0]
l[show(0)], l[show(1)] = show(5), show(6)
print(d, l)
show([1])[show(0)] += show(2)
{show("a"): show(1), show("b"): show(2)}
print(show(1) < show(2) < show(0) < show(9))
def f(*args, **kwargs):
    print(args, kwargs)
f(show(1), *show([2]), k=show(3), **show({"m": 4}))
#---
i = 0
l = [10, 20, 30]
i, l[i] = 1, 99
print(i, l)
a, b = 1, 2
a, b = b, a + b
print(a, b)
first, *middle, last = range(5)
print(first, middle, last)
*init, tail = "abc"
print(init, tail)
(a, b), c = (1, 2), 3
[x, [y, *z]] = 1, (2, 3, 4)
print(a, b, c, x, y, z)
#---
x = 5
x += 1; x -= 2; x *= 3; x //= 2; x **= 2; x %= 7; x <<= 3; x |= 1; x &= 15; x ^= 2; x >>= 1
print(x)
s = "a"
s += "b"; s *= 3
print(s)
l = [1]
m = l
l += [2]
l *= 2
print(l, m is l)
t = (1,)
u = t
t += (2,)
print(t, u)
d = {"a": 1}
d["a"] += 5
d |= {"b": 2}
print(d)
y = 7
y /= 2
print(y)
#---
x = 1
del x
try:
    x
except NameError as e:
    print(e)
l = list(range(10))
del l[0], l[-1]
del l[1:3]
del l[::2]
print(l)
d = {"a": 1, "b": 2}
del d["a"]
print(d)
a, b, c = 1, 2, 3
del (a, b), [c]
try:
    c
except NameError as e:
    print(e)
#---
if (n := 10) > 5: print(n)
print([y := 1, y ** 2, y + 1])
print([last := x for x in range(3)], last)
print((z := 3) + z, (lambda: (w := 4) + w)())
while (n := n - 3) > 0: print(n)
def f(data):
    if any((hit := x) > 2 for x in data):
        return hit
print(f([1, 2, 3, 4]))
#---
def f(a, b=2, /, c=3, *args, d, e=5, **kw):
    return a, b, c, args, d, e, kw
print(f(1, d=4), f(1, 2, 3, 4, 5, d=6, e=7, x=8), f(1, c=9, d=0, a=5))
def g(*, k): return k
print(g(k=1), (lambda *a, **k: (a, k))(1, 2, x=3))
#---
x = 1
def f():
    global x, made
    x = 2
    made = "global"
def outer():
    v = 1
    def inner():
        nonlocal v
        v += 1
        return v
    return inner() + inner() + v
f()
print(x, made, outer())
#---
def deco(prefix):
    def wrap(f):
        def inner(*a):
            return prefix + str(f(*a))
        return inner
    return wrap
decorators = [deco("a"), deco("b")]
@decorators[0]
@decorators[1]
@(lambda f: f)
def f(x): return x
print(f(1))
#---
import sys
print(1, "a", None, sep="-", end="!\n")
print(*[1, 2], *(3,), sep=", ")
print("err", file=sys.stderr)
print("flush", flush=True)
print()
print("", end="")
print("a", "b", sep="")
print("x", sep=None, end=None)
#---
x = ...
print(x, x is Ellipsis, [...], type(...).__name__)
def stub(): ...
print(stub())
def documented():
    """Docs."""
    return 1
print(documented.__doc__, stub.__doc__)
#---
if True: a = 1; b = 2
print(a, b); print(a +
  b)
total = 1 + \
    2
print(total)
s = ("implicit "
     'join' " of"
     f" {total}")
print(s)
if (a == 1 and
        b == 2):
    print("yes")
#---
if True:
	print("tab")
	if True:
	  print("tab and blanks")
for i in range(2):
            print("deep", i)
#---
for i in range(3):
    if i == 5: break
else:
    print("no break")
while False: pass
else: print("while else")
for i in []: pass
else: print(i)
#---
print(1_000_000, 0x_ff, 0o17, 0b1010, 1e3, 1.5e-3, .5, 5., 1_0.0_1, 0xFF, 0O7, 0B1)
print(0, 00, 000, 1e400, -0.0)
#---
print(r"\n", "\x41\u00e9\U0001F600\101\t|", 'a\
b', """tri"ple
line""", R"\d" "\\")
print("tab\there", 'q\'q', "q\"q", '''a'b''')
#---
name, width, value = "x", 8, 3.14159
print(f"{name!r:>{width}}|{value:.{2}f}|{value=:.1f}|{name=}|{name = !s}|{{}}|{1 + 1=}")
print(f"{'nested ' + f'{value:.1f}'}", f"{[i for i in range(3)]}", f"{ {'a': 1}['a'] }", f"{(lambda x: x * 2)(3)}")
print(f"{value:{'>' + str(width)}}" f"{name}" "plain")
print(f'''{
    value
}''', f"{name:^{width}}|{name:*<5}|{42:05d}|{1234567:,}|{0.5:%}|{255:#x}")
#---
é = 1
naïve_ß = 2
变量 = 3
print(é + naïve_ß + 变量)
#---
from __future__ import annotations
Vector = list[float]
def f(v: Vector, n: "undefined" = 1) -> dict[str, list[int]]:
    x: int = 5
    y: str
    return {str(x): [n]}
print(f([1.0]))
z: tuple[int, ...] = (1, 2)
print(z)
#---
if __name__ == "__main__":
    print("main")
try:
    import nothing as something
except ImportError:
    something = None
print(something)
#---
from math import *
print(pi > 3, sqrt(16), floor(2.5))
#---
print(*"ab", *range(2), [*"ab", *{"k": 1}], {*[1, 2], 3} == {1, 2, 3}, {**{"a": 1}, "b": 2, **{"a": 3}}, (*[1], 2))
def f(*args, **kw): return args, kw
print(f(*[1], 2, *[3], **{"a": 1}, b=2, **{"c": 3}))
for x in 1, *[2, 3]: print(x, end=" ")
print()
def g():
    return 1, *[2, 3]
print(g())
x = 1, *"bc"
print(x, [x for x in (1, *[2])])
#---
x = 5
def f():
    return x
def g():
    x = 6
    return f(), (lambda: x)(), [x for _ in range(1)], (lambda x=7: x)()
print(g())
l = [lambda i=i: i for i in range(3)]
print([f() for f in l])
#---
a = 1 if False else 2 if False else 3
b = not True or False and True
c = 1 < 2 > 0 != 5 in [5] is not None
print(a, b, c, 2 ** 3 ** 2, -2 ** 2, (not 1) + 1, 7 // -2, -7 % 3, 1 or 1 / 0, 0 and 1 / 0, ~5 & 3 | 4 ^ 1)
#---
def f(x, acc=[]):
    acc.append(x)
    return acc
print(f(1), f(2), f(3, []), f(4))
#---
try:
    def f(a, b): pass
    f(1, 2, 3)
except TypeError as e: print(e)
try: f(1)
except TypeError as e: print(e)
try: f(1, b=2, a=3)
except TypeError as e: print(e)
try: f(1, 2, c=3)
except TypeError as e: print(e)
try: f(**{"a": 1, 2: 3})
except TypeError as e: print(e)
try: f(*5)
except TypeError as e: print(e)
try: f(**5)
except TypeError as e: print(e)
try: f(a=1, **{"a": 2})
except TypeError as e: print(e)
#---
x = [1, 2, 3]
for i, v in enumerate(x):
    x[i] = v * 2
for (a, b), c in [((1, 2), 3)]: print(a, b, c)
for x[0] in range(3): pass
print(x)
d = {}
for d["k"] in "ab": pass
print(d)
