class Animal:
    def __init__(self, name, sound="..."):
        self.name = name
        self.sound = sound
    def speak(self): return f"{self.name} says {self.sound}"
    def __str__(self): return f"{type(self).__name__}({self.name})"
class Dog(Animal):
    def __init__(self, name): super().__init__(name, "Woof")
    def fetch(self, item="ball"): return f"{self.name} fetches {item}"
class Puppy(Dog):
    def speak(self): return super().speak().lower() + "!"
zoo = [Animal("Cat", "Meow"), Dog("Rex"), Puppy("Bit")]
for a in zoo: print(a, a.speak(), isinstance(a, Dog), hasattr(a, "fetch"))
print([str(a) for a in sorted(zoo, key=lambda a: a.name)], {a.name: a for a in zoo}["Rex"].fetch(item="stick"))
#---
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __getitem__(self, ij): i, j = ij; return self.rows[i][j]
    def __setitem__(self, ij, v): i, j = ij; self.rows[i][j] = v
    def __eq__(self, o): return self.rows == o.rows
    def __repr__(self): return "Matrix(" + repr(self.rows) + ")"
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def T(self): return Matrix(zip(*self.rows))
m = Matrix([[1, 2], [3, 4]]); print(m[0, 1], m.T, Matrix.identity(2)); m[0, 0] = 9; print(m, m == m.T.T)
#---
class Account:
    interest = 0.02
    _count = 0
    def __init__(self, owner, balance=0.0):
        self.owner, self._balance = owner, balance
        Account._count += 1
        self.history = []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError("negative balance")
        self._balance = v
    def deposit(self, amt):
        self.balance += amt
        self.history.append(("deposit", amt))
        return self
    def withdraw(self, amt):
        self.balance -= amt
        self.history.append(("withdraw", amt))
        return self
    @staticmethod
    def valid(n): return n > 0
    @classmethod
    def count(cls): return cls._count
    def __iadd__(self, n): return self.deposit(n)
    def __lt__(self, o): return self.balance < o.balance
a, b = Account("A", 10), Account("B")
a.deposit(5).withdraw(3); a += 8
print(a.balance, a.history, Account.count(), a.count(), Account.valid(3), a > b, max(a, b).owner)
try: b.withdraw(1)
except ValueError as e: print("err", e, b.balance, b.history)
#---
class Event:
    def __init__(self): self.handlers = []
    def __iadd__(self, h): self.handlers.append(h); return self
    def __call__(self, *a, **k): return [h(*a, **k) for h in self.handlers]
class Button:
    def __init__(self): self.clicked = Event()
b = Button(); b.clicked += lambda x, y=0: x + y; b.clicked += print
print(b.clicked(1))
#---
class Parser:
    def __init__(self, text): self.toks = text.replace("(", " ( ").replace(")", " ) ").split(); self.i = 0
    def peek(self): return self.toks[self.i] if self.i < len(self.toks) else None
    def next(self): t = self.peek(); self.i += 1; return t
    def expr(self):
        v = self.term()
        while self.peek() in ("+", "-"):
            v = v + self.term() if self.next() == "+" else v - self.term()
        return v
    def term(self):
        v = self.factor()
        while self.peek() in ("*", "/"):
            v = v * self.factor() if self.next() == "*" else v / self.factor()
        return v
    def factor(self):
        t = self.next()
        if t == "(":
            v = self.expr(); self.next(); return v
        return float(t) if "." in t else int(t)
print(Parser("2 * ( 3 + 4 ) - 5 / 2").expr())
#---
class Lazy:
    def __init__(self, f): self.f = f; self.done = False
    def get(self):
        if not self.done: self.value, self.done = self.f(), True
        return self.value
calls = []
l = Lazy(lambda: calls.append(1) or 42); print(l.get(), l.get(), calls)
#---
class Node:
    __slots__ = ["key", "left", "right"]
    def __init__(self, key): self.key = key; self.left = self.right = None
class BST:
    def __init__(self): self.root = None; self.size = 0
    def add(self, key):
        def rec(n):
            if n is None: self.size += 1; return Node(key)
            if key < n.key: n.left = rec(n.left)
            elif key > n.key: n.right = rec(n.right)
            return n
        self.root = rec(self.root)
    def __contains__(self, key):
        n = self.root
        while n:
            if key == n.key: return True
            n = n.left if key < n.key else n.right
        return False
    def __len__(self): return self.size
    def __iter__(self):
        def walk(n):
            if n: yield from walk(n.left); yield n.key; yield from walk(n.right)
        return walk(self.root)
t = BST()
for k in [5, 2, 8, 1, 9, 2]: t.add(k)
print(len(t), list(t), 8 in t, 7 in t, bool(t), bool(BST()))
#---
class ValidationError(Exception):
    def __init__(self, field, message):
        self.field, self.message = field, message
        super().__init__(field, message)
class TooLong(ValidationError): pass
def check(v):
    if len(v) > 3: raise TooLong("name", "too long")
    if not v: raise ValidationError("name", "empty")
    return v
for v in ("abc", "", "abcd"):
    try: print(check(v))
    except TooLong as e: print("TL", e.field, e, repr(e))
    except ValidationError as e: print("VE", e.message, e.args)
    else: print("fine")
    finally: print("done")
