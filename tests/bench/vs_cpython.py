#!/usr/bin/env python3
"""The script language and CPython on the same small programs, in one run; prints ratios.

    tests/bench/vs_cpython.py build/espalier [--rounds 7] [--only calls]

Every program runs with this Python and with `espalier run`, in turn; the processor time of
the whole process counts, less that of an empty program. The table gives the median of each and
CPython's time divided by ours: above 1 we are faster. Exit 1: the two print different
things, or a ratio is below --least. The last row: 10,000 lines, parsed and compiled.
"""

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

PROGRAMS = {
    "while loop": """
i = 0
total = 0
while i < 2000000:
    if i % 3 == 0:
        total += i
    i += 1
print(total)
""",
    "for range": """
def work(n):
    total = 0
    for i in range(n):
        total += i * 2 - 1
    return total
print(work(3000000))
""",
    "float loop": """
def work(n):
    x = 0.0
    for i in range(n):
        x = x * 0.5 + i / 3.0
    return x
print(work(2000000))
""",
    "nested loops": """
def work(n):
    count = 0
    for i in range(n):
        for j in range(n):
            if i < j:
                count += 1
    return count
print(work(1500))
""",
    "calls": """
def add(a, b):
    return a + b
def work(n):
    x = 0
    for i in range(n):
        x = add(x, i)
    return x
print(work(1000000))
""",
    "recursion": """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(27))
""",
    "default and keyword arguments": """
def scale(x, by=2, *, plus=0):
    return x * by + plus
def work(n):
    x = 0
    for i in range(n):
        x += scale(i) + scale(i, 3) + scale(i, plus=1)
    return x
print(work(200000))
""",
    "closures": """
def make(step):
    total = 0
    def bump(x):
        nonlocal total
        total += x * step
        return total
    return bump
def work(n):
    bump = make(3)
    for i in range(n):
        last = bump(i)
    return last
print(work(700000))
""",
    "built-in calls": """
def work(n):
    items = [1, 2, 3]
    x = 0
    for i in range(n):
        x += len(items) + abs(-i) + max(i, 5)
    return x
print(work(300000))
""",
    "string +=": """
def work(n):
    text = ""
    for i in range(n):
        text += "line "
        text += "\\n"
    return len(text)
print(work(1000000))
""",
    "f-strings": """
def work(n):
    size = 0
    for i in range(n):
        size += len(f"item {i}: {i * 2} of {n}")
    return size
print(work(300000))
""",
    "join and split": """
def work(n):
    size = 0
    for i in range(n):
        text = ", ".join(["alpha", "beta", "gamma", str(i)])
        size += len(text.split(", ")) + len(text.upper())
    return size
print(work(150000))
""",
    "string scan": """
def work(text):
    count = 0
    for c in text:
        if c == "a" or c in "xyz":
            count += 1
    return count
print(work("a quick brown fox jumps over the lazy dog " * 20000))
""",
    "list index": """
def work(n):
    items = list(range(1000))
    total = 0
    for k in range(n):
        for i in range(1000):
            total += items[i]
            items[i] = total % 7
    return total
print(work(1000))
""",
    "list append": """
def work(n):
    items = []
    for i in range(n):
        items.append(i)
    return sum(items)
print(work(1500000))
""",
    "comprehension": """
def work(n):
    return sum([sum([x * x for x in range(100) if x % 2 == 0]) for k in range(n)])
print(work(10000))
""",
    "dict access": """
def work(n):
    counts = {}
    words = ["apple", "pear", "plum", "fig", "cherry"]
    for i in range(n):
        word = words[i % 5]
        counts[word] = counts.get(word, 0) + 1
        counts[i % 100] = i
    return sorted(str(item) for item in counts.items())[:3]
print(work(500000))
""",
    "tuples and unpacking": """
def work(n):
    a, b = 0, 1
    pairs = [(i, i + 1) for i in range(100)]
    for k in range(n):
        a, b = b, (a + b) % 1000003
        for x, y in pairs:
            a += x - y
    return a, b
print(work(8000))
""",
    "generator": """
def numbers(n):
    for i in range(n):
        yield i
def work(n):
    return sum(x * 2 for x in numbers(n))
print(work(500000))
""",
    "exceptions": """
def work(n):
    caught = 0
    for i in range(n):
        try:
            if i % 4 == 0:
                raise ValueError("odd")
        except ValueError as error:
            caught += 1
    return caught
print(work(400000))
""",
    "sort with key": """
def work(n):
    items = [(i * 7919) % 100003 for i in range(n)]
    return sum(sorted(items, key=lambda x: -x)[:10])
print(work(200000))
""",
    "instance attributes": """
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
def work(n):
    p = Point(1, 2)
    total = 0
    for i in range(n):
        p.x = i
        total += p.x + p.y
    return total
print(work(1000000))
""",
    "methods and instances": """
class Counter:
    def __init__(self, start):
        self.n = start
    def bump(self, by):
        self.n += by
        return self.n
def work(n):
    c = Counter(0)
    for i in range(n):
        c.bump(i)
        if i % 10 == 0:
            c = Counter(i)
    return c.n
print(work(500000))
""",
    "big ints": """
def work(n):
    x = 1
    for i in range(1, n):
        x *= i
    return len(str(x)) + (x % 1000007) + (x >> 4000) % 97
print(work(1500))
""",
}

