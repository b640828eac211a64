#!/usr/bin/env python3
"""Makes tests/frontend_lang/golden/values.jsonl: what CPython gives for operations on values.

  python3 tests/conformance/values.py [SEED [COUNT]] > tests/frontend_lang/golden/values.jsonl

A line is {"op", "self", "args", "result" | "error"}; values are JSON, the result is
its repr, the error is [type, message]. op is "method NAME", "binary SYMBOL",
"format" or "%".
"""
import json
import operator
import random
import sys

STRS = ["", "a", "abc", "Hello World", "  pad \t\n", "a,b,,c", "x" * 20, "ÄöÜß", "ǆ ǅ", "日本語 text", "ΑΣ ΟΔΟΣ.",
        "line1\nline2\r\nline3", "a\u2028b", "tab\tx", "ﬁne ŉ", "123", "١٢", "²", "½", "_id9", "\u00a0x", "😀b", "İi",
        "don't stop", "'\"", "\x00\x7f\u0300"]
NUMS = [0, 1, -1, 7, -7, 3, 255, 2**31, -2**53, 2**62, True, False, 0.0, -0.0, 1.5, -2.5, 0.1, 1e16, 1e15,
        123456.789, 1e-5, 1e300, 3.0, -7.5]
METHODS = {
    "upper": 0, "lower": 0, "title": 0, "capitalize": 0, "swapcase": 0, "casefold": 0, "isalpha": 0, "isdigit": 0,
    "isdecimal": 0, "isnumeric": 0, "isalnum": 0, "isspace": 0, "islower": 0, "isupper": 0, "istitle": 0,
    "isascii": 0, "isprintable": 0, "isidentifier": 0, "strip": "s?", "lstrip": "s?", "rstrip": "s?",
    "split": "s?i?", "rsplit": "s?i?", "splitlines": "b?", "find": "si?i?", "rfind": "si?i?", "index": "si?",
    "rindex": "s", "count": "si?i?", "replace": "ssi?", "startswith": "si?i?", "endswith": "si?i?",
    "partition": "s", "rpartition": "s", "removeprefix": "s", "removesuffix": "s", "zfill": "w", "ljust": "wc?",
    "rjust": "wc?", "center": "wc?", "expandtabs": "w?", "join": "l",
}
BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
          "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
          "|": operator.or_, "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt,
          ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
SPECS = ["", "d", "5", "<8", ">8", "^9", "*^9", "+", " ", "05", "x", "#x", "b", "#o", "X", ",", "_", "010,", ".2f",
         "10.3f", ".0f", "e", ".2e", "g", ".3g", "%", ".1%", ".3", "z.1f", "=+8", "s", ".2s", "c", "é>6", "020_d",
         "#.3g", "n", "08.2f", "_x", "q", "5d5", ".", ",_"]
PERCENT = ["%d", "%5d|", "%-5d|", "%05d", "%+d", "%s", "%r", "%.2f", "%8.3f", "%e", "%g", "%x", "%#o", "%c", "%i %%",
           "%.3s", "%5s|", "%-5s|", "%z", "%", "%a"]


def argument(rng, kind, text):
    if kind == "s":
        return rng.choice([rng.choice(STRS), text[1:3], text[:1], text[-2:], " ", ",", "b"])
    if kind == "i":
        return rng.randint(-4, 6)
    if kind == "w":
        return rng.randint(-1, 26)
    if kind == "c":
        return rng.choice(["*", "é", "0"])
    if kind == "b":
        return rng.random() < 0.5
    return [rng.choice(STRS[:6]) for _ in range(rng.randint(0, 3))] + ([1] if rng.random() < 0.1 else [])


def arguments(rng, shape, text):
    result = []
    shape = shape or ""
    while shape:
        optional = shape[1:2] == "?"
        if optional and rng.random() < 0.4:
            break
        result.append(argument(rng, shape[0], text))
        shape = shape[2 if optional else 1:]
    if rng.random() < 0.02:
        result.append(1)
    return result


def value(rng, depth=2):
    kind = rng.randrange(7 if depth else 4)
    if kind <= 1:
        return rng.choice(NUMS)
    if kind == 2:
        return rng.choice(STRS)
    if kind == 3:
        return rng.choice([None, 1, 2, "a"])
    if kind <= 5:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice("abc"): value(rng, depth - 1) for _ in range(rng.randint(0, 3))}


def too_large(result):
    if isinstance(result, bool) or isinstance(result, float):
        return False
    if isinstance(result, int):
        return not -2**63 <= result < 2**63
    return isinstance(result, complex)


def emit(op, self, args, compute):
    case = {"op": op, "self": self, "args": args}
    try:
        result = compute()
        if too_large(result):
            return
        case["result"] = repr(result)
    except Exception as error:
        case["error"] = [type(error).__name__, str(error)]
    if len(case.get("result", "")) < 2000:
        print(json.dumps(case))


def main():
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    for _ in range(count):
        name = rng.choice(list(METHODS))
        text = rng.choice(STRS)
        args = arguments(rng, METHODS[name], text)
        emit("method " + name, text, args, lambda: getattr(text, name)(*args))
        symbol, a, b = rng.choice(list(BINARY)), value(rng), value(rng)
        if symbol == "**" and not (isinstance(b, float) or isinstance(b, (int, bool)) and -70 < b < 70):
            b = 2
        if symbol == "*" and any(isinstance(v, int) and abs(v) > 99 for v in (a, b)):
            a = 3
        if symbol == "<<" and isinstance(b, int) and b > 99:
            b = 5
        emit("binary " + symbol, a, [b], lambda: BINARY[symbol](a, b))
        v, spec = rng.choice(NUMS + STRS[:8]), rng.choice(SPECS)
        emit("format", v, [spec], lambda: format(v, spec))
        form, v = rng.choice(PERCENT), rng.choice(NUMS + STRS[:8] + [None, [1]])
        if v == 1e300 and ("d" in form or "i" in form):
            continue  # an int beyond 64 bits
        emit("%", form, [v], lambda: form % (v,))


if __name__ == "__main__":
    main()
