def g():
    x = yield 1
    print("got", x)
    y = yield 2
    print("got", y)
    return "end"
it = g()
print(next(it))
print(it.send("a"))
try:
    it.send("b")
except StopIteration as e:
    print("stop", e.value, e.args)
#---
def averager():
    total, count, average = 0, 0, None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count
a = averager()
next(a)
print([a.send(x) for x in [10, 20, 60]])
#---
def g():
    while True:
        try:
            x = yield
            print("x", x)
        except ValueError as e:
            print("caught", e)
            yield "from except"
        finally:
            print("finally")
it = g()
next(it)
it.send(1)
print(it.throw(ValueError("v")))
print(next(it))
it.close()
print("closed")
#---
def g():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print("exit")
        raise
    finally:
        print("cleanup")
it = g()
print(next(it))
it.close()
it.close()
print(list(it))
#---
def g():
    try:
        yield 1
    except GeneratorExit:
        yield 2
it = g()
next(it)
try:
    it.close()
except RuntimeError as e:
    print(e)
#---
def inner():
    x = yield "i1"
    print("inner got", x)
    try:
        yield "i2"
    except KeyError as e:
        print("inner caught", e)
        yield "i3"
    return "inner result"
def outer():
    r = yield from inner()
    print("outer got", r)
    yield "o1"
it = outer()
print(next(it))
print(it.send("s"))
print(it.throw(KeyError("k")))
print(next(it))
print(list(it))
#---
def g():
    r = yield from [1, 2, 3]
    print(r)
    r = yield from range(2)
    print(r)
    return "x"
def h():
    print((yield from g()))
print(list(h()))
#---
def inner():
    try:
        yield 1
        yield 2
    finally:
        print("inner closed")
def outer():
    try:
        yield from inner()
    finally:
        print("outer closed")
it = outer()
print(next(it))
it.close()
#---
def g():
    try:
        yield 1
    finally:
        print("dropped")
def f():
    for x in g():
        print(x)
        break
    print("after")
f()
it = g()
next(it)
it = None
print("end")
#---
def g():
    yield 1
    raise StopIteration("no")
try:
    for x in g():
        print(x)
except RuntimeError as e:
    print(e, repr(e.__cause__))
#---
def g():
    try:
        yield next(it)
    except ValueError as e:
        print(e)
    yield 5
it = g()
print(next(it))
#---
def g():
    yield 1
it = g()
try:
    it.send(5)
except TypeError as e:
    print(e)
print(next(it), next(it, "default"))
try:
    next(it)
except StopIteration as e:
    print(repr(e), e.value)
try:
    it.throw(ValueError("late"))
except ValueError as e:
    print(e)
#---
def g():
    yield
it = g()
try:
    it.throw(ValueError("first"))
except ValueError as e:
    print(e)
print(list(it))
#---
def g(n):
    while n > 0:
        got = yield n
        n = got if got is not None else n - 1
it = g(5)
print(next(it), next(it), it.send(10), next(it), it.send(1), list(it))
#---
def tree(t):
    if isinstance(t, list):
        for x in t:
            yield from tree(x)
    else:
        yield t
print(list(tree([1, [2, [3, [4]], 5], [[[6]]]])))
#---
def g():
    x = yield
    while x is not None:
        x = yield x * 2
it = g()
next(it)
print(it.send(1), it.send("ab"), it.send([1]))
try:
    it.send(None)
except StopIteration:
    print("stopped")
#---
def g():
    try:
        while True:
            yield
    except Exception as e:
        return f"ended by {type(e).__name__}"
it = g()
next(it)
try:
    it.throw(TypeError)
except StopIteration as e:
    print(e.value)
#---
e = (x * y for x in range(3) for y in range(3) if x != y)
print(next(e), list(e))
n = 2
e = (n * i for i in range(3))
n = 10
print(list(e))
#---
def f():
    fs = [lambda i=i: i for i in range(3)]
    return [g() for g in fs], [g() for g in [lambda: i for i in range(3)]]
print(f())
#---
print(sum(x * x for x in range(10)), max((len(w), w) for w in "a bb ccc".split()))
print(any(x > 3 for x in [1, 5]), all(x > 3 for x in [1, 5]), list(zip((x for x in "ab"), (y for y in "cd"))))
#---
def g():
    try:
        yield 1
    except:
        print("in except")
        try:
            yield 2
        finally:
            print("inner finally")
        raise
it = g()
next(it)
print(it.throw(KeyError("k")))
try:
    next(it)
except KeyError as e:
    print("again", e)
#---
def g():
    try:
        1 / 0
    except ZeroDivisionError:
        yield "handling"
        try:
            raise
        except ZeroDivisionError as e:
            yield str(e)
try:
    raise KeyError("outer")
except KeyError:
    it = g()
    print(next(it))
print(next(it))
#---
def countdown(n):
    print("start")
    while n:
        yield n
        n -= 1
    print("end")
for x in countdown(3):
    print(x)
a, b = countdown(2)
print(a, b)
#---
def window(it, n):
    w = []
    for x in it:
        w.append(x)
        if len(w) == n:
            yield tuple(w)
            w.pop(0)
print(list(window(range(5), 3)))
#---
def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1
it = primes()
print([next(it) for _ in range(10)])
#---
def g():
    return 5
    yield
it = g()
try:
    next(it)
except StopIteration as e:
    print(e.value)
def h():
    r = yield from g()
    print("r", r)
print(list(h()))
#---
def chain(*its):
    for it in its:
        yield from it
print(list(chain("ab", [1, 2], (x for x in range(2)), {"k": 1})))
#---
def a():
    try:
        yield 1
    finally:
        yield 2
        print("a finally")
print(list(a()))
def b():
    for i in range(3):
        try:
            if i == 1:
                continue
            yield i
        finally:
            print("f", i)
print(list(b()))
#---
def g():
    yield 1
print(type(g()).__name__, iter(it := g()) is it)
print([*g(), *g()], {**{"a": 1}}, (*g(),))
#---
def g():
    x = yield (yield 1)
    print("x", x)
it = g()
print(next(it), it.send("a"))
try:
    it.send("b")
except StopIteration:
    print("done")
#---
def log(f):
    def wrapped(*args):
        print("call", args)
        yield from f(*args)
        print("return")
    return wrapped
@log
def count(n):
    yield from range(n)
print(list(count(3)))
#---
def f():
    return (yield)
it = f()
print(next(it))
try:
    it.send(42)
except StopIteration as e:
    print(e.value)
#---
def g():
    with_value = yield from (i for i in range(2))
    print(with_value)
print(list(g()))
def h():
    try:
        yield from (1 // i for i in (1, 0))
    except ZeroDivisionError as e:
        yield str(e)
print(list(h()))
