"""`generate` with one prompt."""

import json
import os
import re
import signal
import subprocess
import tempfile
import unittest

from binary import BINARY, BinaryTest, environment, espalier, json_lines

TINY = ("generate", "--model", "tiny")


class Generate(BinaryTest):
    def result(self, *arguments, **keywords):
        return json.loads(self.assert_done(espalier(*TINY, "--json", *arguments, **keywords)))

    def test_json_has_the_promised_fields(self):
        result = self.result("--max-tokens", "5", "--ignore-eos", "Hi")
        self.assertEqual(len(result["ids"]), 5)
        self.assertEqual(result["finish_reason"], "length")
        self.assertIsInstance(result["text"], str)
        usage = result["usage"]
        self.assertEqual(set(usage), {"prompt_tokens", "cached_tokens", "completion_tokens",
                                      "forced_tokens", "accepted_draft_tokens"})
        self.assertEqual(usage["completion_tokens"], 5)
        self.assertNotIn("logprobs", result)

    def test_text_streams_as_the_same_text_that_json_gives(self):
        flags = ("--max-tokens", "40", "--ignore-eos", "Hello")
        text = self.result(*flags)["text"]
        for mode in ("--stream", "--no-stream"):
            printed = self.assert_done(espalier(*TINY, mode, *flags)).decode()
            self.assertEqual(printed, text if text.endswith("\n") else text + "\n")

    def test_a_run_repeats_and_another_seed_differs(self):
        flags = ("--max-tokens", "20", "--ignore-eos", "Hello")
        first = self.result(*flags)
        self.assertEqual(first["ids"], self.result(*flags)["ids"])
        other = self.result("--seed", "7", *flags)
        self.assertNotEqual(first["ids"], other["ids"])
        self.assertNotEqual(first["seed"], other["seed"])

    def test_threads_cache_and_chunks_change_nothing(self):
        flags = ("--max-tokens", "12", "--ignore-eos", "A longer prompt, in several chunks.")
        expected = self.result(*flags)["ids"]
        for other in (("--threads", "1"), ("--no-prefix-cache",), ("--chunk-tokens", "7"),
                      ("--page-size", "4"), ("--policy", "fcfs"), ("--kv-cache-tokens", "64")):
            with self.subTest(flags=other):
                self.assertEqual(self.result(*other, *flags)["ids"], expected)

    def test_n_choices_differ_and_count_the_prompt_once(self):
        result = self.result("--n", "3", "--max-tokens", "16", "--ignore-eos", "Hello")
        texts = [output["ids"] for output in result["outputs"]]
        self.assertEqual(len(texts), 3)
        self.assertEqual(len({tuple(ids) for ids in texts}), 3)
        self.assertEqual(result["usage"]["completion_tokens"], 48)
        alone = self.result("--max-tokens", "16", "--ignore-eos", "Hello")
        self.assertEqual(result["usage"]["prompt_tokens"], alone["usage"]["prompt_tokens"])
        self.assertEqual(texts[0], alone["ids"])

    def test_logprobs_stand_beside_each_token(self):
        result = self.result("--logprobs", "2", "--max-tokens", "4", "--ignore-eos", "Hello")
        self.assertEqual([entry["id"] for entry in result["logprobs"]], result["ids"])
        for entry in result["logprobs"]:
            self.assertLessEqual(entry["logprob"], 0)
            self.assertEqual(len(entry["top"]), 2)
            self.assertGreaterEqual(entry["top"][0]["logprob"], entry["top"][1]["logprob"])

    def test_stop_strings_end_the_text_before_them(self):
        text = self.result("--max-tokens", "60", "--ignore-eos", "Hello")["text"]
        stop = next(c for c in text[1:] if c.isascii() and c.isprintable())
        cut = self.result("--max-tokens", "60", "--ignore-eos", "--stop", stop, "Hello")
        self.assertEqual(cut["text"], text[:text.index(stop)])
        self.assertEqual((cut["finish_reason"], cut["matched"]), ("stop", stop))

    def test_choices_are_enforced(self):
        result = self.result("--choice", "yes", "--choice", "no", "Is it?")
        self.assertIn(result["text"], ("yes", "no"))

    def test_structural_tags_are_enforced(self):
        legacy = {"structures": [{"begin": "<n>", "schema": {"enum": [1, 22]}, "end": "</n>"}],
                  "triggers": ["<n"]}
        newer = {"type": "structural_tag", "format": {"type": "sequence", "elements": [
            {"type": "const_string", "value": "<think>"}, {"type": "regex", "pattern": "[a-c]{3}"},
            {"type": "tag", "begin": "</think>", "end": ".",
             "content": {"type": "json_schema", "json_schema": {"type": "boolean"}}}]}}
        flags = ("--max-tokens", "60", "--temperature", "1.5")
        pattern = r"<think>[a-c]{3}</think>(true|false)\."
        self.assertRegex(self.result("--structural-tag", json.dumps(newer), *flags, "Hi")["text"],
                         f"^{pattern}$")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(newer, file)
            file.flush()
            text = self.result("--structural-tag", file.name, *flags, "Hi")["text"]
        self.assertRegex(text, f"^{pattern}$")
        must = {**legacy, "at_least_one": True}
        bias = ("--logit-bias", json.dumps({str(ord("<")): 60}), "--n", "4")
        for output in self.result("--structural-tag", json.dumps(must), *flags, *bias,
                                  "Hi")["outputs"]:
            rest = re.sub(r"<n>(1|22)</n>", "", output["text"])
            whole = output["finish_reason"] == "stop"
            self.assertTrue("<n" not in rest or not whole, output["text"])
        self.assert_refused(espalier(*TINY, "--structural-tag", '{"type": "tag"}', "Hi"), "type")

    def test_a_schema_may_stand_in_the_flag(self):
        result = self.result("--json-schema", '{"enum": [12, 345]}', "Hi")
        self.assertIn(result["text"], ("12", "345"))

    def test_constraints_that_cannot_be_compiled_are_refused(self):
        self.assert_refused(espalier(*TINY, "--regex", "(", "Hi"), "regex")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as schema:
            schema.write("{\"type\": ")
            schema.flush()
            self.assert_refused(espalier(*TINY, "--json-schema", schema.name, "Hi"))
        self.assert_refused(espalier(*TINY, "--json-schema", "/nowhere.json", "Hi"),
                            "/nowhere.json")
        self.assert_refused(espalier(*TINY, "--regex", "a", "--choice", "b", "Hi"), "--choice")

    def test_a_folder_on_stdin_is_named(self):
        done = subprocess.run(["bash", "-c", 'exec "$@" </', "-", BINARY, "generate", "--model",
                               "tiny", "-"], capture_output=True, timeout=60, check=False)
        self.assert_refused(done, "stdin", "folder")

    def test_the_prompt_may_come_from_stdin(self):
        flags = ("--max-tokens", "6", "--ignore-eos")
        self.assertEqual(self.result(*flags, "-", stdin="Hello")["ids"],
                         self.result(*flags, "Hello")["ids"])
        self.assertEqual(self.result(*flags, "-", stdin="Hello\n")["ids"],
                         self.result(*flags, "Hello")["ids"])

    def test_bad_prompts_are_refused_by_what_is_wrong(self):
        self.assert_refused(espalier(*TINY, ""), "empty")
        self.assert_refused(espalier(*TINY), "empty")
        self.assert_refused(espalier(*TINY, "-"), "empty")
        self.assert_refused(espalier(*TINY, b"ab\xffcd"), "byte 2", "UTF-8")
        self.assert_refused(espalier(*TINY, "-", stdin="x" * 20000), "20000", "8192")
        self.assert_refused(espalier(*TINY, "--kv-cache-tokens", "64", "x" * 500), "500")
        self.assert_refused(espalier(*TINY, "--system", "Be brief.", "Hi"), "--chat")
        self.assert_refused(espalier(*TINY, "--stop-token-ids", "99999", "Hi"), "99999")

    def test_what_needs_no_model_is_said_before_one_is_loaded(self):
        for flags in (["--regex", "("], ["--json-schema", '{"type": "sorted"}'],
                      ["--choice", ""]):
            refused = espalier("generate", "--model", "/no/such.gguf", *flags, "Hi")
            self.assert_refused(refused)
            self.assertNotIn(b"such.gguf", refused.stderr)
        refused = espalier("generate", "--model", "/no/such.gguf", "-")
        self.assert_refused(refused, "stdin: the prompt is empty")

    def test_a_prompt_that_fills_the_context_is_refused(self):
        lines = [{"ids": [7] * 8192, "max_new_tokens": 1}, {"ids": [7] * 8192, "max_new_tokens": 0},
                 {"ids": [7] * 8191}]
        done = espalier(*TINY, "--ignore-eos", "--jsonl", "-",
                        stdin="".join(json.dumps(line) + "\n" for line in lines))
        full, read, cut = json_lines(done.stdout)
        self.assertIn("no room for an answer", full["error"]["message"])
        self.assertNotIn("error", read)
        self.assertEqual(len(cut["ids"]), 1)

    def test_stop_strings_are_text(self):
        refused = espalier("generate", "--model", "tiny", "--stop", b"a\xff", "Hi")
        self.assert_refused(refused, "--stop", "byte 1 is not valid UTF-8")

    def test_numbers_say_their_whole_range(self):
        refused = espalier("generate", "--model", "tiny", "--temperature", "1e300", "Hi")
        self.assert_refused(refused, "--temperature", "from 0 to 3.4e38")

    def test_chat_puts_the_prompt_through_the_template(self):
        plain = self.result("--max-tokens", "1", "Hi")["usage"]["prompt_tokens"]
        chat = self.result("--max-tokens", "1", "--chat", "Hi")["usage"]["prompt_tokens"]
        system = self.result("--max-tokens", "1", "--chat", "--system", "Be brief.", "Hi")
        self.assertGreater(chat, plain)
        self.assertGreater(system["usage"]["prompt_tokens"], chat)

    def test_interrupt_ends_it_with_130(self):
        process = subprocess.Popen(
            [BINARY, *TINY, "--ignore-eos", "--max-tokens", "8000", "Hi"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())
        process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 130)


