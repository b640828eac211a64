def f(x):
    match x:
        case 0: return "zero"
        case 1 | 2 | 3: return "few"
        case -1: return "minus"
        case 1.5: return "float"
        case "a" "b": return "ab"
        case True: return "never: 1 came first"
        case None: return "none"
        case _: return "other"
for x in [0, 1, 3, -1, 1.5, "ab", True, None, [], "x", False]:
    print(repr(x), f(x))
#---
def f(x):
    match x:
        case True: return "true"
        case False: return "false"
        case 1: return "one"
        case 0: return "zero"
for x in [True, False, 1, 0, 1.0, 2]:
    print(x, f(x))
#---
def shape(x):
    match x:
        case []: return "empty"
        case [a]: return f"one {a}"
        case [a, b]: return f"two {a} {b}"
        case [a, *rest, z]: return f"many {a} {rest} {z}"
        case _: return "no sequence"
for x in [[], [1], (1, 2), [1, 2, 3], range(5), "ab", {1, 2}, {}, 5]:
    print(shape(x))
#---
def f(p):
    match p:
        case (0, 0): return "origin"
        case (0, y): return f"y={y}"
        case (x, 0): return f"x={x}"
        case x, y: return f"{x},{y}"
print(f((0, 0)), f((0, 2)), f([3, 0]), f((4, 5)), f((1, 2, 3)))
#---
match [1, 2, 3, 4]:
    case *_, last:
        print(last)
match [1, 2, 3, 4]:
    case first, *_:
        print(first)
match [1, 2, 3, 4]:
    case [*all]:
        print(all)
match (1,):
    case [x, *rest]:
        print(x, rest)
#---
def f(d):
    match d:
        case {"type": "text", "text": str(t)}: return f"text {t}"
        case {"type": "image", "url": url, **rest}: return f"image {url} {rest}"
        case {"type": kind}: return f"unknown {kind}"
        case {}: return "some dict"
        case _: return "no dict"
print(f({"type": "text", "text": "hi"}))
print(f({"type": "text", "text": 5}))
print(f({"type": "image", "url": "u", "w": 1, "h": 2}))
print(f({"type": "x"}), f({}), f({"a": 1}), f([]))
#---
def f(x):
    match x:
        case int(): return "int"
        case float(): return "float"
        case str(s): return "str " + s
        case list() | tuple(): return "sequence"
        case dict(d): return f"dict {d}"
        case bool(): return "unreached"
        case None: return "None"
for x in [1, 2.0, "s", [1], (1,), {"k": 1}, True, None]:
    print(f(x))
#---
def f(x):
    match x:
        case [int(a), int(b)] if a < b: return "ascending"
        case [int(a), int(b)] if a == b: return "equal"
        case [int(), int()]: return "descending"
        case _: return "?"
print(f([1, 2]), f([2, 2]), f([3, 1]), f(["a", 1]))
#---
match {"user": {"name": "Ann", "tags": ["a", "b", "c"]}}:
    case {"user": {"name": name, "tags": [first, *others]}}:
        print(name, first, others)
#---
match 5:
    case int() as n if n > 3:
        print("big", n)
match [1, [2, 3]]:
    case [a, [b, c] as inner] as outer:
        print(a, b, c, inner, outer)
#---
def f(x):
    match x:
        case [("add" | "plus") as op, a, b]: return (op, a + b)
        case ["neg", a] | ["minus", a]: return ("neg", -a)
        case ["pair", (a, b)] | ["riap", (b, a)]: return (a, b)
print(f(["add", 1, 2]), f(["plus", 3, 4]), f(["neg", 1]), f(["minus", 5]), f(["pair", (1, 2)]),
      f(["riap", (1, 2)]), f([]))
#---
import math
def f(x):
    match x:
        case math.pi: return "pi"
        case math.inf: return "inf"
        case _: return "no"
print(f(3.141592653589793), f(float("inf")), f(1))
#---
# Names are bound only by the case that fits, but stay after it.
x = "before"
match (1, 2):
    case (x, 3):
        print("no")
    case (1, y):
        print(x, y)
print(x, y)
#---
match = 5
case = 6
print(match, case)
match (match):
    case 5:
        print("five")
match = [1]
match[0] = 2
print(match)
#---
def f(command):
    match command.split():
        case ["quit"]: return "bye"
        case ["go", ("north" | "south") as direction]: return "going " + direction
        case ["go", _]: return "no such direction"
        case ["get", item, *more] if more: return f"get {item} and {len(more)} more"
        case ["get", item]: return "get " + item
        case _: return f"what is {command!r}?"
for c in ["quit", "go north", "go up", "get a", "get a b c", "", "x y"]:
    print(f(c))
#---
def f():
    for x in [1, "a", [2], {"k": 3}, None]:
        match x:
            case int(n):
                yield ("int", n)
            case str(s):
                continue
            case [n]:
                yield ("list", n)
            case {"k": v}:
                yield ("dict", v)
            case None:
                break
print(list(f()))
#---
def f(x):
    try:
        match x:
            case [a, b]:
                return a / b
            case _:
                return "none"
    except ZeroDivisionError as e:
        return str(e)
    finally:
        print("done", x)
print(f([4, 2]), f([1, 0]), f(3))
#---
try:
    match 1:
        case int(a, b):
            pass
except TypeError as e:
    print(e)
try:
    match 1:
        case len():
            pass
except TypeError as e:
    print(e)
#---
def evaluate(e):
    match e:
        case int() | float(): return e
        case ("+", l, r): return evaluate(l) + evaluate(r)
        case ("*", l, r): return evaluate(l) * evaluate(r)
        case ("-", x): return -evaluate(x)
        case [op, *args]: raise ValueError(f"bad {op} with {len(args)}")
print(evaluate(("+", 1, ("*", 2, ("-", 3)))))
try:
    evaluate(("/", 1, 2))
except ValueError as e:
    print(e)
#---
match 1, 2, 3:
    case a, b, c:
        print(a + b + c)
match (1,):
    case (a,):
        print(a)
match (yes := [7]):
    case [x]:
        print(x, yes)
#---
def f(x):
    match x:
        case {"a": 1, "b": [_, second, *_], **rest} if rest:
            return second, rest
        case {"a": 1 | 2 as n}:
            return n
        case {1: v, None: w}:
            return v, w
print(f({"a": 1, "b": [1, 2, 3], "c": 4}), f({"a": 2}), f({1: "x", None: "y"}), f({"a": 3}))
#---
def kind(e):
    match e:
        case ValueError(): return "value"
        case KeyError() | IndexError(): return "lookup"
        case Exception(args=(first, *_)): return f"args {first}"
        case _: return "other"
print(kind(ValueError("x")), kind(KeyError(1)), kind(RuntimeError("r", 2)), kind(RuntimeError()), kind(3))
#---
def fib(n):
    match n:
        case 0 | 1:
            return n
        case _:
            return fib(n - 1) + fib(n - 2)
print([fib(i) for i in range(15)])
#---
x = [1, 2]
match x:
    case [1, x]:
        pass
print(x)
def f(a, b):
    match a:
        case b:
            return b
print(f(1, 2))
#---
for v in ([], [[]], [[], []], [[[]]]):
    match v:
        case []: print("a")
        case [[]]: print("b")
        case [[], []]: print("c")
        case [[[]]]: print("d")
