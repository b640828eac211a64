class Shape:
    def __init__(self, side):
        self.side = side

    def __repr__(self):
        return f"{self.__class__.__name__}({self.side!r})"

    def describe(self):
        return "a " + self.__class__.__name__.lower()


class Square(Shape):
    pass


print(Shape(1), Square(2), Square(3).describe())
try:
    int("x")
except ValueError as error:
    print(error.__class__.__name__, [].__class__.__name__, None.__class__.__name__)
#---
class Page:
    def __html__(self):
        return "<p>"

    def __custom__(self, x):
        return x

    __version__ = "1.2"


print(type(Page()).__name__)
#---
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, default=3)
parser.add_argument("--name", default="x")
args = parser.parse_args([])
print(vars(args))
vars(args)["extra"] = 1
print(args.extra, sorted(vars(args)))


def show(count, name, extra):
    print(count, name, extra)


show(**vars(args))
#---
import argparse

parser = argparse.ArgumentParser()


def grow(text):
    for i in range(50):
        parser.add_argument(f"--more{i}{text}")
    return text


parser.add_argument("--a", type=grow)
parser.add_argument("--b", type=grow)
args = parser.parse_args(["--a", "1", "--b", "2"])
print(args.a, args.b)
#---
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Sized


class Everything:
    def __iter__(self):
        return iter([])

    def __call__(self):
        pass

    def __len__(self):
        return 0

    def __contains__(self, x):
        return True


class Steps:
    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration


class NoHash:
    __hash__ = None


class Equal:
    def __eq__(self, other):
        return True


kinds = [Callable, Collection, Container, Hashable, Iterable, Iterator, Sized]
for value in [Everything(), Steps(), NoHash(), Equal(), Everything, print, len, lambda: 1, "a", 1,
              [], {}.keys(), iter([]), (x for x in []), ValueError, int, [].append]:
    print(*[int(isinstance(value, kind)) for kind in kinds])
#---
from collections import deque

match deque([1, 2, 3]):
    case [a, *rest]:
        print(a, rest)
    case _:
        print("none")


class deque_:
    pass


match deque_():
    case [a, b]:
        print("no")
    case _:
        print("an object")
#---
from typing import Generic, List, TypeVar

T = TypeVar("T")


class Stack(Generic[T]):
    def __init__(self):
        self.items: List[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()


stack = Stack[int]()
stack.push(1)
stack.push(2)
print(stack.pop(), len(stack.items), isinstance(stack, Stack), type(stack).__name__)


class Named(Stack[str]):
    name = "n"


named = Named()
named.push("x")
print(named.pop(), Named.name)
#---
class Stop(StopIteration):
    pass


class StopIteration_:
    pass


class Numbers:
    def __init__(self):
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at > 3:
            raise Stop()
        return self.at


print(list(Numbers()), next(Numbers()), sum(Numbers()))


def generate():
    yield 1
    raise Stop("x")


try:
    print(list(generate()))
except RuntimeError as error:
    print(error, repr(error.__cause__))


class Missing(AttributeError):
    pass


class Lazy:
    def __getattr__(self, name):
        raise Missing(name)


print(getattr(Lazy(), "x", "default"), hasattr(Lazy(), "y"))
#---
import asyncio


async def main():
    task = asyncio.current_task()
    try:
        await task
    except RuntimeError as error:
        print(str(error)[:28])
    try:
        await asyncio.wait_for(asyncio.sleep(1), 0.01)
    except asyncio.TimeoutError:
        print("timeout")


asyncio.run(main())
#---
import asyncio


class Cancel(asyncio.CancelledError):
    pass


async def work():
    raise Cancel()


async def main():
    task = asyncio.create_task(work())
    try:
        await task
    except asyncio.CancelledError:
        print(task.cancelled())


asyncio.run(main())
#---
import asyncio


async def numbers():
    yield 1
    print(await anext(generator))


generator = numbers()


async def main():
    try:
        async for n in generator:
            print(n)
    except RuntimeError as error:
        print(error)


asyncio.run(main())
#---
import json

D = {str(i): object() for i in range(5)}


def clear(value):
    D.clear()
    return 2


print(json.dumps(D, default=clear))
D = {str(i): object() for i in range(5)}
print(json.dumps(D, default=clear, sort_keys=True))
D = {str(i): object() for i in range(5)}
try:
    print(json.dumps(D, default=clear, indent=1))
except RuntimeError as error:
    print(error)
#---
import bisect, heapq, math, random, re

nan = float("nan")
print(math.fsum([nan, 1.0]), round(1.5, 10**30), heapq.nsmallest(10**30, [3, 1]))
print(bisect.bisect([1, 2], 1, 0, -1), math.isqrt(7**2001) == math.isqrt(7**2001 + 1))
for n in [0, 1, 2, 3, 4, 2**64, 2**127 - 1, 10**200, 10**200 - 1]:
    print(math.isqrt(n))
random.seed(5)
print(random.getrandbits(64), random.getrandbits(100), random.getrandbits(1000), random.getrandbits(5))
for f in (math.isinf, math.isfinite, math.ceil, math.trunc, math.floor):
    try:
        f(1, 2)
    except TypeError as error:
        print(error)


class S(str):
    pass


print(re.sub("a", lambda m: S("b"), "banana"))
#---
import textwrap

print(textwrap.wrap("a" * 200, 30))
print(textwrap.wrap("-" * 90 + "a--b-c " + " " * 80 + "ab-" * 30, 20))
print(textwrap.wrap("aaa-bbb--ccc---ddd e-f -g- --h-- i--j", 5))
print(textwrap.fill("ééé" * 20 + " x", 7))
print(textwrap.wrap("abc-defghijkl", 6, break_on_hyphens=False), textwrap.wrap("--abcdef-gh", 4))
print(textwrap.shorten("hello " * 20, 30), textwrap.wrap("   lead  and   trail   ", 8))
#---
class Settings:
    def __init__(self, **kwargs):
        self.a = 1
        vars(self).update(kwargs)

    def show(self):
        return ", ".join(f"{k}={v}" for k, v in vars(self).items())


settings = Settings(b=2)
print(settings.b, settings.show())
vars(settings)["c"] = 3
settings.d = 4
del settings.a
print(settings.c, vars(settings), hasattr(settings, "a"))
vars(settings).clear()
print(vars(settings), hasattr(settings, "b"))
vars(settings)[5] = 6
settings.e = 7
print(vars(settings), settings.e)
import copy

print(vars(copy.copy(Settings(z=1))), vars(settings) is vars(settings))
