class Dog:
    kind = "canine"
    def __init__(self, name, age=1):
        self.name = name
        self.age = age
    def bark(self): return f"{self.name} says woof"
    def older(self, *, by=1):
        self.age += by
        return self
d = Dog("Rex")
print(d.name, d.age, d.bark(), Dog.kind, d.kind, d.older(by=3).age, Dog.bark(d))
d.kind = "own"; print(d.kind, Dog.kind); del d.kind; print(d.kind)
print(type(d) is Dog, type(d).__name__, Dog.__name__, isinstance(d, Dog), isinstance(d, (int, Dog)), Dog)
#---
class A:
    def f(self): return "A.f"
    def g(self): return "g:" + self.f()
class B(A):
    def f(self): return "B.f>" + super().f()
class C(B):
    def f(self): return "C.f>" + super().f()
print(C().g(), issubclass(C, A), issubclass(A, C), issubclass(C, (int, B)), isinstance(C(), A))
#---
class V:
    def __init__(self, x, y): self.x, self.y = x, y
    def __repr__(self): return f"V({self.x}, {self.y})"
    def __eq__(self, o): return isinstance(o, V) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __add__(self, o): return V(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return V(self.x - o.x, self.y - o.y)
    def __mul__(self, k): return V(self.x * k, self.y * k)
    def __rmul__(self, k): return self * k
    def __neg__(self): return V(-self.x, -self.y)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __bool__(self): return bool(self.x or self.y)
    def __iadd__(self, o):
        self.x += o.x; self.y += o.y
        return self
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __len__(self): return 2
    def __iter__(self): yield self.x; yield self.y
    def __contains__(self, n): return n in (self.x, self.y)
    def __call__(self, f): return V(f(self.x), f(self.y))
a, b = V(1, 2), V(3, 4)
print(a + b, a - b, a * 3, 3 * a, -a, abs(b), bool(V(0, 0)), a == V(1, 2), a != b, a[0], a[-1], len(a), list(a), 2 in a, 9 in a)
a += b; print(a, a(lambda n: n * 10)); x, y = b; print(x, y, {V(1, 1): "k"}[V(1, 1)], sum([V(1, 1), V(2, 2)], V(0, 0)), [a, b], (a,), {"v": a})
for bad in (lambda: a + 1, lambda: "s" * a if 0 else a < b, lambda: a["k"]):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
#---
class T:
    def __init__(self, c): self._c = c
    @property
    def f(self): return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v): self._c = (v - 32) * 5 / 9
    @f.deleter
    def f(self): self._c = None
    @property
    def ro(self):
        "doc of ro"
        return 1
    @staticmethod
    def s(a, b=2): return a + b
    @classmethod
    def make(cls, *args): return cls(*args)
t = T(100); print(t.f); t.f = 50; print(t._c, T.s(1), t.s(1, 5), T.make(3)._c, t.make(4)._c)
del t.f; print(t._c)
try: t.ro = 2
except AttributeError as e: print(e)
try: del t.ro
except AttributeError as e: print(e)
try: t.nope
except AttributeError as e: print(e)
try: T.nope
except AttributeError as e: print(e)
#---
class Stack:
    def __init__(self): self.items = []
    def push(self, x): self.items.append(x)
    def pop(self):
        if not self.items: raise IndexError("pop from empty stack")
        return self.items.pop()
    def __len__(self): return len(self.items)
s = Stack()
for i in range(3): s.push(i)
print(len(s), s.pop(), bool(s), len(s)); s.pop(); s.pop(); print(bool(s))
try: s.pop()
except IndexError as e: print(e)
#---
class Tree:
    def __init__(self, v, l=None, r=None): self.v, self.l, self.r = v, l, r
    def insert(self, v):
        if v < self.v:
            if self.l is None: self.l = Tree(v)
            else: self.l.insert(v)
        else:
            if self.r is None: self.r = Tree(v)
            else: self.r.insert(v)
    def __iter__(self):
        if self.l: yield from self.l
        yield self.v
        if self.r: yield from self.r
    def depth(self): return 1 + max(self.l.depth() if self.l else 0, self.r.depth() if self.r else 0)
    def __repr__(self): return f"({self.l!r} {self.v} {self.r!r})"
t = Tree(5)
for v in [3, 8, 1, 4, 7, 9]: t.insert(v)
print(list(t), t.depth(), t, 5 in list(t))
#---
class MyError(Exception): pass
class Coded(MyError):
    def __init__(self, code, msg="oops"):
        super().__init__(f"{code}: {msg}")
        self.code = code