class InspectText(BinaryTest):
    def test_chat_shows_a_message_as_the_model_reads_it(self):
        text = self.assert_done(espalier("inspect", "chat", "--model", "tiny", "Hello",
                                         "--system", "Be brief.")).decode()
        self.assertLess(text.index("Be brief."), text.index("Hello"))
        both = json.loads(self.assert_done(espalier("inspect", "chat", "--model", "tiny", "Hello",
                                                    "--json")))
        self.assertEqual(set(both), {"text", "ids"})
        self.assert_refused(espalier("inspect", "chat"), "TEXT", "--jsonl")

    def test_logits_of_a_text_are_those_of_its_ids(self):
        flags = ("inspect", "logits", "--model", "tiny")
        report = json.loads(self.assert_done(espalier(*flags, "--json", "Hey")))
        line = json.dumps({"name": "", "ids": report["ids"]})
        by_ids = json.loads(self.assert_done(espalier(*flags, "--jsonl", "-", stdin=line)))
        self.assertEqual(report, by_ids)
        table = self.assert_done(espalier(*flags, "Hey")).decode().splitlines()
        self.assertEqual(len(table), 1 + len(report["ids"]))
        self.assertIn('"H"', table[1])
        self.assert_refused(espalier(*flags), "TEXT", "--jsonl")


