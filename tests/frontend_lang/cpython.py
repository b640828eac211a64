#!/usr/bin/env python3
"""Runs the small programs of programs/ with CPython.

It stands outside that folder: a program there may bear a standard module's name, which
CPython would then import in its place. A file holds programs separated by lines "#---"; its .out holds what they print,
separated likewise. --write writes the .out files, --check compares with them. Programs that need a
package which is not installed are left out, by name.
"""
import contextlib
import importlib.util
import io
import pathlib
import sys

SEPARATOR = "#---\n"
NEEDED_PACKAGES = {"pydantic_models.py": "pydantic"}


def output_of(program):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def main():
    folder = pathlib.Path(__file__).parent / "programs"
    wrong = 0
    for path in sorted(folder.glob("*.py")):
        package = NEEDED_PACKAGES.get(path.name)
        if package and importlib.util.find_spec(package) is None:
            print(f"{path.name}: left out, as {package} is not installed")
            continue
        outputs = SEPARATOR.join(output_of(p) for p in path.read_text().split(SEPARATOR))
        expected = path.with_suffix(".out")
        if sys.argv[1:] == ["--write"]:
            expected.write_text(outputs)
        elif outputs != expected.read_text():
            print(f"{path.name}: CPython prints something else than {expected.name}")
            wrong += 1
    return wrong


sys.exit(main())