class Shown(ValueError):
    def __str__(self): return "shown!"
try: raise MyError("a", 1)
except MyError as e: print(repr(e), str(e), e.args, isinstance(e, Exception))
try: raise Coded(404)
except MyError as e: print(repr(e), e, e.code, e.args, type(e).__name__)
try: raise Shown("x")
except ValueError as e: print(e, repr(e), e.args)
try: raise MyError
except Exception as e: print(repr(e), str(e) == "")
try:
    try: 1 / 0
    except ZeroDivisionError as z: raise Coded(1) from z
except MyError as e: print("caught", e)
try:
    try: raise Coded(5)
    except ValueError: print("no")
    except (KeyError, Coded) as e: print("yes", e.code); raise
except Exception as e: print(type(e) is Coded)
print(issubclass(Coded, Exception), issubclass(Shown, MyError), Coded.__name__)
#---
class CM:
    def __init__(self, name, swallow=False): self.name, self.swallow = name, swallow
    def __enter__(self): print("enter", self.name); return self
    def __exit__(self, et, ev, tb): print("exit", self.name, et.__name__ if et else None, ev); return self.swallow
with CM("a") as a: print("in", a.name)
with CM("x", True): raise ValueError("gone")
try:
    with CM("o") as o, CM("i"): raise KeyError("k")
except KeyError as e: print("out", e)
def f():
    with CM("r"): return 5
print(f())
for i in range(3):
    with CM(i):
        if i == 0: continue
        if i == 1: break
#---
class Count:
    total = 0
    registry = []
    def __init__(self):
        Count.total += 1
        type(self).registry.append(self)
        self.id = Count.total
    @classmethod
    def how_many(cls): return f"{cls.__name__}:{cls.total}"
for _ in range(3): Count()
print(Count.total, Count.how_many(), len(Count.registry), [c.id for c in Count.registry])
Count.extra = lambda self, n: self.id * n
print(Count.registry[2].extra(10))
#---
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): self.i = 0; return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
print(list(It(3)), [x for x in It(2)], sum(It(4)), max(It(5)), tuple(It(0)))
it = iter(It(2)); print(next(it), next(it), next(it, "end"), type(it).__name__)
a, *b = list(It(4)); print(a, b)
print(dict(zip(It(2), "ab")), sorted(It(3), reverse=True), 3 in It(3), 9 in It(3), list(enumerate(It(2))))
#---
class Seq:
    def __getitem__(self, i):
        if i >= 3: raise IndexError
        return i * i
print(list(Seq()), 4 in Seq(), [*Seq()], Seq()[1])
#---
class G:
    def __getattr__(self, name):
        if name.startswith("x_"): return name[2:]
        raise AttributeError(f"no {name}")
    real = 1
g = G(); print(g.x_abc, g.real, hasattr(g, "x_q"), hasattr(g, "zzz"), getattr(g, "zzz", "dflt"))
try: g.zzz
except AttributeError as e: print(e)
#---
class S:
    def __setattr__(self, k, v):
        print("set", k, v)
        super().__setattr__(k, v * 2)
    def __delattr__(self, k):
        print("del", k); super().__delattr__(k)
s = S(); s.a = 5; print(s.a, vars(s)); del s.a; print(hasattr(s, "a"))
#---
class P:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return self.n < o.n
    def __repr__(self): return f"P{self.n}"
ps = [P(3), P(1), P(2)]
print(sorted(ps), min(ps), max(ps), P(1) < P(2), P(1) > P(2), sorted(ps, key=lambda p: -p.n))
try: P(1) <= P(2)
except TypeError as e: print(e)
#---
class D(dict):
    def __missing__(self, k): self[k] = k * 2; return self[k]
    def total(self): return sum(self.values())
d = D(a=1); print(d["zz"], d, len(d), d.total() if 0 else list(d), "a" in d, d.get("q"), isinstance(d, dict), type(d).__name__)
d["b"] = 5; d.update({"c": 6}); print(dict(d), sorted(d), {**d}, d == {"a": 1, "zz": "zzzz", "b": 5, "c": 6})
#---
class L(list):
    def second(self): return self[1]
    def append(self, x): super().append(x * 10)
l = L([1, 2, 3]); l.append(4); print(l, l.second(), len(l), l[::-1], [x + 1 for x in l], l + [1], isinstance(l, list), sum(l), l == [1, 2, 3, 40])
#---
class Str(str):
    def shout(self): return self.upper() + "!"
