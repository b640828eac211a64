#!/usr/bin/env python3
"""Removes each barrier and each bounds check of the CUDA kernels in turn, and asks the tests.

    cuda_mutations.py BUILD [FILE...]

BUILD is a configured build folder; FILE a name in kernels/cuda (default: all). A mutant is a
copy of one file with one thing less: a `__syncthreads();` is dropped, a `Within(...)` is true.
It is compiled as the emulated library is, put before that library when the test program is
linked, and must make a test fail. The tree is not touched. Prints the survivors; exit 1 if
there are any.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "kernels/cuda"
FILTER = "*Conformance*:Gelu*"
TIMEOUT_S = 600


def closing(text, opening):
    """The place after the bracket that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError("unbalanced")


def mutants_of(text):
    """(line, what was there, mutated text) of each."""
    for match in re.finditer(r"__syncthreads\(\);|\bWithin\(", text):
        end = match.end() if match.group().endswith(";") else closing(text, match.end() - 1)
        was = text[match.start():end]
        # Its arguments stay used, so that no warning stops the mutant.
        now = ";" if was.startswith("_") else f"({was} || true)"
        line = text.count("\n", 0, match.start()) + 1
        yield line, was, text[:match.start()] + now + text[end:]


class Build:
    """How the build folder compiles a kernel and links the test program."""

    def __init__(self, folder, scratch):
        self.folder = folder
        self.scratch = scratch
        entries = json.loads((folder / "compile_commands.json").read_text())
        self.compiles = {pathlib.Path(e["file"]).name: e for e in entries
                         if "kernels_emulated" in e["command"] and e["file"].endswith(".cu")}
        link = subprocess.run(["ninja", "-C", folder, "-t", "commands", "-s", "kernels_test"],
                              capture_output=True, text=True, check=True).stdout
        self.link = next(line for line in reversed(link.splitlines()) if "libkernels" in line)

    def program_of(self, name, text):
        """The test program with this text for the file of this name."""
        entry = self.compiles[name]
        source = self.scratch / name
        source.write_text(text)
        made = self.scratch / "mutant.o"
        words = shlex.split(entry["command"])
        words[words.index("-o") + 1] = str(made)
        words[-1] = str(source)
        subprocess.run(words, cwd=entry["directory"], check=True)
        program = self.scratch / "kernels_test"
        line = re.sub(r"^: && |&& :$", "", self.link.strip()).strip()
        words = shlex.split(line.split(" && ")[0])
        words[words.index("-o") + 1] = str(program)
        library = next(i for i, w in enumerate(words) if w.endswith("libkernels_emulated.a"))
        words.insert(library, str(made))
        subprocess.run(words, cwd=self.folder, check=True)
        return program


def survives(program):
    try:
        done = subprocess.run([program, f"--gtest_filter={FILTER}", "--gtest_fail_fast"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:] or sorted(path.name for path in FOLDER.glob("*.cu"))
    num_mutants = 0
    survivors = []
    with tempfile.TemporaryDirectory() as scratch:
        build = Build(folder, pathlib.Path(scratch))
        for name in names:
            original = (FOLDER / name).read_text()
            if not survives(build.program_of(name, original)):
                print(f"{name}: the tests fail as it is")
                return 1
            for line, was, text in mutants_of(original):
                num_mutants += 1
                alive = survives(build.program_of(name, text))
                print(f"{name}:{line}: {was}: {'SURVIVES' if alive else 'found'}", flush=True)
                if alive:
                    survivors.append(f"{name}:{line}: {was}")
    print(f"{num_mutants} mutants, {len(survivors)} survivors")
    return 1 if survivors or num_mutants == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
