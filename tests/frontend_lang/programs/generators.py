def gen(n):
    for i in range(n):
        try: yield i
        finally: pass
print(list(gen(3)), sum(x * x for x in gen(4)))
#---
def count():
    n = 0
    while True:
        yield n
        n += 1
for i in count():
    if i > 3: break
    print(i)
#---
g = (x for x in [1, 2])
print(next(g), next(g), next(g, "end"))
try: next(g)
except StopIteration: print("stop")
#---
def inner(): yield 1; yield 2
def outer():
    yield 0
    yield from inner()
    yield from [3, 4]
print(list(outer()))
#---
def f():
    print("start")
    yield 1
    print("end")
g = f(); print("made")
for x in g: print(x)
#---
log = []
def noisy(x): log.append(x); return x
m = map(noisy, [1, 2, 3])
print(log); print(next(m), log); print(list(m), log)
#---
def bad():
    yield 1
    raise ValueError("inside")
try:
    for x in bad(): print(x)
except ValueError as e: print(e)
#---
def f():
    try:
        yield 1
        yield 2
    except ValueError: print("no")
    finally: print("fin")
print(list(f()))
#---
print(list(zip((x for x in "ab"), (y for y in [1, 2]))), max(x for x in [1, 3, 2]), sorted(x for x in [2, 1]))
#---
print(any(x > 1 for x in [1, 2, 3]), all(x for x in []), ",".join(str(i) for i in range(3)), dict((i, i) for i in range(2)))
#---
def tree(t):
    if isinstance(t, list):
        for x in t: yield from tree(x)
    else: yield t
print(list(tree([1, [2, [3, 4]], 5])))
#---
a, b = (i for i in range(2))
print(a, b, [*(i for i in range(2))], {i for i in range(1)})
#---
def f():
    x = yield 1
    print(x)
    yield 2
print(list(f()))
#---
import json
print(json.dumps({"a": [1, 2.5, None, True, "é"]}), json.loads('{"x": [1, 2]}'), json.dumps("é", ensure_ascii=False))
print(json.dumps({"b": 1, "a": {}}, indent=2, sort_keys=True), json.dumps([], indent=1), json.dumps((1, 2)))
#---
import json
for text in ("", "{", "[1,]", '{"a" 1}', "nul", '"abc', "[1] x", '{"a": 1,}'):
    try: json.loads(text)
    except json.JSONDecodeError as e: print(e)
try: json.dumps({1, 2})
except TypeError as e: print(e)
#---
import sys
print("x", file=sys.stdout, flush=True)
#---
try: sorted([1, "a"])
except TypeError as e: print(e)
try: max([])
except ValueError as e: print(e)
try: [].append(1, 2)
except TypeError as e: print(e)
try: "a".foo
except AttributeError as e: print(e)
try: sum(["a"])
except TypeError as e: print(e)
