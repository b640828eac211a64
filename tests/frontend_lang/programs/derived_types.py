from collections import Counter, OrderedDict, defaultdict, deque


class Votes(Counter):
    def winner(self):
        return self.most_common(1)[0][0]

    def __missing__(self, key):
        return -1


votes = Votes("abcab")
print(votes, votes.winner(), votes["zz"], type(votes + votes), votes + votes)
votes.update("zz")
votes.subtract(["a"])
print(votes, votes.total(), votes.copy(), type(votes.copy()), isinstance(votes, dict))
print(dict(votes), Votes(a=1) == Votes({"a": 1}), sorted(votes.elements()))
#---
from collections import deque


class Recent(deque):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.num_added = 0

    def append(self, item):
        self.num_added += 1
        super().append(item)

    def last(self):
        return self[-1]


recent = Recent([1, 2], maxlen=3)
recent.append(3)
recent.append(4)
print(recent, recent.num_added, recent.last(), recent.maxlen, len(recent), 3 in recent)
recent.appendleft(9)
recent.rotate(1)
print(recent, list(reversed(recent)), recent.popleft(), recent.pop(), recent)
print(Recent([1]) + Recent([2]), Recent([1]) * 2, recent.copy(), Recent() == deque())
recent += [7]
print(recent, type(recent).__name__, bool(Recent()))
#---
from collections import defaultdict


class Doubling(defaultdict):
    def __missing__(self, key):
        self[key] = key * 2
        return self[key]


class Tree(defaultdict):
    def __init__(self):
        super().__init__(Tree)

    def __repr__(self):
        return "T" + dict.__repr__(self)


doubling, tree = Doubling(), Tree()
print(doubling["a"], doubling, doubling.default_factory)
tree["a"]["b"]["c"] = 1
print(tree, isinstance(tree, dict), tree.default_factory is Tree)
plain = defaultdict(list)
plain["x"].append(1)
plain.default_factory = None
try:
    plain[1, 2]
except KeyError as error:
    print(error.args, plain)
#---
from collections import OrderedDict


class Cache(OrderedDict):
    def __init__(self, size, *args, **kwargs):
        self.size = size
        super().__init__(*args, **kwargs)

    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.size:
            del self[next(iter(self))]


cache = Cache(2)
cache["a"] = 1
cache["b"] = 2
print(cache["a"])
cache["c"] = 3
print(cache, list(cache), list(reversed(cache)), cache == OrderedDict(a=1, c=3))
print(cache.popitem(last=False), cache, cache == {"c": 3}, cache.get("zz"), len(cache))
try:
    OrderedDict().popitem()
except KeyError as error:
    print(repr(error), error.args)
#---
from functools import partial
from queue import Empty, PriorityQueue, Queue


class Loud(partial):
    def __call__(self, *args, **kwargs):
        print("calling")
        return super().__call__(*args, **kwargs)


loud = Loud(int, base=2)
print(loud("101"), loud.func, loud.args, loud.keywords, callable(loud))


class Unique(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        if item not in self.queue:
            self.queue.append(item)

    def _get(self):
        return self.queue.pop(0)


class Jobs(PriorityQueue):
    def next(self):
        return self.get()[1]


unique, jobs = Unique(), Jobs()
for item in (1, 1, 2):
    unique.put(item)
print(unique.qsize(), unique.get(), unique.get(), unique.empty(), jobs.maxsize)
jobs.put((2, "late"))
jobs.put((1, "soon"))
print(jobs.next(), jobs.next())
try:
    jobs.get_nowait()
except Empty as error:
    print(type(error).__name__)
#---
import json
import random


class Pairs(json.JSONDecoder):
    def __init__(self, *args, **kwargs):
        super().__init__(object_hook=self.hook, *args, **kwargs)

    def hook(self, found):
        return tuple(found.items())


class Dice(random.Random):
    def roll(self, n=1):
        return [self.randint(1, 6) for _ in range(n)]


class Frozen(frozenset):
    pass


class Raw(bytes):
    def shout(self):
        return self.upper()


class Attributes(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__


print(json.loads('{"a": {"b": 1}}', cls=Pairs))
print(Dice(3).roll(5) == Dice(3).roll(5), len(Dice(1).roll(4)))
print(Frozen([1]), Frozen([1]) | {2}, {Frozen([1]): 1}, hash(Frozen([1])) == hash(frozenset([1])))
print(Raw(b"ab"), Raw(b"ab").shout(), Raw(b"ab") + b"c", len(Raw(b"abc")))
print(Attributes.fromkeys("ab"), type(Attributes.fromkeys("ab")), Attributes(x=1).x)
