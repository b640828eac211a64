from enum import Enum, auto
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], Color.CRIMSON is Color.RED)
print(list(Color), len(Color), [c.name for c in Color], Color.RED == Color.RED, Color.RED != Color.BLUE, Color.RED == 1, Color.RED in Color)
print(Color.__members__ if False else list(Color.__members__), {Color.RED: "r"}[Color.RED], isinstance(Color.RED, Color), type(Color.RED), f"{Color.GREEN}", "%s" % Color.BLUE)
for bad in (lambda: Color(9), lambda: Color["X"], lambda: Color.RED < Color.BLUE, lambda: Color.PINK, lambda: Color.RED.nope):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
try: Color.RED = 5
except AttributeError as e: print(e)
#---
from enum import Enum
class Status(str, Enum):
    OK = "ok"
    BAD = "bad"
    def shout(self): return self.value.upper()
    @property
    def good(self): return self is Status.OK
    @classmethod
    def default(cls): return cls.OK
print(Status.OK == "ok", Status("bad"), Status.OK.shout(), Status.BAD.good, Status.default(), Status.OK.upper(), Status.OK.value, "ok" in [s.value for s in Status], f"{Status.OK}", str(Status.OK), {"ok": 1}[Status.OK], isinstance(Status.OK, str), repr(Status.BAD), Status.OK + "!", len(Status.OK))
import json
print(json.dumps({"s": Status.OK, "l": [Status.BAD]}))
#---
from enum import IntEnum, StrEnum, auto, unique
class P(IntEnum):
    LOW = 1
    HIGH = 10
class S(StrEnum):
    ONE = auto()
    TWO = auto()
print(P.HIGH > P.LOW, P.HIGH + 1, sorted([P.HIGH, P.LOW]), P.LOW, repr(P.LOW), f"{P.HIGH:03d}", P(10), [10, 20, 30][P.LOW], max(P), int(P.HIGH), P.HIGH == 10)
print(S.ONE, repr(S.TWO), S.ONE == "one", f"{S.TWO}", S("two"), ", ".join([S.ONE, S.TWO]), S.ONE.title())
#---
from enum import Enum, auto
class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.42e23, 3.39e6)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def gravity(self): return round(6.67e-11 * self.mass / self.radius ** 2, 2)
print(Planet.EARTH.gravity, Planet.MARS.mass, Planet.EARTH.value, [p.name for p in Planet])
class A(Enum):
    X = auto(); Y = auto(); Z = 10; W = auto()
print([a.value for a in A])
#---
from enum import Enum, unique
try:
    @unique
    class U(Enum):
        A = 1; B = 1
except ValueError as e: print(e)
class M(Enum):
    A = "a"
    @classmethod
    def _missing_(cls, value): return cls.A if str(value).lower() == "a" else None
print(M("A"))
try: M("q")
except ValueError as e: print(e)
E = Enum("E", "X Y Z"); print(list(E), E.Y.value, E["Z"])
try:
    class N(M): B = 2
except TypeError as e: print(e)
class Op(Enum):
    ADD = "+"
    def apply(self, a, b): return a + b
    def __str__(self): return f"op{self.value}"
print(Op.ADD.apply(1, 2), Op.ADD, [Op.ADD], {o.value: o.name for o in Op})
