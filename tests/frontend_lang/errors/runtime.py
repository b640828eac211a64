def f(x):
    return 1 / x

print(f(0))
#---
lenght = [1]
len(length)
#---
try:
    {}['a']
except KeyError:
    raise ValueError('b')
#---
try:
    {}['a']
except KeyError as e:
    raise ValueError('b') from e
#---
try:
    {}['a']
except KeyError:
    raise ValueError('b') from None
#---
x = [1, 2, 3]
x[10]
#---
x = {"a": {"b": 1}}
print(x["a"]["c"])
#---
"abc".foo
#---
"abc".uper()
#---
[].apend(1)
#---
None.x
#---
x = None
x.append(1)
#---
x = 5
x()
#---
x = 5
x[0]
#---
x = 5
x[0] = 1
#---
x = (1, 2)
x[0] = 1
#---
x = "abc"
x[0] = "d"
#---
x = (1, 2)
del x[0]
#---
for x in 5:
    pass
#---
a, b = 1
#---
a, b = 1, 2, 3
#---
a, b, c = [1, 2]
#---
a, *b, c = [1]
#---
int("abc")
#---
int("1.5")
#---
float("x")
#---
int([])
#---
int(None)
#---
float(None)
#---
1 + "a"
#---
"a" + 1
#---
[1] + (2,)
#---
{} + {}
#---
"a" * "b"
#---
1 - None
#---
-"a"
#---
~1.5
#---
1 < "a"
#---
None < None
#---
[1] < 1
#---
1 in 5
#---
1 in "abc"
#---
{[]: 1}
#---
{[1, 2]}
#---
{}[{}]
#---
len(5)
#---
1 / 0
#---
1 // 0
#---
1 % 0
#---
1.0 / 0
#---
1.0 // 0
#---
1.0 % 0
#---
divmod(1, 0)
#---
0 ** -1
#---
def f(a, b): pass
f(1)
#---
def f(a, b): pass
f()
#---
def f(a, b, c): pass
f()
#---
def f(a, b): pass
f(1, 2, 3)
#---
def f(a, b=1): pass
f(1, 2, 3)
#---
def f(): pass
f(1)
#---
def f(a): pass
f(1, a=2)
#---
def f(a): pass
f(b=2)
#---
def f(*, a): pass
f(1)
#---
def f(*, a): pass
f()
#---
def f(*, a, b): pass
f()
#---
def f(a, /): pass
f(a=1)
#---
def f(a, *, b): pass
f(1, 2, b=3)
#---
def f():
    print(x)
    x = 1
f()
#---
def f():
    def g():
        print(x)
    g()
    x = 1
f()
#---
def f():
    del x
    x = 1
f()
#---
del x
#---
import math
math.nothing
#---
import math
math.sqrt(-1)
#---
assert 1 == 2
#---
assert 1 == 2, "message"
#---
assert False, ("a", 1)
#---
raise ValueError
#---
raise ValueError()
#---
raise ValueError("a", 1)
#---
raise KeyError("k")
#---
raise "text"
#---
raise 5
#---
raise
#---
raise ValueError("a") from 5
#---
def g():
    yield 1
    raise ValueError("in generator")
for x in g():
    pass
#---
next(iter([]))
#---
def f():
    raise ValueError("deep")
def g():
    f()
def h():
    return [g() for _ in range(2)]