s = Str("hi"); print(s, s.shout(), s + " there", len(s), s == "hi", f"{s:>5}", {"hi": 1}[s], isinstance(s, str), s[0], ", ".join([s, "x"]), repr(s))
#---
class Base:
    def __init__(self, a): self.a = a
class Kid(Base):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b
    def __str__(self): return f"Kid<{self.a},{self.b}>"
k = Kid(1, 2); print(k, str(k), f"{k}", "%s" % k, "{}".format(k), vars(k), k.__init__ is not None)
for bad in (lambda: Kid(1), lambda: Kid(1, 2, 3), lambda: Base(), lambda: Base(1, c=2), lambda: object().x, lambda: Kid.zzz()):
    try: bad()
    except (TypeError, AttributeError) as e: print(e)
#---
class E: pass
e = E(); e.x = 1; e.y = [2]; setattr(e, "z", 3); print(vars(e), getattr(e, "x"), hasattr(e, "q"), getattr(e, "q", None)); delattr(e, "x"); print(vars(e))
try: E(1)
except TypeError as err: print(err)
try: e()
except TypeError as err: print(err)
try: len(e)
except TypeError as err: print(err)
try: e[0]
except TypeError as err: print(err)
try: e[0] = 1
except TypeError as err: print(err)
try:
    for _ in e: pass
except TypeError as err: print(err)
try: e + 1
except TypeError as err: print(err)
try: 1 in e
except TypeError as err: print(err)
try: -e
except TypeError as err: print(err)
try:
    with e: pass
except TypeError as err: print(err)
print(e == e, e == E(), e != E(), bool(e), hash(e) == hash(e), e in [e], callable(e), callable(E))
#---
x = "global"
class Scope:
    x = "class"
    y = x + "!"
    def m(self): return x
    z = [x for _ in range(1)] if False else "z"
    def __init__(self): self.v = Scope.y
print(Scope().m(), Scope.y, Scope().v, Scope.z)
def outer():
    x = "outer"
    class In:
        def m(self): return x
        w = x
    return In
print(outer()().m(), outer().w)
#---
class Priv:
    def __init__(self): self.__secret = 1; self._soft = 2
    def get(self): return self.__secret
    def __hidden(self): return "h"
    def call(self): return self.__hidden()
p = Priv(); print(p.get(), p._Priv__secret, p._soft, p.call(), hasattr(p, "__secret"), sorted(vars(p)))
#---
class Shape:
    def area(self): raise NotImplementedError("area")
    def describe(self): return f"{type(self).__name__} with area {self.area():.2f}"
class Circle(Shape):
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
class Square(Shape):
    def __init__(self, s): self.s = s
    def area(self): return self.s * self.s
for s in [Circle(1), Square(2)]: print(s.describe())
try: Shape().describe()
except NotImplementedError as e: print("NI", e)
#---
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def f(self): ...
    @property
    @abstractmethod
    def p(self): ...
    def g(self): return self.f() + 1
class B(A):
    def f(self): return 41
    @property
    def p(self): return "p"
class C(A):
    def f(self): return 1
print(B().g(), B().p, isinstance(B(), A))
for k in (A, C):
    try: k()
    except TypeError as e: print(e)
#---
class M1:
    def hi(self): return "M1>" + super().hi()
class M2:
    def hi(self): return "M2>" + super().hi()
class Root:
    def hi(self): return "root"
class X(M1, M2, Root): pass
print(X().hi())
try:
    class Bad(Root, M1, X): pass
except TypeError as e: print(str(e).split("\n")[0])
#---
class Slots:
    __slots__ = ("a", "b")
    def __init__(self): self.a = 1
s = Slots(); s.b = 2; print(s.a, s.b)
try: s.c = 3
except AttributeError as e: print(e)
#---
class F:
    def __format__(self, spec): return f"<{spec}>"
    def __str__(self): return "str"
    def __repr__(self): return "repr"
f = F(); print(f"{f:abc} {f} {f!r} {f!s}", format(f, "q"), "{:zz}".format(f), [f], str(f), repr(f))
#---
class N:
    def __init__(self, v): self.v = v
    def __int__(self): return self.v
    def __float__(self): return self.v + 0.5
    def __index__(self): return self.v
    def __round__(self, n=0): return f"round{n}"
