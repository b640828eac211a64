import inspect, typing
from typing import *
def f(a, b: int, /, c: "str" = "x", *args: int, d, e: Optional[int] = None, **kw: Any) -> Optional[str]:
    """Doc of f.

        indented
    """
print(inspect.signature(f)); s = inspect.signature(f)
for n, p in s.parameters.items(): print(n, p.kind, p.kind.name, p.default is inspect.Parameter.empty, p.annotation)
print(s.return_annotation, inspect.getdoc(f))
def tool(city: str, days: int = 3, *, units: Literal["c", "f"] = "c") -> dict:
    "Weather."
def schema(fn):
    types = {str: "string", int: "integer", float: "number", bool: "boolean"}
    props, req = {}, []
    hints = get_type_hints(fn)
    for name, p in inspect.signature(fn).parameters.items():
        t = hints.get(name, str)
        if get_origin(t) is Literal: props[name] = {"type": "string", "enum": list(get_args(t))}
        else: props[name] = {"type": types.get(p.annotation, "string")}
        if p.default is inspect.Parameter.empty: req.append(name)
    return {"name": fn.__name__, "description": inspect.getdoc(fn), "parameters": props, "required": req}
print(schema(tool))
class A:
    "Class A."
    x: int = 3
    y: str
    def __init__(self, q, r=2): pass
    def m(self, z: int) -> None: pass
    @classmethod
    def c(cls, k): pass
    @staticmethod
    def s(k): pass
class B(A):
    z: float
print(inspect.signature(A), inspect.signature(A(1).m), inspect.signature(A.m), inspect.signature(A.c), inspect.signature(A.s), inspect.signature(lambda x, *y: 0))
print(get_type_hints(B), get_type_hints(A.m), get_type_hints(tool))
b = inspect.signature(tool).bind("x", 5, units="f"); print(b.arguments, b.args, b.kwargs)
b = inspect.signature(tool).bind("x"); b.apply_defaults(); print(b)
for a, k in (((), {}), ((1, 2, 3), {}), ((1,), {"q": 1}), ((1,), {"city": 1})):
    try: inspect.signature(tool).bind(*a, **k)
    except TypeError as e: print(e)
print(inspect.isfunction(f), inspect.isclass(A), inspect.ismethod(A(1).m), inspect.isbuiltin(len), inspect.ismodule(typing), inspect.isgeneratorfunction(f))
async def co(): pass
def gen(): yield
print(inspect.iscoroutinefunction(co), inspect.isgeneratorfunction(gen), inspect.isgenerator(gen()))
print([n for n, v in inspect.getmembers(A, inspect.isfunction) if n[0] != '_'])
print(get_origin(List[int]), get_args(Dict[str, int]), get_origin(Optional[int]) is Union, get_args(Optional[int]), get_args(Callable[[int], str]), get_origin(int), get_args(Literal["a", "b"]), get_origin(list[int]), get_args(Annotated[int, "x"]))
import functools
print(inspect.signature(functools.partial(tool, "x")), inspect.signature(functools.partial(tool, days=4)))
def deco(fn):
    @functools.wraps(fn)
    def w(*a, **k): return fn(*a, **k)
    return w
print(inspect.signature(deco(tool)), deco(tool).__name__)
try: assert_never(3)
except AssertionError as e: print(e)
P = NamedTuple("P", [("x", int), ("y", str)]); print(P(1, "a"))
TD = TypedDict("TD", {"a": int, "b": str}); print(TD(a=1, b="x"))
from typing import ParamSpec, Concatenate, TypeAlias
PS = ParamSpec("PS")
def make(x: int):
    T = type(x)
    def inner(y: T) -> T: return y
    return inner
print(get_type_hints(make(3)))
print(inspect.getfullargspec(tool).args, inspect.getfullargspec(tool).kwonlyargs)
print(inspect.cleandoc("  a\n    b\n      c\n"))
print(repr(inspect.signature(tool)), repr(inspect.signature(tool).parameters["days"]))
