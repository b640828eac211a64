for i in range(6):
    if i == 1: continue
    if i == 4: break
    print(i)
else: print("else")
#---
for i in range(2): pass
else: print("else", i)
#---
n = 5
while n:
    n -= 1
    if n == 2: break
else: print("no")
print(n)
#---
def t(n):
    for i in range(n):
        try:
            if i == 2: continue
            if i == 4: break
            print("body", i)
        finally: print("fin", i)
    else: print("else")
    try: return "r"
    finally: print("last")
print(t(6), t(1))
#---
def f():
    try:
        try: return 1
        finally: print("a")
    finally: print("b")
print(f())
#---
def f():
    while True:
        try: return 1
        finally: break
    return 2
print(f())
#---
def f():
    try: 1 / 0
    finally: return 3
print(f())
#---
try:
    try: 1 / 0
    except ZeroDivisionError as e:
        print(repr(e), e)
        raise ValueError("x") from e
except ValueError as e2: print("caught", e2, e2.args)
#---
try: raise KeyError("k")
except (IndexError, KeyError) as e: print(type(e).__name__, e, e.args)
#---
try: [][1]
except LookupError as e: print(type(e).__name__, e)
#---
def f():
    try: raise ValueError
    except ValueError: raise
try: f()
except ValueError as e: print("again", repr(e))
#---
try: raise TypeError("a", 2)
except TypeError as e: print(e, repr(e))
#---
try: pass
except Exception: print("no")
else: print("else")
finally: print("finally")
#---
def f():
    for i in range(3):
        try:
            if i == 1: raise ValueError(i)
        except ValueError as e:
            print("bad", e)
            continue
        print("ok", i)
f()
try: print(e)
except NameError: print("e is gone")
#---
try: assert 1 == 2, "no"
except AssertionError as e: print(e)
try: assert False
except AssertionError as e: print(repr(e))
#---
x = 5
print("a" if x > 3 else "b", 1 < x < 10, 1 < x < 3, x and 0, x or 1, not x)
#---
if (n := 10) > 5: print(n)
print([y for x in range(5) if (y := x * 2) > 4], y)
#---
a = b = [1]
a += [2]; print(a, b)
a = a + [3]; print(a, b)
#---
a, *b, (c, d) = 1, 2, 3, (4, 5)
print(a, b, c, d)
*a, b = "xyz"; print(a, b)
[p, q] = {1: 2, 3: 4}; print(p, q)
#---
for bad in ("a, b = 1", "x"):
    try: a, b = 1, 2, 3
    except ValueError as e: print(e)
    try: a, b, c = 1, 2
    except ValueError as e: print(e)
    try: a, b = 5
    except TypeError as e: print(e)
    try: a, *b, c = [1]
    except ValueError as e: print(e)
#---
x = [1, 2, 3, 4]
del x[0], x[-1]; print(x)
d = {"a": 1, "b": 2}; del d["a"]; print(d)
#---
i = 0
x = [0, 0]
i, x[i] = 1, 5
print(i, x)
#---
def f():
    x = 1
    del x
    try: return x
    except NameError as e: return type(e).__name__
print(f())
#---
if __name__ == "__main__": print("main")
#---
try: raise ValueError("a") from None
except ValueError as e: print(e)
try: raise 5
except TypeError as e: print(e)
#---
try:
    try: raise KeyError(1)
    finally: print("cleanup")
except KeyError as e: print(e)
#---
def f(x):
    if x == 0: return "zero"
    elif x < 0: return "neg"
    elif x > 100: return "big"
    else: return "pos"
print([f(v) for v in (0, -1, 5, 500)])
#---
result = []
for i in range(3):
    for j in range(3):
        if j == i: break
        result.append((i, j))
print(result)
#---
x = 1
def f(): return 10
def g():
    global x
    x = 5
    return 1
x += g(); print(x)
