#!/usr/bin/env python3
"""Runs the small programs of programs/ and errors/ with CPython.

It stands outside those folders: a program there may bear a standard module's name, which
CPython would then import in its place. A file holds programs separated by lines "#---";
beside it, separated likewise, lie what they print (.out) or the errors that they end with
(.err): whole tracebacks, and of what is no program the line and the message.
--write writes these files, --check compares with them. Programs that need a package which is
not installed are left out, by name.
"""
import contextlib
import importlib.util
import io
import os
import pathlib
import sys
import tempfile
import warnings

SEPARATOR = "#---\n"


def output_of(program):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def error_of(program):
    pathlib.Path("p.sgl").write_text(program)  # the traceback shows lines of the file
    try:
        code = compile(program, "p.sgl", "exec")
    except SyntaxError as error:
        return f"line {error.lineno}: {type(error).__name__}: {error.msg}\n"
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        try:
            exec(code, {"__name__": "__main__"})
        except BaseException as error:
            error = error.with_traceback(error.__traceback__.tb_next)  # less this frame
            sys.__excepthook__(type(error), error, error.__traceback__)
    return err.getvalue()


def main():
    warnings.simplefilter("ignore")
    here = pathlib.Path(__file__).resolve().parent
    sys.setrecursionlimit(1000)
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for folder, suffix, run in (("programs", ".out", output_of), ("errors", ".err", error_of)):
            for path in sorted((here / folder).glob("*.py")):
                package = "pydantic" if path.name.startswith("pydantic_") else None
                if package and importlib.util.find_spec(package) is None:
                    print(f"{path.name}: left out, as {package} is not installed")
                    continue
                outputs = SEPARATOR.join(run(p) for p in path.read_text().split(SEPARATOR))
                expected = path.with_suffix(suffix)
                if sys.argv[1:] == ["--write"]:
                    expected.write_text(outputs)
                elif outputs != expected.read_text():
                    print(f"{path.name}: CPython gives something else than {expected.name}")
                    wrong += 1
        os.chdir(here)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
