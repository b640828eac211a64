print("  abc  def ".split(maxsplit=1), " a b c ".split(None, 1), " a b c ".rsplit(None, 1))
print("go north\n".split(None, 1), " a b ".rsplit(None, 1), "a b".split(None, 5), "  ".split(None, 0))
print("x  y  z ".split(None, 2), " x  y  z".rsplit(None, 2), "a ".split(None, 1), " a".rsplit(None, 1))
print(" a  b ".split(None, 0), " a  b ".rsplit(None, 0), "cmd  rest of  line  ".split(maxsplit=1)[1])
#---
d = {"a": 1, "b": 2}
required = {"a", "b"}
print(d.keys() <= {"a", "b", "c"}, {"a"} <= d.keys(), required <= d.keys(), d.keys() >= {"a"})
print(d.keys() < required, d.keys() > {"a"}, {"z"} < d.keys(), frozenset("ab") >= d.keys())
print(sorted(d.keys() - ["a"]), sorted(d.keys() | "xy"), sorted(d.keys() & ["a", "z"]), sorted(d.keys() ^ {"a", "q"}))
print(sorted({"a", "c"} - d.keys()), sorted(["a", "c"] - d.keys()), d.keys() == {"a", "b"}, d.keys() != {"a"})
print(d.items() <= {"a": 1, "b": 2, "c": 3}.items(), d.items() == {("a", 1), ("b", 2)}, d.items() >= {("a", 1)})
print(d.keys().isdisjoint(["z"]), d.keys().isdisjoint("abc"), d.items().isdisjoint([("a", 2)]))
print(d.keys() == {"a": 5, "b": 6}.keys(), d.keys() <= {"a": 0, "b": 0, "c": 0}.keys())
for run in (lambda: d.keys() < ["a"], lambda: d.values() < {1}, lambda: d.values() - {1}, lambda: d.keys() + {1},
            lambda: d.keys() - 5, lambda: d.values().isdisjoint([]), lambda: d.keys().isdisjoint()):
    try:
        print(run())
    except (TypeError, AttributeError) as error:
        print(type(error).__name__, error)
#---
a, b = {"x": [1], "y": {}}, {"x": [1], "y": {}, "z": 0}
print(a.items() <= b.items(), a.items() < b.items(), b.items() >= a.items(), a.items() == {"y": {}, "x": [1]}.items())
print(a.items() <= {"x": [2], "y": {}}.items(), a.items() == b.items(), a.keys() == b.keys())
