x = [3, 1, 2]
x.sort(); print(x); x.reverse(); print(x, sorted(x, key=lambda v: -v), sorted("bca", reverse=True))
#---
print([1, 2] + [3], [0] * 3, (1,) + (2,), [1, 2] == [1, 2], [1] < [2], (1, 2) < (1, 3))
#---
x = list(range(10))
print(x[2:5], x[::-1], x[::3], x[-3:], x[:-7], x[5:2], x[20:])
x[2:4] = "ab"; print(x)
#---
d = {"a": 1}
d["b"] = 2; d.update({"c": 3}, d=4)
print(d, list(d), list(d.items()), d.get("z"), d.get("z", 0), d.pop("a"), "b" in d, len(d))
#---
print({v: k for k, v in {"a": 1, "b": 2}.items()}, {**{"a": 1}, "b": 2})
#---
print({1, 2} | {3}, {1, 2} & {2, 3}, {1, 2} - {2}, {1} <= {1, 2}, len({1, 1, 2}), sorted({3, 1}))
#---
print([(i, j) for i in range(3) for j in range(i)], [i for i in range(20) if i % 2 if i % 3 == 0])
#---
print(list(zip([1, 2, 3], "ab")), list(map(str, [1, 2])), list(filter(None, [0, 1, "", "a"])), list(enumerate("ab", 1)))
#---
print(max([1, 5, 2]), min("b", "a"), max("aa", "b", key=len), min([], default=7), sum([1, 2.5]), sum([[1], [2]], []))
#---
print(any([0, 1]), all([1, 0]), all([]), any([]), list(reversed([1, 2])), len("abc"), len({}))
#---
print(list("abc"), tuple([1]), set(), dict([("a", 1)]), dict(a=1), list(range(5, 0, -2)), range(3), 3 in range(5))
#---
x = [1, 2]
x.append(3); x.extend((4,)); x.insert(0, 0); print(x, x.pop(), x.pop(0), x.index(2), x.count(1), x)
x.remove(2); print(x); x.clear(); print(x, x.copy())
#---
x = [1]; x.append(x); print(x)
#---
print(sorted([(1, "b"), (1, "a"), (0, "z")]), sorted(["b", "A"], key=str.lower) if False else "skip")
#---
for bad in (lambda: [1][5], lambda: {}["a"], lambda: [].pop(), lambda: [1].index(2), lambda: {1: 2}.pop(3)):
    try: bad()
    except (LookupError, ValueError) as e: print(type(e).__name__, e)
#---
for bad in (lambda: {[]: 1}, lambda: 1 + "a", lambda: "a" + 1, lambda: [] < 1, lambda: len(5), lambda: 5[0], lambda: None.x, lambda: iter(5)):
    try: bad()
    except (TypeError, AttributeError) as e: print(type(e).__name__, e)
#---
a = [1, 2, 3]
for i in a:
    if i < 3: a.append(i + 10)
    if len(a) > 6: break
print(a)
#---
d = {}
for w in "the cat the dog".split(): d[w] = d.get(w, 0) + 1
print(d, sorted(d.items(), key=lambda kv: (-kv[1], kv[0])))
#---
m = [[1, 2], [3, 4]]
print([list(r) for r in zip(*m)], [x for row in m for x in row])
#---
print(isinstance(1, int), isinstance(True, int), isinstance("a", (int, str)), isinstance([], dict), type(1), type("a").__name__)
#---
print(repr("a'b"), repr('a"b'), repr("a\nb\t\\"), repr([1, "x", None, True, 1.5]), str(None), repr(()), repr((1,)))
#---
print(1 in [1], "a" not in "abc", 2 in {1: 2}, (1, 2) in [(1, 2)], None is None, [] is not [])
#---
d = {"b": 1, "a": 2}
for k in d: print(k, end=" ")
for k, v in d.items(): print(k, v, end=";")
print(list(d.values()), d.setdefault("c", []), d)
#---
t = 1, 2
print(t, t[0], t + (3,), len(t), t.count(1), t.index(2), hash((1, 2)) == hash((1, 2)))
#---
print([*range(3), *"ab"], (*[1], 2), {*[1, 1]}, {**{}, **{"a": 1}})
#---
print([0, 1, 2, 3][1:3], "abcdef"[1:4], "héllo"[1], "héllo"[::-1])
