#!/usr/bin/env python3
"""Installs the project into an empty folder, builds the C++ examples against it as a project of
their own, and runs them on the default model. $ESPALIER_BUILD names the build folder.

Exit status 77: skipped, since the model is absent; where ESPALIER_REQUIRE_MODEL=1 that fails.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from examples import model_is_there

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMISES = {  # a pattern for the whole standard output
    "few_shot": r"(.+ -> (positive|negative)\n){2}",
    "judge": r"clarity   [1-5]\nevidence  [1-5]\nstyle     [1-5]\n",
    "triage_tickets": r"((billing|login|shipping|other) +(urgent)? .*\n){2}",
}


def main():
    if not model_is_there():
        print("the default model is absent")
        return 1 if os.environ.get("ESPALIER_REQUIRE_MODEL") == "1" else 77
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = f"{folder}/espalier", f"{folder}/build"
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["cmake", "--install", os.environ["ESPALIER_BUILD"], "--prefix", prefix],
                       **quiet)
        subprocess.run(["cmake", "-S", ROOT / "examples/cpp", "-B", build, "-G", "Ninja",
                        f"-DCMAKE_PREFIX_PATH={prefix}"], **quiet)
        subprocess.run(["cmake", "--build", build], **quiet)
        for name, promise in PROMISES.items():
            out = subprocess.run([f"{build}/{name}"], check=True, stdout=subprocess.PIPE,
                                 encoding="utf-8", timeout=120).stdout
            assert re.fullmatch(promise, out), f"{name} printed {out!r}"
            print(f"ok {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
