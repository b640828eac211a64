#!/usr/bin/env python3
"""Random calls of the script language's modules against CPython's.

Each round writes a program of many calls, each guarded by try, runs it with CPython and
with the given command, and compares what they print line by line.

  tests/conformance/script_modules.py --command "build/espalier run" --seed 1 --rounds 20 re str

Kinds: re (random patterns and texts), str (methods), format (specs), json, random.
"""
import argparse
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

PRELUDE = """import re, json, random
def show(call):
    try:
        print(repr(call()))
    except Exception as e:
        print(type(e).__name__, e)
def found(m):
    return None if m is None else (m.span(), m.groups(), m.lastindex)
"""


def pick(r, *choices):
    return r.choice(choices)


# ---- re.

ATOMS = ["a", "b", "c", "A", "é", ".", r"\d", r"\w", r"\s", r"\W", r"\D", "[abc]", "[^a]", "[a-c]", r"[\w-]", r"[^\W\d]",
         "^", "$", r"\b", r"\B", r"\A", r"\Z", "1", " ", r"\n", "_", "[]a]", "[a-]", r"\.", "x{2}"]
BROKEN = ["(", ")", "[", "*", "a**", "(?P<n>", "(?P=x)", r"\9", "a{3,1}", "[b-a]", r"\q", "(?<=a*)", "(?", "{", "a{,", "(?z)", "(?i", "a(?i)b", "\\"]


def pattern(r, depth=0):
    if depth > 3:
        return r.choice(ATOMS)
    kind = r.random()
    if kind < 0.35:
        return r.choice(ATOMS)
    if kind < 0.6:
        return pattern(r, depth + 1) + pattern(r, depth + 1)
    if kind < 0.7:
        return pattern(r, depth + 1) + "|" + pattern(r, depth + 1)
    if kind < 0.85:
        inner = pattern(r, depth + 1)
        opened = pick(r, "(", "(?:", "(", "(?:", "(?=", "(?!", "(?i:", "(?s:", "(?m:", "(?>", "(?<=", "(?<!", f"(?P<g{r.randrange(100)}>", "(?-i:")
        return opened + inner + ")"
    if kind < 0.97:
        atom = pattern(r, depth + 2)
        if len(atom) > 1 and not (atom[0] in "[(" and atom[-1] in "])"):
            atom = "(?:" + atom + ")"
        return atom + pick(r, "*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}", "{,2}", "{1,}", "*+", "{0,1}?")
    return pick(r, r"\1", r"\2", "(?(1)a|b)", r.choice(BROKEN))


def re_calls(r):
    for _ in range(120):
        p, text = pattern(r), "".join(r.choice("abcABC1 _é\nx-") for _ in range(r.randrange(9)))
        flags = pick(r, "0", "0", "0", "re.I", "re.M", "re.S", "re.X", "re.A", "re.I | re.A")
        yield f"found(re.search({p!r}, {text!r}, {flags}))"
        yield pick(r, f"found(re.match({p!r}, {text!r}, {flags}))", f"found(re.fullmatch({p!r}, {text!r}, {flags}))",
                   f"re.findall({p!r}, {text!r}, {flags})", f"re.split({p!r}, {text!r}, flags={flags})",
                   f"re.sub({p!r}, {pick(r, '-', '[' + chr(92) + 'g<0>]', chr(92) + '1')!r}, {text!r}, flags={flags})",
                   f"[found(m) for m in re.finditer({p!r}, {text!r}, {flags})]")


# ---- str and format.

CHARS = "abcXYZ 01,.-_\t\n'\"\\é\u00dfǅŉ中٣²😀\u0130\u03a3\u2028\x1c%{}"


def text_of(r, most=8):
    return "".join(r.choice(CHARS) for _ in range(r.randrange(most)))


def str_calls(r):
    plain = ["upper", "lower", "title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip", "split", "splitlines", "isalpha", "isalnum",
             "isdigit", "isdecimal", "isnumeric", "isidentifier", "islower", "isupper", "istitle", "isspace", "isprintable", "isascii", "rsplit", "expandtabs"]
    one = ["strip", "lstrip", "rstrip", "split", "rsplit", "partition", "rpartition", "find", "rfind", "index", "rindex", "count", "startswith", "endswith",
           "removeprefix", "removesuffix", "join"]
    for _ in range(200):
        s, t, n = text_of(r), text_of(r, 3), r.randrange(-3, 12)
        yield f"{s!r}.{r.choice(plain)}()"
        yield f"{s!r}.{r.choice(one)}({t!r})"
        yield pick(r, f"{s!r}.{pick(r, 'center', 'ljust', 'rjust')}({n}, {pick(r, '*', 'é', ' ')!r})", f"{s!r}.zfill({n})", f"{s!r}.expandtabs({n})",
                   f"{s!r}.replace({t!r}, {text_of(r, 3)!r}, {n})", f"{s!r}.split({t!r}, {n})", f"{s!r}.rsplit(None, {n})", f"{s!r}.splitlines(True)",
                   f"{s!r}.find({t!r}, {n}, {r.randrange(-3, 9)})", f"{s!r}.count({t!r}, {n})", f"{s!r}[{n}:{r.randrange(-5, 9)}:{pick(r, 1, 2, -1, -2)}]",
                   f"repr({s!r})", f"ascii({s!r})", f"{s!r} * {n}", f"{t!r} in {s!r}", f"{s!r} < {t!r}", f"{s!r}.translate({{97: 'x', 98: None}})")


