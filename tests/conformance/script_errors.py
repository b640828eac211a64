#!/usr/bin/env python3
"""Compares the last line of what ends a program here and under CPython 3.11.

Usage: script_errors.py [FILE.py ...]
Each file holds programs separated by lines "#---"; without files, those of
tests/frontend_lang/errors, and every program of tests/frontend_lang/programs with one
token left out or changed, which gives thousands of errors that nobody wrote. The program
under test is $ESPALIER_BINARY (its `run` command). Prints each kind of difference once,
with counts, and exits 1 when more than 1 % differ.
"""
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import tokenize
import io

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "frontend_lang"))
import cpython  # noqa: E402


def programs_of(path):
    return path.read_text().split(cpython.SEPARATOR)


def mutations(program, rng, count):
    """The program with one token removed, doubled or replaced."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(program).readline))
    except (tokenize.TokenError, IndentationError):
        return
    words = [t for t in tokens if t.string.strip() and t.type != tokenize.COMMENT]
    lines = program.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for token in rng.sample(words, min(count, len(words))):
        begin = starts[token.start[0] - 1] + token.start[1]
        end = starts[token.end[0] - 1] + token.end[1]
        text = rng.choice(["", token.string * 2, rng.choice(words).string, "undefined_", "None"])
        yield program[:begin] + text + program[end:]


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].split("; the language has")[0] if lines else ""


class TooLong(BaseException):
    pass


def give_up(*_):
    raise TooLong()


def theirs_of(program):
    """CPython's last line, or None for a program that does not end."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(2)
    try:
        line = last_line(cpython.error_of(program))
    except TooLong:
        return None
    finally:
        signal.alarm(0)
    if "TooLong" in line:
        return None
    return line.split(": ", 1)[1] if line.startswith("line ") else line


def ours(program, scratch):
    path = pathlib.Path(scratch) / "p.sgl"
    path.write_text(program)
    command = [os.environ["ESPALIER_BINARY"], "run", "--timeout", "5", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return "" if run.returncode == 0 else run.stderr


def all_programs():
    if len(sys.argv) > 1:
        return [p for name in sys.argv[1:] for p in programs_of(pathlib.Path(name))]
    rng = random.Random(311)
    folder = ROOT / "tests" / "frontend_lang"
    found = [p for path in sorted(folder.glob("errors/*.py")) for p in programs_of(path)]
    for path in sorted(folder.glob("programs/*.py")):
        for program in programs_of(path):
            found += mutations(program, rng, 4)
    return found


def main():
    if "ESPALIER_BINARY" not in os.environ:
        return 77
    programs = all_programs()
    kinds = collections.Counter()
    examples = {}
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for program in programs:
            theirs = theirs_of(program)
            if theirs is None:
                continue
            mine = last_line(ours(program, scratch))
            if mine != theirs:
                kinds[theirs, mine] += 1
                examples.setdefault((theirs, mine), program)
        os.chdir(ROOT)
    for (theirs, mine), count in kinds.most_common():
        print(f"{count} x\n  CPython: {theirs}\n  here:    {mine}\n  {examples[theirs, mine]!r}")
    wrong = sum(kinds.values())
    print(f"{len(programs) - wrong} of {len(programs)} end alike")
    return 1 if wrong > len(programs) / 100 else 0


if __name__ == "__main__":
    sys.exit(main())
