#!/usr/bin/env python3
"""Runs the commands of the root README as they stand there, in a folder that has `examples`.

Those that stay (serve, chat), measure (bench) or need a server (curl, --url) have tests of their
own. Where the README shows what a command prints, it prints that."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from binary import BINARY, environment
from examples import model_is_there

ROOT = pathlib.Path(__file__).resolve().parents[2]
ELSEWHERE = re.compile(r"espalier (serve|chat|bench|test)|curl|--url|^cmake")


def commands():
    """(command, the lines that follow it in its block)"""
    for block in re.findall(r"```\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
        found = re.split(r"^\$ ", block, flags=re.M)[1:]
        for text in found:
            lines = re.sub(r"\\\n", " ", text).splitlines()
            yield lines[0].split("    #")[0].strip(), lines[1:]


class Readme(unittest.TestCase):
    def test_every_command_runs(self):
        num_run = 0
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "examples", f"{folder}/examples")
            os.symlink(os.path.abspath(BINARY), f"{folder}/espalier")
            for command, shown in commands():
                if ELSEWHERE.search(command):
                    continue
                with self.subTest(command=command):
                    ran = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True,
                                         text=True, env=environment(), timeout=120)
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    want = [line for line in shown if not line.startswith("espalier: ")]
                    if want:
                        self.assertEqual(ran.stdout.splitlines(), want)
                    num_run += 1
        self.assertGreaterEqual(num_run, 9)


if __name__ == "__main__":
    if not model_is_there() and os.environ.get("ESPALIER_REQUIRE_MODEL") != "1":
        print("skipped: the default model is absent")
        sys.exit(77)
    unittest.main()
