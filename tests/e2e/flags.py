"""Flags: every range, unknown names, help, and what the environment gives."""

import resource
import subprocess
import unittest

from binary import BINARY, BinaryTest, environment, espalier

COMMANDS = (["generate"], ["chat"], ["run"], ["inspect", "tokens"], ["inspect", "chat"],
            ["inspect", "logits"], ["inspect", "model"], ["bench", "engine"],
            ["bench", "programs"])

WITHOUT_MODEL = (["inspect", "match"], ["inspect", "schema"], ["bench", "masks"],
                 ["bench", "schemas"])

# Flag, and values that are out of its range.
BAD_VALUES = {
    "--threads": ["-1", "1025", "x", "1.5", ""],
    "--kv-cache-tokens": ["0", "-5", "99999999999", "many"],
    "--page-size": ["0", "3", "128", "-16", "sixteen"],
    "--kv-cache-type": ["int8", "f64"],
    "--chunk-tokens": ["-1", "70000"],
    "--max-running": ["0", "-1", "5000"],
    "--schedule-conservativeness": ["-0.1", "101", "nan", "much"],
    "--policy": ["best", "LPM"],
    "--eviction": ["mru", "none"],
    "--cache-quota-tokens": ["-1", "some"],
    "--device": ["cuda", "tpu"],
    "--isa": ["mmx"],
    "--seed": ["-1", "1e3", "99999999999999999999999"],
    "--log-level": ["loud"],
    "--logprobs": ["-1", "129", "two"],
    "--max-tokens": ["-1", "3000000000", "1.5", "x"],
    "--min-new-tokens": ["-1"],
    "--temperature": ["-0.1", "nan", "hot"],
    "--top-p": ["0", "1.1", "-1", "x"],
    "--top-k": ["-2", "1.5"],
    "--min-p": ["-0.1", "1.1"],
    "--frequency-penalty": ["-2.1", "2.1"],
    "--presence-penalty": ["-2.1", "2.1"],
    "--repetition-penalty": ["0", "2.1"],
    "--n": ["0", "129", "-1"],
    "--stop": [""],
    "--stop-regex": ["(", "a**"],
    "--stop-token-ids": ["-1", "a"],
    "--logit-bias": ["{\"1\": 101}", "{\"x\": 1}", "[1]"],
}