LINES = "".join(
    f"def f{i}(a, b=1):\n    x = a + b * {i}\n    if x > 3 and b:\n"
    f"        return [x, a, 'text {i}']\n    return {{'k': x}}\n" for i in range(2000))


def timed(command):
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    seconds = (after.children_user + after.children_system
               - before.children_user - before.children_system)
    if done.returncode != 0:
        return seconds, "failed: " + done.stderr.strip().splitlines()[-1]
    return seconds, done.stdout


class Pair:
    """The two ways to run a file; times without the start of the process."""

    def __init__(self, binary, folder, rounds):
        self.commands = {"python": [sys.executable, "-I"], "ours": [binary, "run"]}
        self.folder = folder
        self.rounds = rounds
        self.start = {"python": 0.0, "ours": 0.0}
        self.start, _ = self.measure("print(1)\n")

    def measure(self, program):
        path = pathlib.Path(self.folder) / "program.sgl"
        path.write_text(program)
        seconds = {name: [] for name in self.commands}
        outputs = {}
        for _ in range(self.rounds):
            for name, command in self.commands.items():
                took, outputs[name] = timed(command + [str(path)])
                seconds[name].append(took)
        medians = {name: max(statistics.median(s) - self.start[name], 1e-4)
                   for name, s in seconds.items()}
        return medians, outputs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--least", type=float, default=0.0, help="exit 1 below this ratio")
    args = parser.parse_args()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                if line.startswith("model name")), platform.machine())
    print(f"{cpu}; CPython {platform.python_version()}; median of {args.rounds}")
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        pair = Pair(args.binary, folder, args.rounds)
        for name, program in PROGRAMS.items():
            if args.only not in name:
                continue
            medians, outputs = pair.measure(program)
            ratio = medians["python"] / medians["ours"]
            same = outputs["python"] == outputs["ours"]
            bad |= not same or ratio < args.least
            print(f"{name:32} python {medians['python'] * 1e3:8.1f} ms   ours "
                  f"{medians['ours'] * 1e3:8.1f} ms   ratio {ratio:5.2f}"
                  + ("" if same else f"   DIFFERS: {outputs['ours'][:200]}"), flush=True)
        medians, outputs = pair.measure(LINES)
        bad |= outputs["ours"] != ""
        print(f"{'10,000 lines':32} python {medians['python'] * 1e3:8.1f} ms   ours "
              f"{medians['ours'] * 1e3:8.1f} ms")
    return 1 if bad else 0


sys.exit(main())