n = N(2); print(int(n), float(n), round(n), round(n, 1))
#---
class Fib:
    cache = {}
    def __call__(self, n):
        if n < 2: return n
        if n not in self.cache: self.cache[n] = self(n - 1) + self(n - 2)
        return self.cache[n]
print(Fib()(50), list(map(Fib(), range(10))))
#---
def deco(cls):
    cls.tag = "tagged"
    return cls
@deco
class K:
    """Doc of K."""
    def m(self):
        "doc of m"
print(K.tag, K().tag, K.__doc__, K.m.__doc__, K().m.__name__)
#---
class Chain:
    def __init__(self): self.parts = []
    def __getattr__(self, n): self.parts.append(n); return self
    def __str__(self): return ".".join(self.parts)
print(Chain().a.b.c)
#---
class Node:
    def __init__(self, value, next=None): self.value, self.next = value, next
    def total(self): return self.value + (self.next.total() if self.next else 0)
n = None
for i in range(900): n = Node(i, n)
print(n.total())
#---
class Meta:
    registry = {}
    def __init_subclass__(cls, name=None, **kw):
        super().__init_subclass__(**kw)
        Meta.registry[name or cls.__name__] = cls
class P1(Meta, name="one"): pass
class P2(Meta): pass
print(sorted(Meta.registry), Meta.registry["one"] is P1)
#---
class Single:
    inst = None
    def __new__(cls, *a):
        if cls.inst is None: cls.inst = super().__new__(cls)
        return cls.inst
    def __init__(self, v=0): self.v = v
a, b = Single(1), Single(2); print(a is b, a.v)
#---
class Eq:
    def __init__(self, v): self.v = v
    def __eq__(self, o):
        if not isinstance(o, Eq): return NotImplemented
        return self.v == o.v
print(Eq(1) == Eq(1), Eq(1) == 1, Eq(1) != Eq(2), 1 == Eq(1), [Eq(1)] == [Eq(1)], Eq(1) in [Eq(1)])
try: {Eq(1)}
except TypeError as e: print(e)
#---
class Ops:
    def __init__(self, n): self.n = n
    def __add__(self, o): return NotImplemented
    def __radd__(self, o): return f"radd {o}"
    def __floordiv__(self, o): return "fd"
    def __mod__(self, o): return "mod"
    def __pow__(self, o): return "pow"
    def __and__(self, o): return "and"
    def __or__(self, o): return "or"
    def __xor__(self, o): return "xor"
    def __lshift__(self, o): return "ls"
    def __rshift__(self, o): return "rs"
    def __matmul__(self, o): return "mm"
    def __invert__(self): return "inv"
    def __pos__(self): return "pos"
o = Ops(1); print(5 + o, o // 1, o % 1, o ** 2, o & 1, o | 1, o ^ 1, o << 1, o >> 1, ~o, +o)
try: o + 1
except TypeError as e: print(e)
#---
class Bank:
    def __init__(self, owner, balance=0): self.owner, self.__balance = owner, balance
    def deposit(self, n):
        if n <= 0: raise ValueError("Deposit must be positive")
        self.__balance += n
        return self.__balance
    @property
    def balance(self): return self.__balance
b = Bank("Ann", 10); b.deposit(5); print(b.balance, b.owner)
try: b.deposit(-1)
except ValueError as e: print("Error:", e)
try: b.balance = 3
except AttributeError as e: print(e)
#---
class Outer:
    class Inner:
        def hi(self): return "inner"
    def make(self): return Outer.Inner()
print(Outer.Inner().hi(), Outer().make().hi(), Outer.Inner.__name__)
#---
class LinkedList:
    def __init__(self, items=()):
        self.head = None
        for i in reversed(list(items)): self.head = (i, self.head)
    def __iter__(self):
        n = self.head
        while n: v, n = n; yield v
    def __reversed__(self): return iter(list(self)[::-1])
    def __setitem__(self, k, v): print("setitem", k, v)
    def __delitem__(self, k): print("delitem", k)
l = LinkedList([1, 2, 3]); print(list(l), list(reversed(l)), *l); l[1] = 2; del l["x"]
#---
print(isinstance(3, object), isinstance(int, type), type(3) == int, type(int), type(type(3)).__name__, isinstance(None, type(None)), type(lambda: 1).__name__)
class Z: pass
print(type(Z).__name__, isinstance(Z, type), id(Z) == id(Z), type("T", (Z,), {"a": 1})().a, [n for n in dir(type("U", (), {"q": 1, "p": 2})) if n[0] != "_"])