def format_calls(r):
    numbers = ["0", "1", "-1", "42", "-12345", "1234567", "0.0", "-0.0", "1.5", "-2.675", "1234567.891", "1e-7", "1e16", "1e100", "float('inf')", "float('nan')",
               "0.1", "123456789.0", "True", "2.5", "999999.5"]
    for _ in range(250):
        spec = pick(r, "", "", "*", "é", "0") + pick(r, "", "<", ">", "^", "=")
        spec += pick(r, "", "", "+", " ", "-") + pick(r, "", "", "#") + pick(r, "", "", "0") + pick(r, "", "8", "15", "3") + pick(r, "", "", ",", "_")
        spec += pick(r, "", "", ".0", ".2", ".10") + pick(r, "", "d", "f", "e", "g", "%", "x", "X", "b", "o", "c", "n", "E", "G", "F", "s", "q")
        yield f"format({pick(r, r.choice(numbers), r.choice(numbers), repr(text_of(r, 5)))}, {spec!r})"
        percent = "%" + pick(r, "", "", "-", "+", " ", "0", "#") + pick(r, "", "8", "3") + pick(r, "", "", ".0", ".3") + pick(r, *"dfegxXosricG%")
        yield f"{percent!r} % ({r.choice(numbers)},)"


def json_value(r, depth=0):
    kind = r.random()
    if depth > 3 or kind < 0.5:
        return pick(r, None, True, False, r.randrange(-1000, 1000), r.random() * 10 ** r.randrange(-8, 20), text_of(r), float("inf"))
    if kind < 0.75:
        return [json_value(r, depth + 1) for _ in range(r.randrange(4))]
    return {pick(r, text_of(r), r.randrange(9), None, True, 1.5): json_value(r, depth + 1) for _ in range(r.randrange(4))}


def json_calls(r):
    import json
    for _ in range(100):
        value = json_value(r)
        shown = repr(value).replace("inf", "float('inf')")
        options = pick(r, "", "", ", indent=2", ", indent='->'", ", ensure_ascii=False", ", separators=(',', ':')", ", indent=0", ", indent=1, sort_keys=False")
        yield f"json.dumps({shown}{options})"
        text = list(json.dumps(value, ensure_ascii=r.random() < 0.5))
        for _ in range(r.randrange(3)):
            at = r.randrange(len(text) + 1)
            text[at:at + r.randrange(2)] = pick(r, [], ["\""], ["\\"], [","], ["]"], ["}"], ["1"], ["\n"], ["x"], [" "], ["\\u12"], ["-"], ["."])
        yield f"json.loads({''.join(text)!r})"


def random_calls(r):
    for _ in range(40):
        yield f"random.seed({pick(r, r.randrange(-10**6, 10**6), r.randrange(10**18), repr(text_of(r)), r.randrange(10) / 1.0)})"
        for _ in range(6):
            yield pick(r, "random.random()", f"random.randint({r.randrange(-50, 0)}, {r.randrange(0, 10**r.randrange(1, 12))})", f"random.uniform({r.randrange(9)}, 5.5)",
                       f"random.sample(range({r.randrange(1, 2000)}), 1)", f"random.sample(range(300), {r.randrange(0, 300)})[:9]", f"random.choices('abcdef', k={r.randrange(9)})",
                       f"random.choices([1, 2, 3], [{r.random()}, 2, {r.randrange(1, 5)}], k=4)", "random.gauss(0, 1)", "random.normalvariate(1, 2)",
                       f"(lambda x: (random.shuffle(x), x))(list(range({r.randrange(30)})))", f"random.randrange({r.randrange(-5, 9)}, 99, {r.randrange(1, 9)})",
                       f"random.getrandbits({r.randrange(1, 63)})", "random.expovariate(1.5)", "random.choice([1, 2, 3])", "random.triangular(1, 5, 2)")


KINDS = {"re": re_calls, "str": str_calls, "format": format_calls, "json": json_calls, "random": random_calls}


def output(command, path):
    run = subprocess.run(command + [path], capture_output=True, text=True, timeout=300)
    return (run.stdout + run.stderr).split("\n") if run.returncode else run.stdout.split("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--command", default="build/espalier run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    num_calls = num_wrong = 0
    for kind in options.kinds or KINDS:
        for number in range(options.rounds):
            calls = list(KINDS[kind](random.Random(f"{kind} {options.seed} {number}")))
            program = PRELUDE + "".join(f"show(lambda: {call})\n" for call in calls)
            with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
                file.write(program)
            expected, actual = output([sys.executable, "-W", "ignore"], file.name), output(shlex.split(options.command), file.name)
            pathlib.Path(file.name).unlink()
            num_calls += len(calls)
            actual += [""] * (len(expected) - len(actual))
            for call, want, got in zip(calls, expected, actual):
                if want == got:
                    continue
                num_wrong += 1
                if num_wrong <= options.show:
                    print(f"{call}\n  CPython: {want[:300]}\n  here:    {got[:300]}")
    print(f"{num_calls} calls, {num_wrong} differ")
    return num_wrong > 0


sys.exit(main())
