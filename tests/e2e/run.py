"""`run`: programs as files."""

import json
import os
import subprocess
import tempfile
import unittest

from binary import BINARY, BinaryTest, environment, espalier, json_lines

PLAIN = "def main(x=1):\n    print('seen', x)\n    return x + 1\n"
CALLS = """
@sgl.function
def ask(s, word):
    s += "Say " + word + ": "
    s += sgl.gen("answer", max_tokens=4, ignore_eos=True)
"""


class Run(BinaryTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_prints_and_then_the_returned_value(self):
        path = self.file("plain.sgl", PLAIN)
        self.assertEqual(self.assert_done(espalier("run", path)), b"seen 1\n2\n")
        self.assertEqual(self.assert_done(espalier("run", path, "--arg", "x=41")),
                         b"seen 41\n42\n")

    def test_a_program_without_model_calls_loads_none(self):
        done = espalier("run", self.file("plain.sgl", PLAIN), "--model", "/nowhere.gguf")
        self.assert_done(done)

    def test_a_model_that_cannot_be_loaded_is_an_input_error(self):
        path = self.file("calls.sgl", CALLS)
        done = espalier("run", path, "--entry", "ask", "--arg", "word=yes", "--model",
                        "/nowhere.gguf")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"/nowhere.gguf", done.stderr)

    def test_json_moves_what_is_printed_to_stderr(self):
        done = espalier("run", self.file("plain.sgl", PLAIN), "--json")
        result = json.loads(self.assert_done(done))
        self.assertEqual(result["return"], 2)
        self.assertEqual(set(result), {"return", "variables", "text", "usage"})
        self.assertIn(b"seen 1", done.stderr)

    def test_a_call_of_the_model_and_its_variables(self):
        path = self.file("calls.sgl", CALLS)
        flags = ("run", path, "--model", "tiny", "--entry", "ask", "--arg", "word=yes", "--json")
        first = json.loads(self.assert_done(espalier(*flags)))
        self.assertEqual(first["usage"]["completion_tokens"], 4)
        self.assertTrue(first["text"].startswith("Say yes: "))
        self.assertEqual(first["text"], "Say yes: " + first["variables"]["answer"])
        again = json.loads(self.assert_done(espalier(*flags)))
        self.assertEqual(first["text"], again["text"])

    def test_batch_rows_are_answered_in_order(self):
        program = self.file("plain.sgl", PLAIN)
        for rows in (self.file("rows.jsonl", "{\"x\": 1}\n{\"x\": 5}\n"),
                     self.file("rows.csv", "x\n1\n5\n")):
            results = json_lines(self.assert_done(espalier("run", program, "--batch", rows,
                                                           "--json")))
            self.assertEqual([result["return"] for result in results], [2, 6])

    def test_a_row_that_raises_fails_alone(self):
        program = self.file("plain.sgl", PLAIN)
        rows = self.file("rows.jsonl", "{\"x\": 1}\n{\"x\": \"a\"}\n{\"x\": 3}\n")
        done = espalier("run", program, "--batch", rows, "--json")
        self.assertEqual(done.returncode, 1)
        results = json_lines(done.stdout)
        self.assertEqual([result.get("return") for result in results], [2, None, 4])
        self.assertEqual(set(results[1]["error"]), {"code", "message"})

    def test_raising_is_1_and_not_running_is_2(self):
        raises = self.file("raises.sgl", "def main():\n    return 1 / 0\n")
        done = espalier("run", raises)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"ZeroDivisionError"), 1, done.stderr)
        self.assertIn(b"line 2", done.stderr)
        self.assertTrue(done.stderr.splitlines()[-1].startswith(
            b"espalier: error: ZeroDivisionError: division by zero"), done.stderr)
        broken = self.file("broken.sgl", "def main(:\n    pass\n")
        done = espalier("run", broken)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"broken.sgl", done.stderr)

    def test_a_program_that_only_selects_has_no_output_speed(self):
        path = self.file("select.sgl", "@sgl.function\ndef pick(s):\n    s += 'It is '\n"
                         "    s += sgl.select('c', ['red', 'blue'])\n")
        done = espalier("run", path, "--entry", "pick", "--model", "tiny")
        self.assert_done(done)
        self.assertNotIn(b"tokens/s", done.stderr)
        self.assertNotIn(b"KV cache", done.stderr)

    def test_flags_and_files_that_are_wrong_are_refused(self):
        program = self.file("plain.sgl", PLAIN)
        self.assert_refused(espalier("run"), "FILE.sgl")
        self.assert_refused(espalier("run", "/nowhere.sgl"), "/nowhere.sgl")
        self.assert_refused(espalier("run", self.folder.name), self.folder.name, "folder")
        self.assert_refused(espalier("run", program, "--arg", "x"), "NAME=VALUE")
        self.assert_refused(espalier("run", program, "--trace", "/nowhere/out.html"), "--trace")
        self.assert_refused(espalier("run", program, "--batch", "rows.txt"), "rows.txt")
        rows = self.file("rows.jsonl", "{\"x\": 1}\n[2]\n")
        self.assert_refused(espalier("run", program, "--batch", rows), "line 2")
        for flag in ("--max-steps", "--max-memory-mib", "--max-depth", "--timeout"):
            self.assert_refused(espalier("run", program, flag, "-1"), flag)

    def test_a_folder_that_is_granted_is_read_and_no_other(self):
        note = self.file("note.txt", "from the file")
        program = self.file("read.sgl", "def main(path):\n    return open(path).read()\n")
        granted = ("--allow-read", os.path.dirname(note))
        done = espalier("run", program, "--arg", f"path={note}", *granted)
        self.assertEqual((done.returncode, done.stdout), (0, b"from the file\n"), done.stderr)
        for flags in ((), ("--allow-read", "/usr")):
            done = espalier("run", program, "--arg", f"path={note}", *flags)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"--allow-read", done.stderr)

    def test_trace_writes_a_page_of_the_run(self):
        page = os.path.join(self.folder.name, "out.html")
        self.assert_done(espalier("run", self.file("calls.sgl", CALLS), "--entry", "ask", "--arg",
                                  "word=yes", "--model", "tiny", "--trace", page))
        with open(page, encoding="utf-8") as file:
            data = file.read().split("const trace = ")[1].split(";\n")[0]
        call = json.loads(data)["calls"][0]
        self.assertEqual((call["name"], call["before"], call["completion"]), ("answer", "Say yes: ", 4))

    def test_limits_end_a_program(self):
        endless = self.file("endless.sgl", "def main():\n    while True:\n        pass\n")
        for flags in (("--max-steps", "10000"), ("--timeout", "0.2")):
            done = espalier("run", endless, *flags)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"espalier: error: ", done.stderr)

    def test_a_row_after_a_limit_is_no_result(self):
        rows = self.file("rows.jsonl", '{"n": 1}\n{"n": 2}\n{"n": 3}\n')
        runaway = self.file("runaway.sgl", "def main(n):\n    while n == 2: pass\n    return n\n")
        done = espalier("run", runaway, "--batch", rows, "--json", "--max-steps", "100000")
        self.assertEqual(done.returncode, 1, done.stderr)
        first, *others = json_lines(done.stdout)
        self.assertEqual(first["return"], 1)
        self.assertEqual([set(row) for row in others], [{"error"}] * 2)

    def test_a_reader_that_goes_away_ends_the_program(self):
        loop = self.file("loop.sgl", "while True:\n    print('x' * 1000)\n")
        process = subprocess.Popen([BINARY, "run", loop], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment())
        process.stdout.read(1)
        process.stdout.close()
        with process.stderr:
            self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(timeout=60), 1)

    def test_a_full_disk_ends_the_program_and_is_told(self):
        loop = self.file("loop.sgl", "while True:\n    print('x')\n")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "run", loop], stdout=full, stderr=subprocess.PIPE,
                                  env=environment(), timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"espalier: error: stdout: ", done.stderr)

    def test_a_trace_that_cannot_be_written_costs_no_result(self):
        done = espalier("run", self.file("plain.sgl", PLAIN), "--trace", "/dev/full")
        self.assertEqual((done.returncode, done.stdout), (1, b"seen 1\n2\n"))
        self.assertIn(b"espalier: error: --trace /dev/full", done.stderr)

    def test_rows_keep_the_digits_of_numbers_and_win_over_arg(self):
        big = 123456789012345678901234567890
        show = self.file("show.sgl", "def main(n): return [n, type(n).__name__]\n")
        for name, text in (("rows.jsonl", '{"n": %d}\n' % big), ("rows.csv", "n\n%d\n" % big)):
            done = espalier("run", show, "--batch", self.file(name, text), "--arg", "n=7")
            self.assertEqual(self.assert_done(done).decode(), f"[{big}, 'int']\n")

    def test_each_row_has_its_own_usage(self):
        rows = self.file("rows.jsonl", '{"word": "a"}\n{"word": "b c d"}\n')
        done = espalier("run", self.file("calls.sgl", CALLS), "--entry", "ask", "--model", "tiny",
                        "--batch", rows, "--json")
        usages = [row["usage"] for row in json_lines(self.assert_done(done))]
        self.assertEqual([usage["completion_tokens"] for usage in usages], [4, 4])
        self.assertEqual(usages[1]["prompt_tokens"] - usages[0]["prompt_tokens"], 4)

    def test_a_prompt_that_is_too_long_is_an_error_of_its_gen(self):
        long = self.file("long.sgl", """
import sglang as sgl
@sgl.function
def f(s, i):
    s += ("x " * 20000 if i == 1 else "short") + sgl.gen("x", max_tokens=2, ignore_eos=True)
for state in f.run_batch([{"i": i} for i in range(3)]):
    try:
        print(len(state["x"]) > 0)
    except RuntimeError as error:
        print("caught", 'gen "x"' in str(error))
""")
        done = espalier("run", long, "--model", "tiny")
        self.assertEqual(self.assert_done(done), b"True\ncaught True\nTrue\n")


if __name__ == "__main__":
    unittest.main()