h()
#---
f = lambda x: x / 0
f(1)
#---
sorted([1, "a"])
#---
max([])
#---
min()
#---
sum(["a"])
#---
"{} {}".format(1)
#---
"{a}".format(b=1)
#---
"%d" % "a"
#---
"%s %s" % 1
#---
"%s" % (1, 2)
#---
f"{5:s}"
#---
format(1.5, "d")
#---
[1, 2].index(5)
#---
[].pop()
#---
[1].pop(5)
#---
[1].remove(2)
#---
"abc".index("z")
#---
{}.popitem()
#---
set().pop()
#---
{1}.remove(2)
#---
"a".join([1])
#---
"a".join(5)
#---
"abc".split("")
#---
chr(-1)
#---
ord("ab")
#---
range(1, 2, 0)
#---
range("a")
#---
[1, 2][1.5]
#---
[1, 2]["a"]
#---
"abc"["a"]
#---
[1, 2][1:2:0]
#---
list(5)
#---
dict([1])
#---
dict([(1, 2, 3)])
#---
print(*5)
#---
print(**{1: 2})
#---
def f(**k): pass
f(**5)
#---
def f(a): pass
f(*[1, 2])
#---
try:
    1 / 0
finally:
    [][1]
#---
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        e.add_note("a note")
        raise
except ZeroDivisionError as e:
    e.add_note("another")
    raise
#---
def f():
    try:
        raise KeyError("inner")
    except KeyError as e:
        raise RuntimeError("outer") from e
def g():
    try:
        f()
    except RuntimeError:
        raise ValueError("last")
g()
#---
def f(x):
    return (x +
            None)
f(1)
#---
x = [1, 2, 3]
y = x[0] * x[1] / (x[0] - 1)
#---
d = {"a": [1, {"b": None}]}
d["a"][1]["b"]["c"]
#---
x = 1
x.foo.bar
#---
def outer():
    def inner(y):
        return undefined_name + y
    return inner(2)
result = outer()
#---
values = [3, 4]
for i in range(3):
    print(values[i])
#---
print(pritn)
#---
foo = 1
def f():
    foobar = 2
    return fobar
f()
#---
try:
    pass
except 5:
    pass
#---
try:
    raise ValueError("x")
except "text":
    pass
#---
with 5:
    pass
#---
x = 10
assert isinstance(x, str), f"expected str, got {type(x).__name__}"
#---
isinstance(1, 5)
#---
[i / (i - 2) for i in range(5)]
#---
{k: v[0] for k, v in {"a": [1], "b": []}.items()}
#---
raise SystemError("s")
#---
raise NotImplementedError
#---
raise TimeoutError("too late")
#---
raise StopIteration(5)
#---
raise KeyboardInterrupt
#---
raise OSError(2, "No such file")
#---
raise UserWarning("w")
#---
def f(n):
    if n == 0:
        raise ValueError("bottom")
    f(n - 1)
f(6)
#---
a = b = 1
a.c = 5
#---
x = "é" + 1
#---
    # comment
x = 1  # comment
y = x / 0  # trailing comment
#---
foo = {"bar": 1}
foo.bar
#---
def g():
    x = yield
    raise RuntimeError(x)
it = g()
next(it)
it.send("sent")
#---
it = (x for x in [1])
next(it)
next(it)
#---
1 if 1 / 0 else 2
#---
not 1 / 0
#---
x = [
    1,
    2 / 0,
]
#---
print(
    "a",
    undefined,
)
#---
def f(a, b=1/0): pass
#---
@undefined
def f(): pass
#---
x = 5
x += "a"
#---
d = {}
d["a"] += 1
#---
x = "a"
x -= 1
#---
import math
math.sqrt("a")
#---
abs("a")
#---
round("a")
#---
pow(2, "a")
#---
(lambda: 1)(2)
#---
print("a" if undefined else "b")
#---
while undefined:
    pass
#---
if 1 < "a":
    pass
#---
x = 1
x[0]["a"]
#---
return_value = [].foo
#---
del {}["a"]
#---
"a b".split(1)
#---
"abc".replace("a")
#---
[1, 2].append()
#---
[1].append(1, 2)
#---
{}.get()
#---
len()
#---
len(1, 2)
#---
ord(5)
#---
int("5", 99)
#---
"abc".center("a")
#---
hash([])
#---
zip(1)
#---
enumerate(5)
#---
any(5)
#---
iter(5)
#---
next(5)
