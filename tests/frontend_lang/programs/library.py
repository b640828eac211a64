from types import SimpleNamespace
n = SimpleNamespace(a=1, b="x")
n.c = [n.a]
print(n, n == SimpleNamespace(a=1, b="x", c=[1]), n.b)
#---
import ast
for text in ("[1, 'a', None, True, -2.5, (1,), {'k': {1, 2}}]", " {'a': b'x'}", "f(1)", "a", "1 +", "__import__('os')", "1 if x else 2"):
    try:
        print(ast.literal_eval(text))
    except (ValueError, SyntaxError) as error:
        print(type(error).__name__, str(error).split(" at 0x")[0])
#---
import traceback
def inner():
    raise ValueError("deep")
try:
    inner()
except ValueError as error:
    text = traceback.format_exc()
    print(text.splitlines()[0], "|", text.splitlines()[-1], "|", "in inner" in text)
    print(traceback.format_exception_only(error), len(traceback.format_exception(error)))
print(repr(traceback.format_exc()))
#---
import functools
@functools.total_ordering
class V:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
    def __lt__(self, o): return self.x < o.x
print(V(1) <= V(1), V(2) > V(1), V(1) >= V(2), max(V(1), V(3)).x)
@functools.singledispatch
def show(x): return "object"
@show.register(int)
def _(x): return "int"
@show.register(list)
def _(x): return "list of " + ", ".join(map(show, x))
print(show(1), show([True, "a"]), show(None))
#---
def tool(description):
    def wrap(f):
        f.description = description
        f.calls = 0
        return f
    return wrap
@tool("adds")
def add(a, b):
    add.calls += 1
    return a + b
add(1, 2), add(3, 4)
print(add.description, add.calls, add.__name__, add.__qualname__, getattr(add, "missing", "none"))
import functools
@functools.wraps(add)
def again(*args): return add(*args)
print(again.__name__, again.description)
class A:
    @tool("method")
    def run(self): return 1
print(A().run.description, A.run.description, hasattr(A().run, "x"))
def outer():
    def inner(): pass
    inner.__name__ = "renamed"
    return inner
print(outer().__name__, outer().__qualname__)
#---
from collections import ChainMap, UserDict
c = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(c, c["a"], c["b"], dict(c), len(c), "b" in c, list(c))
c["b"] = 9
print(c.maps, c.new_child({"z": 0})["z"], c.parents)
class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)
d = Lower({"A": 1}, B=2)
print(d, d["a"], d.get("zz"), "b" in d)
#---
from pathlib import Path, PurePosixPath as P
print(P("a/b.txt"), repr(P("a", "b", "../c")), P("/a//b/./c/"), P("a") / "b" / P("c.tar.gz"))
p = P("/data/raw/b.tar.gz")
print(p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.parent.parent, list(p.parents))
print(p.with_suffix(".md"), p.with_name("z"), p.relative_to("/data"), p.match("*.gz"), p.is_absolute())
print(P("a") == P("a/"), sorted([P("b"), P("a")]), {P("x"): 1}[P("x")], "pre" / P("x"), f"{p}", p.as_posix())
for f in (lambda: p.relative_to("/x"), lambda: P("a").with_suffix("md"), lambda: P(1), lambda: P("a") / 1):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__ + ":", error)
print(repr(Path("x") / "y"), isinstance(Path("x"), P))
#---
import csv, io
print(list(csv.reader(io.StringIO('a,b,"c ""d"" e"\n1,,3\n\n"x\ny",2\n'))))
print(list(csv.DictReader(io.StringIO("a,b\n1,2\n3\n4,5,6\n"))))
out = io.StringIO()
writer = csv.writer(out)
writer.writerow(["a", "b c", 'd"e', "f,g", 1, None, 2.5, ""])
rows = csv.DictWriter(out, ["x", "y"], lineterminator="\n")
rows.writeheader()
rows.writerow({"x": 1})
print(repr(out.getvalue()))
#---
import shlex, html, uuid, fnmatch
print(shlex.split("a 'b c' \"d \\\" e\" f\\ g"), shlex.quote("it's"), shlex.join(["a b", "c"]))
print(html.escape("<a href=\"x\">'&</a>"), html.unescape("&lt;b&gt; &amp;amp; &#39; &eacute; &nosuch;"))
u = uuid.UUID("12345678-1234-5678-1234-567812345678")
print(u, repr(u), u.hex, u.int, uuid.uuid5(uuid.NAMESPACE_DNS, "x"), uuid.uuid4().version, len(str(uuid.uuid4())))
print([fnmatch.fnmatch("abc.py", p) for p in ("*.py", "a?c.*", "[a-c]*", "[!a]*")])