class Flags(BinaryTest):
    def test_every_value_out_of_range_is_refused_by_the_flags_name(self):
        for flag, values in BAD_VALUES.items():
            for value in values:
                with self.subTest(flag=flag, value=value):
                    done = espalier("generate", "--model", "tiny", flag, value, "Hi")
                    self.assert_refused(done, flag)

    def test_what_the_machine_does_not_give_is_said(self):
        def in_little_memory(*flags):
            room = 200_000_000
            return subprocess.run(
                [BINARY, "generate", "--model", "tiny", "--kv-cache-tokens", "1000", *flags, "Hi"],
                capture_output=True, env=environment(), timeout=120,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
        if in_little_memory("--threads", "2").returncode != 0:
            self.skipTest("this build maps more memory than that")  # a sanitizer's does
        self.assert_refused(in_little_memory("--threads", "1024"), "--threads 1024")
        self.assert_refused(in_little_memory("--threads", "2", "--chunk-tokens", "65536"),
                            "--chunk-tokens", "memory")

    def test_an_empty_value_is_no_value(self):
        for flag in ("--regex", "--json-schema", "--ebnf", "--structural-tag", "--jsonl", "--model"):
            for given in ([flag, ""], [flag + "="]):
                with self.subTest(given=given):
                    self.assert_refused(espalier("generate", "--model", "tiny", *given, "Hi"), flag)
        self.assert_refused(espalier("run", "--timeout", "nan", "x.sgl"), "--timeout", "nan")
        self.assert_refused(espalier("run", "--trace=", "x.sgl"), "--trace")

    def test_closed_standard_streams_are_nobodys_files(self):
        def closing(redirect, *args):
            return subprocess.run(["bash", "-c", f'exec "$@" {redirect}', "-", BINARY, *args],
                                  capture_output=True, timeout=60, check=False)

        tiny = ["--model", "tiny", "--max-tokens", "2"]
        done = closing("<&-", "generate", *tiny, "--jsonl", "-")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertEqual(closing("<&-", "chat", *tiny).returncode, 0)
        done = closing(">&-", "generate", *tiny, "Hi")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"stdout: Bad file descriptor", done.stderr)

    def test_unknown_flags_and_commands_are_named(self):
        self.assert_refused(espalier("generate", "--modle", "x", "Hi"),
                            "'--modle'; did you mean '--model'?", "--help")
        self.assert_refused(espalier("generate", "--max_tokens=3", "Hi"), "'--max-tokens'")
        self.assert_refused(espalier("generate", "--temp", "0", "Hi"), "'--temperature'")
        self.assert_refused(espalier("run", "x.sgl", "--banana"), "unknown flag '--banana'; see")
        self.assert_refused(espalier("generate", "-z", "Hi"), "-z")
        self.assert_refused(espalier("generate", "Hi", "there"), "there")
        self.assert_refused(espalier("genarate"), "'genarate'; did you mean 'generate'?", "--help")
        self.assert_refused(espalier("inspect"), "tokens")
        self.assert_refused(espalier("inspect", "nothing"), "inspect nothing", "tokens")
        self.assert_refused(espalier("inspect", "tokns", "a"), "did you mean 'inspect tokens'?")
        self.assert_refused(espalier("tokens", "a"), "did you mean 'inspect tokens'?")
        self.assert_refused(espalier("banana"), "unknown command 'banana'; 'espalier --help'")

    def test_no_command_shows_the_commands_and_an_example(self):
        done = espalier()
        self.assert_refused(done, "no command")
        for part in ("  generate ", "  inspect tokens ", "example: ./espalier generate"):
            self.assertIn(part, done.stderr.decode())

    def test_help_may_come_first(self):
        for command in COMMANDS:
            self.assertEqual(self.assert_done(espalier("help", *command)),
                             self.assert_done(espalier(*command, "--help")))

    def test_a_flag_without_its_value_or_given_twice_is_refused(self):
        self.assert_refused(espalier("generate", "Hi", "--model"), "--model")
        self.assert_refused(espalier("generate", "--seed", "1", "--seed", "2", "Hi"), "--seed")

    def test_help_shows_flags_defaults_and_an_example(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                text = self.assert_done(espalier(*command, "--help")).decode()
                self.assertRegex(text, "example: .*espalier " + " ".join(command))
                self.assertIn("--model", text)
        self.assertRegex(self.assert_done(espalier("generate", "--help")).decode(),
                         r"--max-tokens[^[]*\[128\]")
        self.assertIn("[16]", self.assert_done(espalier("generate", "--help")).decode())

    def test_help_names_types_as_people_do(self):
        for command in COMMANDS + WITHOUT_MODEL:
            text = self.assert_done(espalier(*command, "--help")).decode()
            for word in ("FLOAT", "INT", "TEXT:", "UINT"):
                self.assertNotIn(word, text)

    def test_the_examples_of_help_work(self):
        for command in COMMANDS + WITHOUT_MODEL:
            if command in (["run"], ["bench", "schemas"]):
                continue  # tried by examples.py; needs a network
            with self.subTest(command=command):
                text = self.assert_done(espalier(*command, "--help")).decode()
                example = text.split("example: ")[1].strip().replace("./espalier", BINARY)
                done = subprocess.run(["bash", "-c", example], input=b"", capture_output=True,
                                      env=environment({"ESPALIER_MODEL": "tiny"}), timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout or command == ["chat"], example)

    def test_the_list_of_commands_names_them_all(self):
        text = self.assert_done(espalier("--help")).decode()
        for command in COMMANDS + WITHOUT_MODEL:
            self.assertIn(" ".join(command), text)
        self.assertRegex(self.assert_done(espalier("--version")).decode(), r"^espalier \d+\.\d+")

    def test_the_environment_gives_flags_and_the_command_line_wins(self):
        env = {"ESPALIER_MODEL": "tiny", "ESPALIER_MAX_TOKENS": "0"}
        self.assert_done(espalier("generate", "--json", "Hi", env=env))
        self.assert_refused(espalier("generate", "Hi", env={**env, "ESPALIER_THREADS": "-3"}),
                            "--threads")
        self.assert_done(espalier("generate", "--threads", "1", "Hi",
                                  env={**env, "ESPALIER_THREADS": "-3"}))

    def test_a_variable_that_no_flag_reads_is_named(self):
        done = espalier("inspect", "tokens", "--model", "tiny", "Hi",
                        env={"ESPALIER_TEMPERATRE": "0", "ESPALIER_TOP_K": "1"})
        self.assert_done(done)
        self.assertIn(b"ESPALIER_TEMPERATRE is not read", done.stderr)
        self.assertIn(b"did you mean 'ESPALIER_TEMPERATURE'?", done.stderr)
        self.assertEqual(done.stderr.count(b"warning"), 1)

    def test_a_server_is_refused_by_name(self):
        self.assert_refused(espalier("generate", "--url", "http://localhost:1", "Hi"), "--url")

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        process = subprocess.Popen(
            [BINARY, "generate", "--model", "tiny", "--ignore-eos", "--max-tokens", "4000", "Hi"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        process.stdout.read(1)
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), 1)
        self.assertNotIn(b"error", errors)


if __name__ == "__main__":
    unittest.main()
