# A method is looked up before its arguments are evaluated.
x = None
try:
    x.append(print("not said"))
except AttributeError as e:
    print(e)
class A:
    pass
try:
    A().nope(print("not said"), 1 / 0)
except AttributeError as e:
    print(e)
try:
    "text".nope(1 / 0)
except AttributeError as e:
    print(e)
#---
said = []
class Chain:
    def __getattr__(self, name):
        said.append(name)
        return lambda *args, **named: self
def say(x):
    said.append(x)
    return x
Chain().a(say(1)).b(say(2), k=say(3))
print(said)
class App:
    def on(self, name):
        said.append("on " + name)
        def register(f):
            said.append("register")
            return f
        return register
app = App()
@app.on(say("start"))
def started(): pass
print(said)
#---
class Swap:
    def f(self, x): return ("old", x)
def change():
    Swap.f = lambda self, x: ("new", x)
    return 1
s = Swap()
print(s.f(change()), s.f(2))
class Own:
    pass
o = Own()
o.f = lambda x, y=0: x + y
print(o.f(len("ab")), o.f(len("a"), y=len("abc")), [].append(len("x")), "a,b".split(str(",")))
print({1: 2}.get(int("3"), len("four")), "x".join(c for c in "abc"), [3, 1, 2].index(int("1")))
import math
print(math.pow(float("2"), len("abc")), max([1, 5], key=lambda v: -v))
class Base:
    @classmethod
    def make(cls, n): return (cls.__name__, n)
    @staticmethod
    def plain(n): return n
    def depth(self, n): return n if n == 0 else self.depth(n - 1)
class Derived(Base):
    def depth(self, n): return super().depth(int(n))
print(Derived.make(int("4")), Derived().plain(int("5")), Derived().depth(len("abcd")), Derived().make(n=int("6")))
async def later(v): return v
async def main():
    out = []
    out.append(await later(1))
    out.extend([await later(2), await later(3)])
    return out
import asyncio
print(asyncio.run(main()))
def gen():
    got = []
    got.append((yield 1))
    got.append((yield 2))
    yield got
g = gen()
print(next(g), g.send("a"), g.send("b"))
#---
# The operand whose class derives from the other's is asked first.
class P:
    def __add__(self, o): return "P.add"
    def __radd__(self, o): return "P.radd"
    def __eq__(self, o): return "P.eq"
    def __ne__(self, o): return "P.ne"
    def __lt__(self, o): return "P.lt"
    def __ge__(self, o): return "P.ge"
class Q(P):
    def __radd__(self, o): return "Q.radd"
    def __eq__(self, o): return "Q.eq"
    def __ne__(self, o): return "Q.ne"
    def __gt__(self, o): return "Q.gt"
class R(P):
    pass
class S(Q):
    def __radd__(self, o): return NotImplemented
    def __gt__(self, o): return NotImplemented
p = P()
print(p + Q(), p == Q(), p != Q(), p < Q(), p >= Q(), Q() + p, Q() == p)
print(p + R(), p == R(), p < R(), p + S(), p < S(), Q() + S(), p == p)
print(p in [Q()], Q() in [p])
#---
class Manager:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        print(kind, error, trace is not None, trace is None or trace.tb_lineno)
        return True
with Manager():
    1 / 0
with Manager():
    pass
import traceback
class Shows:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        print(traceback.extract_tb(trace)[-1].name, len(traceback.format_exception(kind, error, trace)) > 1)
        return True
def deep(): raise KeyError("k")
with Shows():
    deep()
#---
print(int(b"10"), int(b" -7 "), float(b"1.5"), int(b"ff", 16), slice(1, 2) == slice(1, 2), slice(1) == slice(2))
for text in (b"x", b"\xd9\xa3"):
    try:
        int(text)
    except ValueError as e:
        print(e)
try:
    float(b"q")
except ValueError as e:
    print(e)
class N:
    __bool__ = None
try:
    print(bool(N()))
except TypeError as e:
    print(e)
#---
class Counting:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 3: raise StopIteration("end")
        return self.n
    def send(self, value):
        print("sent", value)
        return next(self)
def outer():
    result = yield from Counting()
    print("result", result)
    return "outer end"
g = outer()
print(next(g), g.send("x"), g.send(None))
try:
    g.send("y")
except StopIteration as e:
    print("stopped", e.value)
def without():
    class Few:
        def __iter__(self): return iter([1, 2])
    yield from Few()
    yield from [3]
print(list(without()))
