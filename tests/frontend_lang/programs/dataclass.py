from dataclasses import dataclass, field, asdict, astuple, replace, fields
@dataclass
class P:
    x: int
    y: int = 2
    tags: list = field(default_factory=list)
p = P(1); q = P(1, 2, []); print(p, p == q, p != q, p.x, asdict(p), astuple(p), replace(p, y=9), [f.name for f in fields(P)])
p.tags.append("a"); print(p, q, P(1).tags)
for bad in (lambda: P(), lambda: P(1, 2, [], 4), lambda: P(1, z=3), lambda: P(1, x=2), lambda: {p}, lambda: p < q):
    try: bad()
    except TypeError as e: print(e)
#---
from dataclasses import dataclass, FrozenInstanceError
@dataclass(frozen=True, order=True)
class V:
    major: int
    minor: int = 0
    def bump(self): return V(self.major, self.minor + 1)
a, b = V(1), V(1, 2)
print(a < b, sorted([b, a]), max(a, b), hash(a) == hash(V(1)), {a: 1}[V(1, 0)], a.bump(), a >= b)
try: a.major = 3
except FrozenInstanceError as e: print(type(e).__name__, e)
try: del a.major
except AttributeError as e: print(e)
#---
from dataclasses import dataclass, field
@dataclass
class Base:
    name: str
    kind: str = "base"
@dataclass
class Kid(Base):
    kind: str = "kid"
    n: int = 0
    total: int = field(init=False, repr=False, default=0)
    def __post_init__(self): self.total = self.n * 2
k = Kid("a", n=4); print(k, k.total, isinstance(k, Base), Kid("b") == Kid("b"), Base("b") == Kid("b"))
#---
from dataclasses import dataclass, asdict
from typing import Optional, List, Dict, ClassVar
@dataclass
class Item:
    name: str
    price: float
@dataclass
class Order:
    count: ClassVar[int] = 0
    id: int
    items: List[Item]
    meta: Optional[Dict[str, str]] = None
    def total(self) -> float: return sum(i.price for i in self.items)
o = Order(1, [Item("a", 1.5), Item("b", 2)]); print(o, o.total(), asdict(o))
import json; print(json.dumps(asdict(o)))
#---
from dataclasses import dataclass, field
try:
    @dataclass
    class Bad:
        x: list = []
except ValueError as e: print(e)
try:
    @dataclass
    class Bad2:
        x: int = 1
        y: int
except TypeError as e: print(e)
@dataclass(eq=False)
class Id: x: int
print(Id(1) == Id(1))
@dataclass
class R:
    x: int
    def __repr__(self): return f"R<{self.x}>"
    def __eq__(self, o): return True
print(R(1), R(1) == R(2))
@dataclass(kw_only=True)
class KW:
    a: int
    b: int = 2
print(KW(a=1))
try: KW(1)
except TypeError as e: print(e)
@dataclass
class Empty: pass
print(Empty(), Empty() == Empty())
#---
from __future__ import annotations
from dataclasses import dataclass, field
@dataclass
class Node:
    val: int
    children: list[Node] = field(default_factory=list)
    def sum(self) -> int: return self.val + sum(c.sum() for c in self.children)
print(Node(1, [Node(2), Node(3, [Node(4)])]).sum(), Node(1, [Node(2)]))
#---
from typing import NamedTuple
class Pt(NamedTuple):
    x: int
    y: int = 5
    def norm(self): return self.x + self.y
p = Pt(1); print(p, p.x, p[1], p.norm(), p == (1, 5), len(p), list(p), p._asdict(), p._replace(x=9), Pt._fields, isinstance(p, tuple))
x, y = p; print(x, y, sorted([Pt(2), Pt(1)]), {p: 1}[(1, 5)])
try: p.x = 3
except AttributeError as e: print(type(e).__name__)
try: Pt()
except TypeError as e: print(e)
#---
from typing import TypedDict, Optional, Union, Any, Callable, Literal, List
class Movie(TypedDict, total=False):
    name: str
    year: int
m: Movie = {"name": "x", "year": 1}
print(m, Movie(name="y"), isinstance(m, dict))
def f(a: int, b: Optional[str] = None, *c: Any, d: Union[int, str] = 1, **e: List[int]) -> Callable[[int], str]: return (a, b, c, d, e)
print(f(1), f(1, "b", 2, d=3, z=[1]))
v: Literal["a", "b"] = "a"
print(v)
