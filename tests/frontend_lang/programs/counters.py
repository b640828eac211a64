from collections import Counter, OrderedDict, defaultdict, deque

c = Counter("abracadabra")
print(c, c["a"], c["z"], c.most_common(2), c.most_common(), sorted(c.elements())[:4], c.total(), len(c), Counter())
c.update("aab")
c.subtract({"a": 2, "q": 1})
print(c, c + Counter(a=1), c - Counter(a=5), c | Counter(b=9), c & Counter(a=1, r=9), +c, -c)
print(Counter(a=1, b=2), Counter([1, 1, 2]), Counter({"x": 3}), dict(c), Counter("ab") == Counter("ba"), isinstance(c, dict), type(c).__name__)
del c["nothing"]
c["new"] += 5
print(c.most_common(1), "q" in c, c.get("none"), c.copy() == c, list(c.items())[:2], sum(c.values()))
try:
    Counter.fromkeys("ab")
except NotImplementedError as e:
    print(e)
try:
    Counter(a=1) + 1
except TypeError as e:
    print(e)
#---
from collections import defaultdict
import json

d = defaultdict(list)
for word in "the quick the lazy dog quick".split():
    d[word[0]].append(word)
print(d, dict(d), d["t"], len(d), "x" in d, d.get("x"), json.dumps(d), isinstance(d, dict))
n = defaultdict(int)
for ch in "hello":
    n[ch] += 1
print(n, sorted(n.items(), key=lambda kv: (-kv[1], kv[0])), n.default_factory, defaultdict(lambda: 7)["a"], defaultdict(int, {"a": 1}, b=2))
nested = defaultdict(lambda: defaultdict(int))
nested["a"]["b"] += 1
print(nested["a"], {k: dict(v) for k, v in nested.items()}, defaultdict(int, a=1) == {"a": 1})
for call in [lambda: defaultdict(None)["x"], lambda: defaultdict(5)]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
#---
from collections import OrderedDict

o = OrderedDict([("a", 1), ("b", 2)], c=3)
o.move_to_end("a")
o.move_to_end("c", last=False)
print(o, list(o), o.popitem(), o.popitem(last=False), o, OrderedDict(), OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == dict(b=2, a=1))
print(list(reversed(OrderedDict(a=1, b=2))), OrderedDict(a=1).get("a"), isinstance(o, dict), {**o}, OrderedDict.fromkeys("ab"), dict.fromkeys("ab", 1))
try:
    o.move_to_end("zz")
except KeyError as e:
    print("KeyError", e)
#---
from collections import deque

q = deque([1, 2, 3], maxlen=4)
q.append(4)
q.append(5)
q.appendleft(0)
print(q, q[0], q[-1], len(q), q.maxlen, 3 in q, list(reversed(q)), q.count(3), q.index(3))
q.rotate(1)
print(q, q.pop(), q.popleft(), q, deque("abc") == deque("abc"), deque([1]) + deque([2]), deque([1, 2]) * 2, bool(deque()))
q.extend([7, 8])
q.extendleft([9])
q.remove(7)
q.insert(1, "x")
q[0] = "first"
del q[1]
print(q, q.copy(), sorted(deque([3, 1, 2])), deque(), deque([1, 2]) < deque([1, 3]), type(q))
q.reverse()
q.clear()
print(q, deque(range(5), 3))
for call in [lambda: deque().pop(), lambda: deque()[0], lambda: deque().remove(1), lambda: deque([1], -1), lambda: deque([1]).index(2), lambda: hash(deque()), lambda: deque([1])[0:1]]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
work = deque([1])
try:
    for x in work:
        work.append(x)
except RuntimeError as e:
    print(e)
