"""`generate --jsonl`: many requests from a file."""

import json
import math
import os
import subprocess
import tempfile
import unittest

from binary import BINARY, BinaryTest, environment, espalier, json_lines

BATCH = ("generate", "--model", "tiny", "--jsonl", "-")


def lines(*requests):
    return "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)


class Jsonl(BinaryTest):
    def answers(self, *requests, flags=(), code=0):
        done = espalier(*BATCH, *flags, stdin=lines(*requests))
        self.assertEqual(done.returncode, code, done.stderr)
        answers = json_lines(done.stdout)
        self.assertEqual(len(answers), len([r for r in requests if r != ""]))
        return answers

    def test_results_come_in_input_order(self):
        requests = [{"prompt": "x" * (1 + i * 37 % 90), "ignore_eos": True,
                     "max_new_tokens": 1 + i * 11 % 17} for i in range(60)]
        answers = self.answers(*requests)
        for request, answer in zip(requests, answers):
            self.assertEqual(len(answer["ids"]), request["max_new_tokens"])
            self.assertEqual(answer["usage"]["prompt_tokens"], len(request["prompt"]))

    def test_batch_and_alone_give_the_same(self):
        requests = [{"prompt": f"Number {i}", "ignore_eos": True, "max_new_tokens": 9, "seed": i}
                    for i in range(12)]
        together = self.answers(*requests)
        for request, answer in list(zip(requests, together))[::4]:
            alone = self.answers(request)[0]
            self.assertEqual((alone["ids"], alone["seed"]), (answer["ids"], answer["seed"]))

    def test_rows_differ_and_report_seeds_that_repeat_them(self):
        same = {"prompt": "Hello", "ignore_eos": True, "max_new_tokens": 16}
        first, second = self.answers(same, same)
        self.assertNotEqual(first["ids"], second["ids"])
        again = self.answers({**same, "seed": second["seed"]})[0]
        self.assertEqual(again["ids"], second["ids"])

    def test_a_bad_line_fails_alone_and_names_what_is_wrong(self):
        good = {"prompt": "Hello", "max_new_tokens": 2}
        bad = [
            ("{", "not JSON"), ("[1]", "object"), ("nonsense", "not JSON"),
            ({"prompt": ""}, "empty"), ({}, "prompt"), ({"prompt": 3}, "prompt"),
            ({"prompt": "a", "ids": [1]}, "one of"), ({"ids": []}, "empty"),
            ({"ids": [1, 99999]}, "ids[1]"), ({"ids": [1.5]}, "ids[0]"),
            ({"prompt": "a", "temprature": 1}, "'temprature'; did you mean 'temperature'?"),
            ({"prompt": "a", "banana": 1}, "unknown key 'banana'"),
            ({"text": "a"}, "'text'; did you mean 'prompt'?"),
            ({"prompt": "a", "input_ids": [1]}, "did you mean 'ids'?"),
            ({"prompt": "a", "schema": {}}, "did you mean 'json_schema'?"),
            ({"prompt": "a", "max_tokens": 1, "max_new_tokens": 2}, "one of them"),
            ({"prompt": "a", "structural_tag": 3}, "structural_tag"),
            ({"prompt": "a", "structural_tag": "{}", "regex": "a"}, "at most one"),
            ({"prompt": "a", "temperature": "hot"}, "temperature"),
            ({"prompt": "a", "top_p": 7}, "top_p"), ({"prompt": "a", "n": 0}, "n must"),
            ({"prompt": "a", "max_new_tokens": -1}, "max_new_tokens"),
            ({"prompt": "a", "stop": [1]}, "stop"), ({"prompt": "a", "stop_regex": "("}, "stop_regex"),
            ({"prompt": "a", "regex": "a", "ebnf": "b"}, "at most one"),
            ({"prompt": "a", "choices": []}, "choices"), ({"prompt": "a", "choices": [""]}, "choices[0]"),
            ({"prompt": "a", "choices_method": "token_length_normalized"}, "needs choices"),
            ({"prompt": "a", "choices": ["b"], "choices_method": "best"}, "best"),
            ({"prompt": "a", "logit_bias": {"1": 1000}}, "logit_bias"),
            ({"messages": "hello"}, "messages"), ({"messages": [{"role": "user"}]}, "content"),
            ({"messages": [3]}, "messages"), ({"prompt": "x" * 9000}, "9000"),
            ("[" * 500 + "]" * 500, "deep"),
        ]
        requests = [good] + [request for request, _ in bad] + [good]
        answers = self.answers(*requests, code=1)
        self.assertEqual(answers[0]["finish_reason"], "length")
        self.assertEqual(answers[-1]["finish_reason"], "length")
        for (request, part), answer in zip(bad, answers[1:-1]):
            with self.subTest(request=str(request)[:60]):
                self.assertEqual(set(answer), {"error"})
                self.assertEqual(set(answer["error"]), {"code", "message"})
                self.assertIn(part, answer["error"]["message"])

    def test_null_is_as_if_the_key_were_not_there(self):
        plain = {"prompt": "Hello", "max_tokens": 4, "seed": 3}
        nulls = dict.fromkeys(("ids", "messages", "regex", "json_schema", "choices", "temperature",
                               "stop", "max_new_tokens", "cache_salt"))
        first, second = self.answers(plain, {**plain, **nulls})
        self.assertEqual(first["ids"], second["ids"])
        self.assertIn("unknown key", self.answers({**plain, "nothing": None}, code=1)[0]["error"]["message"])

    def test_invalid_utf8_is_an_error_of_its_line(self):
        done = espalier(*BATCH, stdin=b"{\"prompt\": \"a\xff\"}\n{\"prompt\": \"b\"}\n")
        self.assertEqual(done.returncode, 1)
        answers = json_lines(done.stdout)
        self.assertIn("UTF-8", answers[0]["error"]["message"])
        self.assertIn("text", answers[1])

    def test_an_error_says_which_line_of_the_file_it_is_about(self):
        done = espalier(*BATCH, stdin="\n{\"prompt\": \"a\", \"max_tokens\": 1}\n\n{\n"
                                      "{\"prompt\": \"a\", \"stop_token_ids\": [99999]}\n")
        self.assertEqual(done.returncode, 1)
        good, broken, refused = json_lines(done.stdout)
        self.assertEqual(len(good["ids"]), 1)
        self.assertTrue(broken["error"]["message"].startswith("line 4: not JSON: column 2"), broken)
        self.assertTrue(refused["error"]["message"].startswith("line 5: "), refused)
        self.assertEqual(set(broken["error"]), {"code", "message"})

    def test_choices_come_with_how_likely_each_is(self):
        same = {"prompt": "The colour is ", "choices": ["red", "green", "bluish"]}
        drawn, scored = self.answers(same, {**same, "choices_method": "token_length_normalized"})
        self.assertIn(drawn["text"], same["choices"])
        self.assertIn("ids", drawn)
        self.assertEqual(drawn["choices"], scored["choices"])

    def test_ids_and_prompt_are_the_same_request(self):
        flags = ("inspect", "tokens", "--model", "tiny", "--json", "Hello there")
        ids = json.loads(self.assert_done(espalier(*flags)))["ids"]
        same = {"ignore_eos": True, "max_new_tokens": 8, "seed": 5}
        by_text, by_ids = self.answers({"prompt": "Hello there", **same}, {"ids": ids, **same})
        self.assertEqual(by_text["ids"], by_ids["ids"])

    def test_n_outputs_stand_in_one_line(self):
        answer = self.answers({"prompt": "Hello", "n": 4, "ignore_eos": True, "max_new_tokens": 8})[0]
        self.assertEqual(len({tuple(output["ids"]) for output in answer["outputs"]}), 4)

    def test_logprobs_of_output_and_prompt(self):
        answer = self.answers({"prompt": "Hello", "max_new_tokens": 3, "ignore_eos": True,
                               "return_logprob": True, "top_logprobs_num": 2,
                               "logprob_start_len": 0})[0]
        self.assertEqual(len(answer["logprobs"]), 3)
        self.assertEqual(len(answer["prompt_logprobs"]), 5)
        self.assertIsNone(answer["prompt_logprobs"][0]["logprob"])

    def test_scored_choices_give_a_distribution(self):
        for method in ("token_length_normalized", "greedy_token_selection",
                       "unconditional_likelihood_normalized"):
            with self.subTest(method=method):
                answer = self.answers({"prompt": "The colour is ", "choices": ["red", "green", "bluish"],
                                       "choices_method": method})[0]
                shares = [choice["probability"] for choice in answer["choices"]]
                self.assertAlmostEqual(sum(shares), 1, places=6)
                first = answer["choices"][0]
                for choice in answer["choices"]:  # the softmax of the scores
                    self.assertAlmostEqual(math.log(choice["probability"] / first["probability"]),
                                           choice["score"] - first["score"], places=6)
                self.assertEqual([choice["text"] for choice in answer["choices"]],
                                 ["red", "green", "bluish"])
                if method != "greedy_token_selection":
                    best = max(answer["choices"], key=lambda choice: choice["score"])
                    self.assertEqual(answer["text"], best["text"])

    def test_a_score_is_the_mean_of_the_prompts_logprobs(self):
        prompt, choice = "The colour is ", "red"
        scored, read = self.answers(
            {"prompt": prompt, "choices": [choice, "blue"],
             "choices_method": "token_length_normalized"},
            {"prompt": prompt + choice, "max_new_tokens": 0, "return_logprob": True,
             "logprob_start_len": 0})
        logprobs = [t["logprob"] for t in read["prompt_logprobs"]][len(prompt):]
        self.assertAlmostEqual(scored["choices"][0]["score"], sum(logprobs) / len(logprobs), 6)

    def test_empty_lines_and_a_missing_last_newline_are_fine(self):
        done = espalier(*BATCH, stdin="\n\n{\"prompt\": \"a\", \"max_new_tokens\": 1}\n\n"
                                      "{\"prompt\": \"b\", \"max_new_tokens\": 2}")
        self.assertEqual(len(json_lines(self.assert_done(done))), 2)
        self.assertEqual(self.assert_done(espalier(*BATCH, stdin="")), b"")

    def test_flags_are_the_defaults_of_lines(self):
        answers = self.answers({"prompt": "a"}, {"prompt": "a", "max_new_tokens": 2},
                               flags=("--max-tokens", "5", "--ignore-eos"))
        self.assertEqual([len(answer["ids"]) for answer in answers], [5, 2])

    def test_a_small_kv_cache_loses_nothing(self):
        requests = [{"prompt": "y" * (1 + i * 7 % 60), "ignore_eos": True,
                     "max_new_tokens": 1 + i % 30, "seed": i} for i in range(120)]
        roomy = self.answers(*requests)
        tight = self.answers(*requests, flags=("--kv-cache-tokens", "160"))
        self.assertEqual([a["ids"] for a in roomy], [a["ids"] for a in tight])

    def test_results_that_wait_for_the_first_are_bounded(self):
        slow = {"ids": [5], "max_new_tokens": 7900, "ignore_eos": True}
        large = {"ids": [5], "max_new_tokens": 300, "ignore_eos": True, "return_logprob": True,
                 "top_logprobs_num": 128}
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen([BINARY, *BATCH], stdin=subprocess.PIPE, stdout=output,
                                       stderr=subprocess.DEVNULL, env=environment())
            process.stdin.write(lines(slow, *[large] * 150).encode())
            process.stdin.close()
            _, process.returncode, usage = os.wait4(process.pid, 0)
            self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss, 450 << 10)  # 780 MB were all kept at once

    def test_a_line_may_not_ask_for_more_logprobs_than_fit(self):
        many = {"prompt": "a", "max_new_tokens": 8000, "n": 64, "return_logprob": True,
                "top_logprobs_num": 128}
        answer = self.answers(many, code=1)[0]
        self.assertIn("log-probabilities", answer["error"]["message"])

    def test_an_answer_comes_before_the_next_line_is_written(self):
        process = subprocess.Popen([BINARY, *BATCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, env=environment())
        for length in (1, 3):
            request = {"prompt": "Hello", "max_new_tokens": length, "ignore_eos": True}
            process.stdin.write(lines(request).encode())
            process.stdin.flush()
            self.assertEqual(len(json.loads(process.stdout.readline())["ids"]), length)
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()

    def test_a_missing_file_is_refused(self):
        flags = ("generate", "--model", "/nowhere.gguf")  # the input is looked at first
        self.assert_refused(espalier(*flags, "--jsonl", "/nowhere.jsonl"), "/nowhere.jsonl")
        self.assert_refused(espalier(*flags, "--jsonl", "/tmp"), "/tmp", "folder")
        self.assert_refused(espalier(*BATCH, "Hi"), "--jsonl")

    def test_the_last_line_on_stderr_sums_up(self):
        done = espalier(*BATCH, stdin=lines({"prompt": "Hello", "max_new_tokens": 2}))
        self.assertRegex(done.stderr.decode().splitlines()[-1],
                         r"1 request in .* s: 5 prompt tokens .* from the cache.*tokens/s")
        self.assertIn("KV cache: ", done.stderr.decode())

    def test_without_output_there_is_no_speed_of_it(self):
        done = espalier(*BATCH, stdin=lines({"prompt": "Hello", "max_new_tokens": 0}))
        self.assertRegex(done.stderr.decode().splitlines()[-1], r"from the cache\)$")


class OpenAiBatch(BinaryTest):
    def answers(self, *requests):
        done = espalier(*BATCH, stdin=lines(*requests))
        return done.returncode, json_lines(done.stdout)

    def test_chat_and_text_completions_are_answered_in_their_shape(self):
        code, (chat, text) = self.answers(
            {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions",
             "body": {"model": "m", "messages": [{"role": "user", "content": "Hi"}],
                      "max_tokens": 3, "ignore_eos": True, "n": 2, "logprobs": True,
                      "top_logprobs": 1}},
            {"custom_id": "b", "method": "POST", "url": "/v1/completions",
             "body": {"model": "m", "prompt": "Hi", "user": "me", "ignore_eos": True}})
        self.assertEqual(code, 0)
        self.assertEqual((chat["custom_id"], chat["response"]["status_code"], chat["error"]),
                         ("a", 200, None))
        body = chat["response"]["body"]
        self.assertEqual((body["object"], body["model"], len(body["choices"])),
                         ("chat.completion", "m", 2))
        self.assertEqual(body["choices"][1]["message"]["role"], "assistant")
        self.assertEqual(len(body["choices"][0]["logprobs"]["content"]), 3)
        usage = body["usage"]
        self.assertEqual(usage["total_tokens"], usage["prompt_tokens"] + usage["completion_tokens"])
        self.assertEqual(text["response"]["body"]["object"], "text_completion")
        self.assertEqual(text["response"]["body"]["usage"]["completion_tokens"], 16)

    def test_failures_keep_their_custom_id(self):
        requests = [{"custom_id": f"c{i}", "method": "POST", "url": url, "body": body}
                    for i, (url, body) in enumerate([
                        ("/v1/embeddings", {"input": "x"}),
                        ("/v1/chat/completions", {"messages": []}),
                        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}],
                                                  "tools": [{"type": "function"}]}),
                        ("/v1/completions", {"prompt": "Hi", "stream": True}),
                        ("/v1/completions", "body")])]
        code, answers = self.answers(*requests)
        self.assertEqual(code, 1)
        for i, answer in enumerate(answers):
            self.assertEqual(answer["custom_id"], f"c{i}")
            self.assertEqual(answer["response"]["status_code"], 400)
            self.assertTrue(answer["error"]["message"])


if __name__ == "__main__":
    unittest.main()
