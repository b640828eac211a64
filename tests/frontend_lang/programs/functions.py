def f(a, b=2, *args, c, d=4, **kw): return (a, b, args, c, d, kw)
print(f(1, c=3), f(1, 2, 3, 4, c=5, e=6))
#---
def f(a, /, b, *, c): return a, b, c
print(f(1, 2, c=3), f(1, b=2, c=3))
for call in (lambda: f(a=1, b=2, c=3), lambda: f(1, 2, 3), lambda: f(1), lambda: f(1, 2, c=3, d=4), lambda: f(1, 2, b=2, c=3)):
    try: call()
    except TypeError as e: print(e)
#---
def outer():
    x = 0
    def inc():
        nonlocal x
        x += 1
        return x
    return inc
g = outer(); g(); print(g(), outer()())
#---
count = 0
def bump():
    global count
    count += 1
bump(); bump(); print(count)
#---
def deco(n):
    def wrap(f):
        def inner(*a, **k): return n * f(*a, **k)
        return inner
    return wrap
@deco(3)
@deco(2)
def f(x): return x
print(f(7))
#---
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
print(fact(20))
#---
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
print(deep(900))
try: deep(5000)
except RecursionError: print("deep")
#---
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], [f() for f in [lambda: i for i in range(3)]])
#---
def f():
    print(x)
    x = 1
try: f()
except UnboundLocalError as e: print(e)
#---
def f(x=[]):
    x.append(1)
    return x
print(f(), f())
#---
def f(*a): return a
print(f(*[1, 2], 3, *"ab"), f(*(), *range(2)))
#---
def f(**k): return k
print(f(**{"a": 1}, b=2, **{"c": 3}))
#---
def f(a, b): return a - b
print(f(**{"b": 1, "a": 5}), f(*[5], **{"b": 2}))
#---
def f(): "doc string"
print(f.__name__, f.__doc__, f())
#---
def a(): return b()
def b(): return "late"
print(a())
#---
def f(n):
    def g(m): return m if m == 0 else h(m - 1)
    def h(m): return g(m)
    return g(n)
print(f(10))
#---
print((lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4))
#---
def f(a: int, b: "str" = "x", *c: float) -> list[int]:
    y: int = a
    return [y]
print(f(1))
#---
def f():
    def g():
        return x
    x = 5
    return g()
print(f())
#---
def f(x):
    def g():
        nonlocal x
        del x
    g()
    return x
try: f(1)
except NameError as e: print("gone")
#---
try: (lambda: 1)(2)
except TypeError as e: print(e)
try: print(1)(2)
except TypeError as e: print(e)
try: f2()
except NameError as e: print("NameError")
#---
def f(a, b, c): pass
for args in [(), (1,), (1, 2)]:
    try: f(*args)
    except TypeError as e: print(e)
def g(*, x, y): pass
try: g()
except TypeError as e: print(e)
def h(a, b=1): pass
try: h(1, 2, 3)
except TypeError as e: print(e)
#---
def f(x): return x
print(callable(f), callable(1), callable(int), callable("a".upper))