#---
class Temp:
    def __init__(self, c): self.c = c
    def __eq__(self, o): return isinstance(o, Temp) and self.c == o.c
    def __lt__(self, o): return self.c < o.c
    def __le__(self, o): return self.c <= o.c
    def __gt__(self, o): return self.c > o.c
    def __ge__(self, o): return self.c >= o.c
    def __ne__(self, o): return not self == o
    def __hash__(self): return hash(self.c)
    def __repr__(self): return f"{self.c}C"
ts = [Temp(3), Temp(1), Temp(2), Temp(1)]
print(sorted(ts), set(ts) == {Temp(1), Temp(2), Temp(3)}, len(set(ts)), ts.index(Temp(2)), ts.count(Temp(1)), Temp(1) in ts, Temp(1) < Temp(2) < Temp(3), min(ts), sorted(ts, reverse=True))
ts.remove(Temp(1)); print(ts)
#---
class Reg:
    items = {}
    @classmethod
    def register(cls, name):
        def deco(f): cls.items[name] = f; return f
        return deco
@Reg.register("add")
def add(a, b): return a + b
@Reg.register("mul")
def mul(a, b): return a * b
print(Reg.items["add"](2, 3), sorted(Reg.items))
#---
class Money:
    def __init__(self, amt, cur="USD"): self.amt, self.cur = amt, cur
    def __add__(self, o):
        if isinstance(o, (int, float)): return Money(self.amt + o, self.cur)
        if self.cur != o.cur: raise TypeError(f"cannot add {self.cur} and {o.cur}")
        return Money(self.amt + o.amt, self.cur)
    __radd__ = __add__
    def __str__(self): return f"{self.amt:.2f} {self.cur}"
    def __format__(self, spec): return format(self.amt, spec) + self.cur if spec else str(self)
print(Money(1) + Money(2), 5 + Money(1), sum([Money(1), Money(2)]), f"{Money(3):.1f} {Money(4)}", "{:>8.3f}".format(Money(1)))
try: Money(1) + Money(2, "EUR")
except TypeError as e: print(e)
#---
class Multi:
    def method(self, *args, key=None, **kw): return args, key, sorted(kw.items())
m = Multi(); f = m.method; print(f(1, 2, key=3, z=4), m.method(*[1, 2], **{"key": 5}), list(map(m.method, [1])), f.__name__)
def ext(self): return "ext"
Multi.ext = ext; m.own = lambda: "own"; print(m.ext(), m.own())
#---
class Ctx:
    def __init__(self): self.log = []
    def __enter__(self): self.log.append("in"); return self.log
    def __exit__(self, *exc): self.log.append(exc[0] is None); return False
c = Ctx()
with c as log: log.append("body")
try:
    with c: 1 / 0
except ZeroDivisionError: pass
print(c.log)
#---
class A:
    x = []
    def __init__(self): self.y = []
a, b = A(), A(); a.x.append(1); a.y.append(2); print(b.x, b.y, A.x is a.x)
a.x = [5]; print(A.x, a.x, b.x, "x" in vars(a), "x" in vars(b))
class B(A): pass
B.x = "b"; print(A.x, B.x, B().x); del B.x; print(B.x)
#---
class Poly:
    def __init__(self, *c): self.c = c
    def __call__(self, x): return sum(k * x ** i for i, k in enumerate(self.c))
    def __repr__(self): return " + ".join(f"{k}x^{i}" for i, k in enumerate(self.c) if k)
    def __eq__(self, o): return self.c == o.c
    def __mul__(self, o):
        r = [0] * (len(self.c) + len(o.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c): r[i + j] += a * b
        return Poly(*r)
p = Poly(1, 2); print(p, p(3), p * p, [p(i) for i in range(3)])
#---
class Proxy:
    def __init__(self, t): self._t = t
    def __getattr__(self, n): return getattr(self._t, n)
    def __len__(self): return len(self._t)
p = Proxy([3, 1, 2]); p.sort(); print(p._t, len(p), p.index(2))
try: p.nope
except AttributeError as e: print(e)
#---
from dataclasses import dataclass
from enum import Enum, auto
class Kind(Enum):
    NUM = auto()
    OP = auto()
@dataclass(frozen=True)
class Tok:
    kind: Kind
    text: str
def lex(s):
    for w in s.split(): yield Tok(Kind.NUM if w.isdigit() else Kind.OP, w)
print(list(lex("1 + 22")), Tok(Kind.NUM, "1") in set(lex("1 +")))
#---
class Iter2:
    def __init__(self, data): self.data = data
    def __iter__(self): return iter(self.data)
    def __getitem__(self, k):
        if not isinstance(k, int): return Iter2(self.data[k])
        return self.data[k]
    def __len__(self): return len(self.data)
i = Iter2([1, 2, 3, 4]); print(list(i), i[1], i[-1], list(i[1:3]), list(reversed(i)), list(zip(i, i)), any(i), sum(i), max(i), list(map(str, i)), [*i, 0], dict(enumerate(i)), tuple(i), set(i) == {1, 2, 3, 4}, 3 in i)
a, b, *c = i; print(a, b, c); x, *_, y = i; print(x, y); print(*i, sep="-")
#---
print(type(5).__name__, type("").__name__, type([]) is list, isinstance(True, int), issubclass(bool, int), issubclass(int, object), str(int), repr(str), int.__name__)
class K: pass
k = K(); print(str(k).startswith("<__main__.K object at 0x"), repr(K), f"{K.__name__}", k == k, k is not K())
try: print(undefined_thing)
except NameError as e: print(e)
print(callable(len), callable(5), callable(K), callable(k), callable(lambda: 1), callable(print))
