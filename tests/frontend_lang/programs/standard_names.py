import json, json.decoder
from json.decoder import JSONDecodeError, JSONDecoder
from json.encoder import JSONEncoder
print(json.loads(b'{"a": [1, "\xc3\xa9"]}'), JSONDecodeError is json.JSONDecodeError, json.decoder.JSONDecodeError is JSONDecodeError)
try: json.loads(b"{x")
except json.decoder.JSONDecodeError as e: print(e, e.pos)
#---
import string
print(list(string.Formatter().parse("a {x} {{b}} {y!r:>{w}} {0.a[b]} z")))
print([f for _, f, _, _ in string.Formatter().parse("Q: {question}\nA: {answer}") if f])
class F(string.Formatter):
    def get_value(self, key, args, kwargs):
        if isinstance(key, str): return kwargs.get(key, "{" + key + "}")
        return super().get_value(key, args, kwargs)
print(F().format("{a} {b} {0} {c!r:>5}", 1, a=2, c="x"))
for t in ("{", "}", "{a", "{a!", "{a!rx}", "{0} {}", "{} {0}", "{a.}", "{a[}", "{a[0}", "{x!z}"):
    try: print(string.Formatter().format(t, 1, 2, a=[1], x=3))
    except Exception as e: print(type(e).__name__, e)
print(string.Formatter().format("{:>{}} {} {a[0]} {b.real}", "x", 5, 3, a=[7], b=2))
try: string.Formatter().format("{a}")
except KeyError as e: print(repr(e))
#---
import os, os.path
from os.path import join, exists
print(os.path.exists("/nonexistent"), os.path.isfile("x.y"), os.path.isdir("zz"), os.path.join("a", "b"), os.path.commonpath(["/a/b", "/a/c"]), os.path.commonprefix(["abc", "abd"]))
print(os.path.relpath("/a/b/c", "/a/d"), os.path.relpath("a/b", "a"), os.path.abspath("/a/../b"), os.path.abspath("x") == os.path.join(os.getcwd(), "x"), isinstance(os.cpu_count(), int))
from pathlib import Path
print(Path("zz").exists(), Path("zz").is_file())
#---
from collections import deque, Counter, ChainMap, UserList, UserDict
d = e = deque([1], maxlen=3); d += [2, 3, 4]; print(d, d is e)
c = k = Counter("aab"); c += Counter("b"); print(c, c is k); c -= Counter("a"); print(k); c |= Counter("zz"); print(k, c is k); c &= Counter("zb"); print(k, c is k)
try:
    d += 5
except TypeError as x: print(x)
#---
import io
class Tee(io.StringIO):
    def write(self, s):
        print("<%s>" % s.replace("\n", "\\n")); return super().write(s)
    def flush(self): print("flush")
t = Tee(); print("a", 1, sep="-", file=t); print("x", end="", file=t, flush=True); print(repr(t.getvalue()))
f = io.StringIO("one\ntwo\nthree"); print(f.readline(), f.tell(), f.read(2), list(f), f.read(), f.seek(0), f.readlines())
f = io.StringIO(); f.writelines(["a\n", "b"]); print(f.getvalue(), f.tell(), f.seek(0), f.write("Z"), f.getvalue(), f.truncate(1), f.getvalue())
f.close()
try: f.write("x")
except ValueError as x: print(x)
with io.StringIO("q") as f: print(f.read(), f.closed)
print(f.closed, io.TextIOWrapper(io.BytesIO(b"a\r\nb")).readlines(), type(f).__name__, isinstance(f, io.TextIOBase))
#---
import asyncio
async def main():
    async def w(): await asyncio.sleep(1); return 3
    t = asyncio.create_task(w())
    print(isinstance(t, asyncio.Task), isinstance(t, asyncio.Future), isinstance(3, asyncio.Future))
    t.cancel("stop it")
    try: await t
    except asyncio.CancelledError as e: print("args", e.args)
asyncio.run(main())
#---
import types
m = types.MappingProxyType({"a": 1}); print(m, m["a"], dict(m), len(m), list(m))
try: m["b"] = 1
except TypeError as e: print(e)
#---
import functools
@functools.singledispatch
def show(x): return "other"
@show.register
def _(x: int): return "int"
@show.register
def _(x: list): return "list"
@show.register(str)
def _(x): return "str"
print(show(1), show([]), show("a"), show(2.5), show(True))
class N:
    @functools.singledispatchmethod
    def neg(self, a): raise NotImplementedError("no")
    @neg.register
    def _(self, a: int): return -a
    @neg.register
    def _(self, a: bool): return not a
    def set(self, v): return v
    on = functools.partialmethod(set, True)
print(N().neg(3), N().neg(True), N().on())
try: N().neg("x")
except NotImplementedError as e: print(e)
#---
import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always"); warnings.warn("old", DeprecationWarning); warnings.warn("u")
print([(str(x.message), x.category.__name__) for x in w])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try: warnings.warn("bad")
    except UserWarning as e: print("raised", e)
#---
import unicodedata
print(unicodedata.category("A"), unicodedata.normalize("NFC", "e\u0301") == "\xe9", unicodedata.normalize("NFKD", "ﬁ"), unicodedata.combining("\u0301"), "".join(c for c in unicodedata.normalize("NFD", "café") if unicodedata.category(c) != "Mn"), unicodedata.east_asian_width("漢"), unicodedata.east_asian_width("a"), unicodedata.numeric("½"))
print(unicodedata.normalize("NFKC", "①Ａ"), unicodedata.digit("٣"))
#---
import threading
data = threading.local(); data.x = 1; seen = []
def work(n):
    seen.append(hasattr(data, "x")); data.x = n; seen.append(data.x)
ts = [threading.Thread(target=work, args=(i,)) for i in (5, 6)]
for t in ts: t.start()
for t in ts: t.join()
print(seen, data.x)
try: data.y
except AttributeError as e: print(e)
from collections import UserList, UserDict, ChainMap
a = b = UserList([1]); a += [2]; a *= 2; print(a, a is b, [0] + a, a < [9])
a = b = UserDict(x=1); a |= {"y": 2}; print(a, a is b, a | {"z": 3})
a = b = ChainMap({"x": 1}, {"y": 2}); a |= {"z": 3}; print(a, a is b, a | {"q": 1})
