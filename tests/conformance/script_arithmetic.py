#!/usr/bin/env python3
"""Random arithmetic in the script language and in this Python; prints what differs.

    tests/conformance/script_arithmetic.py build/espalier [--programs 20] [--seed 1]

Each program prints a few hundred expressions over ints of all sizes, bools, floats and the
functions on numbers, or the error that an expression ends in, type and text. Sizes lie
about the places where representations change: 0, powers of two near 31, 63, 64 bits, and
hundreds of digits. Exit 1: something differs.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

BINARY = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="]
FUNCTIONS = ["abs({})", "int({})", "float({})", "bool({})", "str({})", "hex({})", "bin({})",
             "oct({})", "round({})", "-{}", "~{}", "+{}", "not {}", "len(str({}))",
             "round({}, -2)", "round({}, 3)", "round({}, 1)", "round({}, -20)", "format({}, '.2%')",
             "format({}, '.3g')", "format({}, '012.4f')", "format({}, '.0e')", "'%g' % {}", "'%.1f' % {}",
             "'%08.3f' % {}", "'%+d' % {}", "repr({} / 7)", "repr({} * 0.1)", "int({} / 3)", "'%d' % {}", "'%x' % {}", "'%.3e' % {}",
             "'{{:,}}'.format({})", "format({}, '_d')", "format({}, '+.4f')", "format({}, '#x')",
             "format({}, '>30')", "format({}, 'g')", "format({}, ',')", "isinstance({}, int)", "type({}).__name__",
             "int(str({}))", "float(str({}))", "hash({}) == hash(float({}))", "{} in {{1, 0, 2**64}}"]
PREAMBLE = """
def show(f):
    try:
        print(repr(f()))
    except Exception as error:
        print(type(error).__name__, error)
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def integer(self):
        r = self.random
        kind = r.randrange(6)
        if kind == 0:
            value = r.randrange(-5, 6)
        elif kind == 1:
            value = r.choice([1, -1]) * (2 ** r.choice([15, 30, 31, 32, 52, 53, 62, 63, 64, 65, 96,
                                                        127, 128, 1023, 1024]) + r.randrange(-2, 3))
        elif kind == 2:
            value = r.randrange(-10 ** 6, 10 ** 6)
        elif kind == 3:
            value = r.choice([1, -1]) * 10 ** r.randrange(15, 40) + r.randrange(-1, 2)
        else:
            value = r.choice([1, -1]) * r.getrandbits(r.choice([40, 63, 64, 100, 200, 700, 2500]))
        return f"({value})" if value < 0 else str(value)

    def number(self):
        r = self.random
        kind = r.randrange(10)
        if kind == 0:
            return r.choice(["True", "False"])
        if kind <= 2:
            return r.choice(["0.0", "-0.0", "0.5", "1e16", "1e22", "1e300", "5e-324", "2.5", "(-3.5)",
                             "float('inf')", "float('nan')", "9007199254740993.0", "1e23",
                             repr(r.uniform(-100, 100)), repr(r.uniform(-1, 1) * 10 ** r.randrange(30))])
        return self.integer()

    def expression(self, depth):
        r = self.random
        if depth == 0 or r.random() < 0.2:
            return self.number()
        kind = r.randrange(12)
        left = self.expression(depth - 1)
        if kind < 7:
            return f"({left} {r.choice(BINARY)} {self.expression(depth - 1)})"
        if kind == 7:
            return f"({left} {r.choice(['<<', '>>'])} {r.choice([0, 1, 31, 32, 33, 63, 64, 200, -1])})"
        if kind == 8:
            return f"({left} ** {r.choice([0, 1, 2, 3, 5, -1, -2, 0.5, 2.0])})"
        if kind == 9:
            return f"divmod({left}, {self.expression(depth - 1)})[{r.randrange(2)}]"
        if kind == 10:
            return f"pow({self.integer()}, {self.integer()} % 1000, {self.integer()})"
        return "(" + r.choice(FUNCTIONS).format(left, left) + ")"

    def program(self, count):
        lines = [f"show(lambda: {self.expression(self.random.randrange(1, 4))})"
                 for _ in range(count)]
        return PREAMBLE + "\n".join(lines) + "\n"


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--expressions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    num_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.sgl"
        for seed in range(args.seed, args.seed + args.programs):
            program = Generator(seed).program(args.expressions)
            path.write_text(program)
            python = run([sys.executable, "-I", "-W", "ignore", str(path)])
            ours = run([args.binary, "run", str(path)])
            expected, got = python.stdout.splitlines(), ours.stdout.splitlines()
            shown = program.splitlines()[-args.expressions:]
            for line, a, b in zip(shown, expected, got + ["(nothing)"] * len(expected)):
                if a.startswith("MemoryError"):  # where ours ends at the memory limit
                    break
                if a != b and "complex" not in a + b and not a.startswith("("):
                    num_wrong += 1
                    print(f"seed {seed}: {line}\n  python: {a[:200]}\n  ours:   {b[:200]}")
            if ours.stderr and "MemoryError" not in python.stdout:
                num_wrong += 1
                print(f"seed {seed}: {ours.stderr[-500:]}")
    print(f"{args.programs} programs, {num_wrong} differences")
    return 1 if num_wrong else 0


sys.exit(main())
