import pprint
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from types import SimpleNamespace


@dataclass
class Item:
    name: str
    parts: list
    hidden: int = field(default=1, repr=False)


words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
values = [words, tuple(words), set(words), {word: len(word) for word in words},
          OrderedDict((word, i) for i, word in enumerate(words)),
          defaultdict(list, {word: [word] for word in words[:6]}), Counter("mississippi rivers"),
          deque(words), deque(words, maxlen=12), Item("an item", words), [Item("x", words)] * 2,
          SimpleNamespace(a=words, b=1), ChainMap({"a": words}, {"b": 1}), " ".join(words * 3),
          b"bytes " * 20, {"text": " ".join(words * 2), "number": 10 ** 20}, [], {}, (1,), set()]
for value in values:
    pprint.pprint(value)
#---
import pprint

data = {"b": [1, {"deep": {"deeper": [1, 2, 3]}}], "a": list(range(30)), "c": ("x" * 30, "y" * 60)}
for options in ({}, {"width": 40}, {"compact": True}, {"depth": 2}, {"indent": 4},
                {"sort_dicts": False}, {"width": 20, "indent": 2, "compact": True},
                {"underscore_numbers": True}):
    print(options)
    pprint.pprint(data, **options)
pprint.pp({"z": 1, "a": 123456789})
print(pprint.pformat(123456789, underscore_numbers=True), pprint.saferepr({"b": 1, "a": 2}))
loop = [1]
loop.append(loop)
print(pprint.isrecursive(loop), pprint.isreadable(loop), pprint.isreadable([1]))


class Short(pprint.PrettyPrinter):
    def format(self, object, context, maxlevels, level):
        if isinstance(object, float):
            return f"{object:.2f}", True, False
        return super().format(object, context, maxlevels, level)


Short(width=30).pprint([1.23456, {"pi": 3.14159, "e": 2.71828}])
for bad in ({"indent": -1}, {"depth": 0}, {"width": 0}):
    try:
        pprint.PrettyPrinter(**bad)
    except ValueError as error:
        print(error)
