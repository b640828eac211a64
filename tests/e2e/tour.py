#!/usr/bin/env python3
"""Runs every program of frontend_lang/README.md, on the default model where it is there and else
on the tiny one, and compares what it prints with the text below it, if there is one.
"""

import pathlib
import re
import tempfile
import unittest

from binary import BinaryTest, espalier
from examples import model_is_there

PAGE = pathlib.Path(__file__).resolve().parents[2] / "frontend_lang/README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\s*^```text\n(.*?)^```\n)?", re.M | re.S)


class Tour(BinaryTest):
    def test_each_program_of_the_page_runs_and_prints_what_the_page_says(self):
        programs = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(programs), 5)
        model = [] if model_is_there() else ["--model", "tiny"]
        for text, output in programs:
            with self.subTest(text[:60]), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "program.sgl"
                path.write_text(text, encoding="utf-8")
                printed = self.assert_done(espalier("run", str(path), *model)).decode()
                self.assertTrue(printed.strip())
                if output:
                    self.assertEqual(printed, output)


if __name__ == "__main__":
    unittest.main()
