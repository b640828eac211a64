#!/usr/bin/env python3
"""Our Python dialect against Python's re.fullmatch, on random patterns and texts.

  regex_python.py DUMP [PAIRS] [SEED]    DUMP: the program of regex_dump.cc

Exits with 1 at the first disagreement. A pattern that we refuse as unsupported is counted;
one that we refuse as wrong must be wrong for Python, too.
"""
import random
import re
import subprocess
import sys
import warnings

ALPHABET = ["a", "b", "c", "A", "_", " ", "\n", "1", "-", ".", "\u00e9", "\u4e2d", "\U0001f600"]
SETS = [r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", ".", "[ab]", "[^a]", "[]a]", "[^]a]", "[a-c1]",
        r"[\w-]", r"[^\n]", r"[\u4e00-\u9fff]", r"[^\Wa]", r"\x61", r"\u00e9", r"\U0001f600"]
ANCHORS = ["^", "$", r"\A", r"\Z", r"\b", r"\B"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{1,}", "{,2}", "{0,3}", "*?", "+?", "{1,2}?"]
FLAGS = ["i", "s", "m", "x", "a", "is", "im"]


def piece(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        c = rng.choice(ALPHABET)
        return re.escape(c) if rng.random() < 0.5 else {".": "\\.", "\n": "\\n"}.get(c, c)
    if kind < 0.5:
        return rng.choice(SETS)
    if kind < 0.6:
        return rng.choice(ANCHORS)
    inner = pattern(rng, depth - 1)
    opening = rng.choice(["(", "(?:", "(?P<n%d>" % rng.randrange(10**9), "(?=", "(?!", "(?:", "(",
                          "(?%s:" % rng.choice(FLAGS), "(?-i:"])
    if rng.random() < 0.15:
        inner = "".join(rng.choice(["a", "b", "c", "[ab]", "."]) for _ in range(rng.randrange(1, 3)))
        opening = rng.choice(["(?<=", "(?<!"])
    return opening + inner + ")"


def pattern(rng, depth):
    alternatives = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        text = ""
        for _ in range(rng.randrange(0, 4)):
            text += piece(rng, depth)
            if text and rng.random() < 0.3:
                text += rng.choice(QUANTIFIERS)
        alternatives.append(text)
    return "|".join(alternatives)


def hexed(text):
    return "x" + text.encode("utf-8").hex()


def main():
    warnings.simplefilter("ignore")
    dump, pairs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    cases = []
    while len(cases) * 8 < pairs:
        source = (rng.choice(["", "", "", "(?i)", "(?s)", "(?m)"]) + pattern(rng, 3))
        texts = ["".join(rng.choice(ALPHABET) for _ in range(rng.randrange(0, 6)))
                 for _ in range(8)]
        cases.append((source, texts))
    lines = "".join("p %s %s\n" % (hexed(p), " ".join(map(hexed, t))) for p, t in cases)
    for flags in [[], ["--json"]]:
        out = subprocess.run([dump] + flags, input=lines, capture_output=True, text=True)
        if out.returncode != 0:
            sys.exit("the dump program failed: %s" % out.stderr)
        judge(cases, out.stdout.splitlines())


def judge(cases, answers):
    assert len(cases) == len(answers)
    refused, matched, compared = {}, 0, 0
    for (source, texts), answer in zip(cases, answers):
        try:
            compiled = re.compile(source)
        except (re.error, OverflowError) as error:
            compiled = None
            if "look-behind" in str(error) or "at position" not in str(error):
                continue
        if "refused" in answer:
            code = answer.split("refused ")[1].split(":")[0]
            refused[code] = refused.get(code, 0) + 1
            if code == "invalid_argument" and compiled:
                sys.exit("%r: Python takes it, we say %s" % (source, answer))
            continue
        if compiled is None:
            sys.exit("%r: wrong for Python, but we take it" % source)
        for text, verdict in zip(texts, answer):
            if text == "" and "\\B" in source:
                continue  # before 3.14, Python's \B did not hold in an empty text
            expected = compiled.fullmatch(text) is not None
            matched, compared = matched + expected, compared + 1
            if expected != (verdict == "1"):
                sys.exit("%r on %r: Python says %s" % (source, text, expected))
    print("%d pairs agree, %d of them match; refused: %s" % (compared, matched, refused))


main()