class Models(BinaryTest):
    def test_a_missing_default_model_says_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as empty:
            done = espalier("generate", "Hi", env={"ESPALIER_CACHE": empty})
            self.assert_refused(done, empty, "./espalier", "--model")

    def test_missing_broken_and_wrong_files_are_refused_by_name(self):
        self.assert_refused(espalier("generate", "--model", "/nowhere.gguf", "Hi"),
                            "/nowhere.gguf")
        with tempfile.TemporaryDirectory() as folder:
            self.assert_refused(espalier("generate", "--model", folder, "Hi"), folder)
            path = os.path.join(folder, "model.gguf")
            for data in (b"", b"GGUF", b"not a model at all", b"GGUF\x03\0\0\0" + b"\xff" * 64):
                with self.subTest(data=data):
                    with open(path, "wb") as file:
                        file.write(data)
                    self.assert_refused(espalier("generate", "--model", path, "Hi"), path)

    def test_a_truncated_model_is_refused(self):
        cache = os.environ.get("ESPALIER_CACHE") or os.path.expanduser("~/.cache/espalier")
        model = f"{cache}/models/SmolLM2-135M-Instruct.Q4_1.gguf"
        if not os.path.exists(model):
            required = os.environ.get("ESPALIER_REQUIRE_MODEL") == "1"
            (self.fail if required else self.skipTest)("the default model is absent")
        with tempfile.TemporaryDirectory() as folder:
            for size in (100, 10_000, 2_000_000):
                path = os.path.join(folder, f"cut-{size}.gguf")
                with open(model, "rb") as whole, open(path, "wb") as cut:
                    cut.write(whole.read(size))
                self.assert_refused(espalier("generate", "--model", path, "Hi"), path)


if __name__ == "__main__":
    unittest.main()
