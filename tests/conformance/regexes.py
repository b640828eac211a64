#!/usr/bin/env python3
"""Random patterns: `espalier inspect match` against Python's re and against node's RegExp.

    tests/conformance/regexes.py --count 20000 [--seed 1]

As `regex`, a pattern is judged by re.fullmatch; as `pattern` of a JSON schema, by RegExp with
the u flag, which searches. A pattern that the judge does not compile is not asked about; one
that we refuse is counted. Node is skipped with a line where it is absent. Exit 1: a verdict
that differs, or a crash.
"""

import argparse
import collections
import json
import random
import re
import shutil
import subprocess
import sys
import warnings

from match_process import MatchProcess

LETTERS = list("abcAB019_- .\n") + ["é", "ß", "日", "\U0001f600", "\u2028", "\u00a0", "\u0660"]
NODE = r"""
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(x => x);
for (const line of lines) {
  const {pattern, texts} = JSON.parse(line);
  try {
    const regex = new RegExp(pattern, 'u');
    console.log(JSON.stringify(texts.map(t => regex.test(t))));
  } catch (error) { console.log('null'); }
}
"""


class Patterns:
    """Draws patterns in the syntax that both dialects have, and some that one has."""

    def __init__(self, rng, dialect):
        self.rng = rng
        self.dialect = dialect

    def atom(self, depth):
        kind = self.rng.randrange(12)
        if kind < 4 or depth == 0 and kind >= 8:
            return re.sub(r"([.])", r"\\\1", self.rng.choice(LETTERS)).replace("\n", "\\n")
        if kind == 4:
            return "."
        if kind == 5:
            return self.rng.choice([r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\.", r"\t", r"\/"]
                                   if self.dialect == "node" else
                                   [r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\.", r"\t"])
        if kind == 6:
            return self.char_class()
        if kind == 7:
            return self.special()
        opening = self.rng.choice(["(", "(?:", "(?:", "(?=", "(?!", "(?P<n>", "(?<n>"])
        if opening in ("(?P<n>", "(?<n>"):
            opening = "("
        return opening + self.alternation(depth - 1) + ")"

    def special(self):
        both = ["^", "$", r"\b", r"\B", r"\u00e9", r"\x41", "(?<=a)", "(?<!b)"]
        if self.dialect == "node":
            return self.rng.choice(both + [r"\u{1F600}", r"\p{L}", r"\p{Lu}", r"\P{Nd}", r"\cJ"])
        return self.rng.choice(both + [r"\A", r"\Z"])

    def char_class(self):
        items = "".join(self.rng.choice(["a", "b", "0-9", "a-c", r"\d", r"\s", r"\w", "é", "A-Z", r"\-",
                                         r"\]", "_"])
                        for _ in range(self.rng.randrange(1, 4)))
        return "[" + self.rng.choice(["", "^"]) + items + "]"

    def repeat(self):
        suffix = self.rng.choice(["*", "+", "?", "{2}", "{1,2}", "{1,}", "{0,3}"])
        return suffix + self.rng.choice(["", "", "?"])

    def sequence(self, depth):
        parts = []
        for _ in range(self.rng.randrange(1, 5)):
            atom = self.atom(depth)
            fixed = atom in ("^", "$", r"\b", r"\B", r"\A", r"\Z") or atom.startswith(("(?=", "(?!", "(?<"))
            parts.append(atom if fixed or self.rng.random() < 0.65 else atom + self.repeat())
        return "".join(parts)

    def alternation(self, depth):
        return "|".join(self.sequence(depth) for _ in range(self.rng.choice([1, 1, 1, 2, 3])))


def texts(rng, pattern):
    letters = LETTERS + [c for c in pattern if c.isalnum()]
    drawn = ["".join(rng.choice(letters) for _ in range(rng.randrange(7))) for _ in range(14)]
    return drawn + ["", "a", "ab"]


def python_verdicts(questions):
    for pattern, samples in questions:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                regex = re.compile(pattern)
        except (re.error, FutureWarning, DeprecationWarning):
            yield None
            continue
        if r"\B" in pattern and sys.version_info < (3, 14):
            yield None  # \B did not match in an empty text
            continue
        yield [regex.fullmatch(sample) is not None for sample in samples]


def node_verdicts(questions):
    lines = "".join(json.dumps({"pattern": p, "texts": s}) + "\n" for p, s in questions)
    done = subprocess.run(["node", "-e", NODE], input=lines, capture_output=True, text=True,
                          encoding="utf-8", check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def question(dialect, pattern, samples):
    if dialect == "python":
        return {"regex": pattern, "instances": samples}
    return {"schema": {"type": "string", "pattern": pattern},
            "instances": [json.dumps(s, ensure_ascii=False) for s in samples]}


def check(dialect, judge, arguments):
    rng = random.Random(f"{dialect} {arguments.seed}")
    patterns = Patterns(rng, dialect)
    questions = []
    for _ in range(arguments.count):
        pattern = patterns.alternation(2)
        questions.append((pattern, texts(rng, pattern)))
    ours, counts, reasons = MatchProcess(arguments.binary), collections.Counter(), collections.Counter()
    for (pattern, samples), expected in zip(questions, judge(questions)):
        if expected is None:
            counts["not a pattern"] += 1
            continue
        answer = ours.ask(question(dialect, pattern, samples))
        counts[answer["status"]] += 1
        if answer["status"] != "ok":
            reasons[answer["error"]["message"][:90]] += 1
            continue
        wrong = [(s, e) for s, e, a in zip(samples, expected, answer["accepted"]) if e != a]
        counts["texts"] += len(samples)
        counts["matches"] += sum(expected)
        counts["wrong"] += len(wrong)
        if wrong and counts["shown"] < 20:
            counts["shown"] += 1
            print(f"{dialect}: {pattern!r} on {wrong[0][0]!r}: the judge says {wrong[0][1]}")
    print(dialect, dict(counts))
    for reason, count in reasons.most_common(10):
        print(f"{count:6} {reason}")
    return counts["wrong"] == 0 and ours.crashes == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="build/espalier")
    parser.add_argument("--count", type=int, default=5000, help="patterns of each dialect")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    ok = check("python", python_verdicts, arguments)
    if shutil.which("node"):
        ok &= check("node", node_verdicts, arguments)
    else:
        print("skipped: node is not installed")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
