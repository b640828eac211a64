"""What users of other servers reported, tried on `espalier serve`.

A test's number is its row in the table of reports, reference/engines.md of the shared folder,
section 6. Two rows are judged elsewhere: 27, tokens as the `tokenizers` package makes them
(golden.tokens), and 32, crafted model files (tests/runtime/gguf_test.cc and the fuzzer).
"""

import concurrent.futures
import json
import os
import pathlib
import random
import socket
import struct
import unittest

from serve import CHAT, Server, ServeTest, WEATHER

TEXT = {"prompt": "abc", "max_tokens": 12, "temperature": 0}


class Reports(ServeTest):
    flags = ("--kv-cache-tokens", "4096")

    def complete(self, **change):
        status, answer = self.server.post("/v1/completions", {**TEXT, **change})
        self.assertEqual(status, 200, answer)
        return answer

    def text(self, **change):
        return self.complete(**change)["choices"][0]["text"]

    def refused(self, path="/v1/completions", base=None, **change):
        status, answer = self.server.post(path, {**(base or TEXT), **change})
        self.assertEqual(status, 400, answer)
        self.assertTrue(answer["error"]["message"])
        return answer["error"]

    def streamed(self, **change):
        return [event["choices"][0]["text"]
                for event in self.server.events("/v1/completions", {**TEXT, **change})]

    def test_a_client_that_goes_in_any_phase_leaves_nothing_behind(self):
        """Report 1."""
        choose = random.Random(1)
        for _ in range(200):
            body = json.dumps({"prompt": "x" * choose.choice([1, 300, 3000]), "max_tokens": 3000,
                               "stream": choose.random() < 0.5, "ignore_eos": True}).encode()
            client = socket.create_connection(("127.0.0.1", self.server.port))
            client.sendall(b"POST /v1/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body)
                           + body[:choose.choice([0, len(body), len(body), len(body)])])
            if choose.random() < 0.5:
                client.settimeout(0.02)
                try:
                    client.recv(choose.choice([1, 100, 10000]))
                except TimeoutError:
                    pass
            if choose.random() < 0.5:  # RST instead of FIN
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        self.assertTrue(self.server.settle())
        self.assertEqual(self.text(), self.text())

    def test_a_prompt_beyond_the_context_or_the_cache_is_always_400(self):
        """Report 3."""
        for size in (5000, 200000):
            for stream in (False, True):
                error = self.refused(prompt="a" * size, stream=stream)
                self.assertRegex(error["message"], r"\d+ tokens")

    def test_no_limit_means_the_end_of_the_context(self):
        """Report 5."""
        answer = self.server.post("/v1/chat/completions", {
            "messages": CHAT["messages"], "ignore_eos": True, "temperature": 0})[1]
        self.assertEqual(answer["choices"][0]["finish_reason"], "length")

    def test_nothing_of_a_stop_is_ever_sent(self):
        """Report 6."""
        whole = self.text(max_tokens=40)
        for start in range(4, 30, 5):
            stop = whole[start:start + 6]
            cut = whole[:whole.index(stop)]
            for size in range(1, len(stop) + 1, 2):
                pieces = self.streamed(max_tokens=40, stop=["\x00none", stop[:size]])
                self.assertEqual("".join(pieces), whole[:whole.index(stop[:size])])
            self.assertEqual(self.text(max_tokens=40, stop=stop), cut)

    def test_a_stop_holds_back_no_text_that_does_not_fit_it(self):
        """Report 7."""
        pieces = self.streamed(max_tokens=20, stop=["\x00" * 30])
        self.assertTrue(all(pieces[:-1]))

    def test_pieces_hold_whole_characters(self):
        """Report 8."""
        for seed in range(6):
            pieces = self.streamed(max_tokens=60, temperature=1.5, seed=seed, prompt="é")
            for piece in pieces:
                piece.encode()
            self.assertEqual("".join(pieces),
                             self.text(max_tokens=60, temperature=1.5, seed=seed, prompt="é"))

    def test_errors_survive_bytes_that_are_no_text(self):
        """Report 9."""
        for body in (b'{"prompt": "\xff\xfe"}', b'{"\xc3": 1}', b'{"prompt": "\\ud800"}'):
            answer, text = self.server.ask("POST", "/v1/completions", body)
            self.assertEqual(answer.status, 400, text)
            json.loads(text)

    def test_a_wrong_type_anywhere_names_its_field(self):
        """Report 10."""
        wrong = [3, "x", True, [1], {"a": 1}, 1.5]
        for name, right in (("max_tokens", int), ("temperature", (int, float)), ("n", int),
                            ("stop", (str, list)), ("logit_bias", dict), ("stream", bool),
                            ("echo", bool), ("stream_options", dict), ("regex", str),
                            ("seed", int), ("top_p", (int, float)), ("cache_salt", str)):
            for value in wrong:
                if isinstance(value, right) and not (isinstance(value, bool) and right is not bool):
                    continue
                status, answer = self.server.post("/v1/completions", {**TEXT, name: value})
                self.assertEqual(status, 400, (name, value, answer))
                self.assertIn(name, answer["error"]["message"] + str(answer["error"]["param"]))

    def test_an_empty_prompt_is_told_and_never_hangs(self):
        """Report 12."""
        for prompt in ("", [], [[]], [""]):
            self.refused(prompt=prompt)
        self.refused("/v1/chat/completions", CHAT, messages=[])

    def test_json_of_one_request_never_touches_another(self):
        """Report 14."""
        alone = self.text()
        bodies = [{**TEXT} if i % 2 else {**TEXT, "response_format": {"type": "json_object"},
                                          "max_tokens": 40} for i in range(24)]
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda b: self.server.post("/v1/completions", b)[1], bodies))
        for i, answer in enumerate(answers):
            if i % 2:
                self.assertEqual(answer["choices"][0]["text"], alone)
            else:
                self.assertTrue(answer["choices"][0]["text"].startswith("{"))

    def test_white_space_of_json_is_bounded(self):
        """Report 15."""
        text = self.text(response_format={"type": "json_object"}, max_tokens=200, temperature=1,
                         seed=3)
        self.assertNotRegex(text, r"\s{3}")

    def test_a_seed_gives_the_same_text_alone_and_in_a_crowd(self):
        """Report 18."""
        body = {**TEXT, "temperature": 1, "seed": 11, "max_tokens": 24}
        alone = self.server.post("/v1/completions", body)[1]
        self.assertEqual(alone["seed"], 11)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            crowd = list(pool.map(lambda _: self.server.post("/v1/completions", body)[1], range(16)))
        self.assertEqual({a["choices"][0]["text"] for a in crowd}, {alone["choices"][0]["text"]})
        self.assertNotEqual(self.text(temperature=1, seed=12, max_tokens=24),
                            alone["choices"][0]["text"])

    def test_logprobs_fit_their_tokens(self):
        """Reports 20, 23."""
        for count in (0, 1, 5):
            logprobs = self.complete(logprobs=count)["choices"][0]["logprobs"]
            sizes = {len(logprobs[name]) for name in ("tokens", "token_logprobs", "text_offset")}
            self.assertEqual(sizes, {12})
        chat = self.server.post("/v1/chat/completions", {**CHAT, "logprobs": True})[1]
        for token in chat["choices"][0]["logprobs"]["content"]:
            self.assertEqual(token["top_logprobs"], [])

    def test_logprobs_of_a_prompt_are_the_same_with_a_warm_cache(self):
        """Report 26."""
        body = {"prompt": "the same prompt, again and again", "max_tokens": 0, "echo": True,
                "logprobs": 0}
        first, second = (self.complete(**body)["choices"][0]["logprobs"] for _ in range(2))
        self.assertEqual(first, second)

    def test_logit_bias_bans_and_forces(self):
        """Report 24."""
        tokens = json.loads(self.server.ask("POST", "/tokenize", {"prompt": "Z"})[1])["tokens"]
        self.assertEqual(self.text(logit_bias={str(tokens[0]): 100}), "Z" * 12)
        first = self.text(max_tokens=1)
        banned = json.loads(self.server.ask("POST", "/tokenize", {"prompt": first})[1])["tokens"]
        self.assertNotEqual(self.text(max_tokens=1, logit_bias={str(banned[0]): -100}), first)
        self.assertEqual(self.text(logit_bias={}), self.text())

    def test_a_cache_that_is_warm_changes_no_text(self):
        """Report 25."""
        prompt = "A prompt that ends in the middle of a page, and more"
        cold = self.text(prompt=prompt, cache_salt="a")
        self.assertEqual(cold, self.text(prompt=prompt, cache_salt="a"))
        self.assertEqual(cold, self.text(prompt=prompt, cache_salt="b"))
        self.assertGreater(self.complete(prompt=prompt, cache_salt="a")["usage"]
                           ["prompt_tokens_details"]["cached_tokens"], 0)

    def test_n_choices_differ_and_the_prompt_counts_once(self):
        """Report 29."""
        answer = self.complete(n=4, temperature=1, seed=2)
        self.assertEqual([c["index"] for c in answer["choices"]], [0, 1, 2, 3])
        self.assertGreater(len({c["text"] for c in answer["choices"]}), 1)
        self.assertEqual(answer["usage"]["prompt_tokens"], 3)
        self.assertEqual(answer["usage"]["completion_tokens"], 48)

    def test_many_streams_at_once_all_end(self):
        """Report 31."""
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            texts = list(pool.map(lambda _: "".join(self.streamed()), range(64)))
        self.assertEqual(set(texts), {self.text()})

    def test_what_waits_for_a_client_that_has_gone_is_never_run(self):
        """Report 2."""
        crowd = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(100)]
        body = json.dumps({"prompt": "waits", "max_tokens": 300, "ignore_eos": True}).encode()
        before = self.server.metric("espalier:output_tokens_total")
        for client in crowd:
            client.sendall(b"POST /v1/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body)
                           + body)
        for client in crowd:
            client.close()
        self.assertTrue(self.server.settle())
        made = self.server.metric("espalier:output_tokens_total") - before
        self.assertLess(made, 100 * 300 / 2)

    def test_what_is_too_long_has_one_code_and_a_limit_that_is_too_high_is_cut(self):
        """Report 3."""
        for size in (4096, 5000, 20000, 1000000):  # the cache holds 4096, the context more
            error = self.refused(prompt="a" * size)
            self.assertEqual(error["code"], "context_length_exceeded", error)
        answer = self.complete(prompt="a" * 4000, max_tokens=10**9, ignore_eos=True)
        self.assertEqual(answer["choices"][0]["finish_reason"], "length")
        status, answer = self.server.post("/generate", {
            "text": "a" * 4000, "sampling_params": {"max_new_tokens": None, "ignore_eos": True}})
        self.assertEqual((status, answer["meta_info"]["finish_reason"]["type"]), (200, "length"))

    def test_an_answer_that_is_cut_in_a_call_s_name_is_no_empty_200(self):
        """Report 4."""
        for size in range(1, 24):
            for stop in (None, "get"):
                body = {"messages": [{"role": "user", "content": "Weather?"}], "tools": [WEATHER],
                        "tool_choice": "required", "max_tokens": size, "stop": stop, "seed": 1}
                status, answer = self.server.post("/v1/chat/completions", body)
                self.assertEqual(status, 200)
                choice = answer["choices"][0]
                message = choice["message"]
                self.assertTrue(message["content"] or message.get("tool_calls"), (size, answer))
                if choice["finish_reason"] == "tool_calls":
                    json.loads(message["tool_calls"][0]["function"]["arguments"])

    def test_a_stop_within_a_call_leaves_no_broken_call(self):
        """Report 17."""
        body = {"messages": [{"role": "user", "content": "Weather?"}], "tools": [WEATHER],
                "tool_choice": "required", "parallel_tool_calls": False, "max_tokens": 200}
        for stop in ("city", "days", ":", "}"):
            _, answer = self.server.post("/v1/chat/completions", {**body, "stop": stop})
            choice = answer["choices"][0]
            if choice["finish_reason"] == "tool_calls":
                json.loads(choice["message"]["tool_calls"][0]["function"]["arguments"])

    def test_tools_take_objects_only(self):
        """Report 13."""
        for schema in ({"type": "string"}, {"type": "array"}, {"type": ["object", "null"]}):
            tool = {"type": "function", "function": {"name": "f", "parameters": schema}}
            error = self.refused("/v1/chat/completions", CHAT, tools=[tool])
            self.assertEqual(error["param"], "tools[0].function.parameters")

    def test_token_texts_are_their_bytes(self):
        """Reports 21, 22."""
        prompt = "日本 🙂é"
        logprobs = self.complete(prompt=prompt, max_tokens=0, echo=True,
                                 logprobs=5)["choices"][0]["logprobs"]
        parts = []
        for token in logprobs["tokens"]:
            if token.startswith("bytes:"):
                parts.append(bytes(int(part, 16) for part in token[6:].split("\\x")[1:]))
            else:
                parts.append(token.encode())
        self.assertEqual(b"".join(parts).decode(), prompt)
        for token, offset, top in zip(parts, logprobs["text_offset"], logprobs["top_logprobs"]):
            self.assertLessEqual(offset, len(prompt))
            self.assertTrue(top is None or len(top) == 5, top)

    def test_logprobs_of_a_partly_cached_prompt_are_those_of_a_cold_one(self):
        """Report 26."""
        def scores(salt, prompt):
            return self.complete(prompt=prompt, max_tokens=0, echo=True, logprobs=2,
                                 cache_salt=salt)["choices"][0]["logprobs"]
        base = "A prompt whose beginning is known " * 3
        self.complete(prompt=base, cache_salt="warm")
        self.assertEqual(scores("warm", base + "and its end is not"),
                         scores("cold", base + "and its end is not"))

    def test_n_choices_of_a_native_request_differ(self):
        """Report 29."""
        status, answer = self.server.post("/generate", {
            "text": "abc", "sampling_params": {"n": 3, "max_new_tokens": 12, "temperature": 1,
                                               "sampling_seed": 4}})
        self.assertEqual((status, len(answer)), (200, 3))
        self.assertGreater(len({one["text"] for one in answer}), 1)
        for n in (0, -1, 100000, 1.5):
            status, _ = self.server.post("/generate", {"text": "abc", "sampling_params": {"n": n}})
            self.assertEqual(status, 400)

    def test_the_end_token_is_never_shown(self):
        """Report 30."""
        for seed in range(6):
            choice = self.complete(max_tokens=2000, temperature=2, seed=seed)["choices"][0]
            self.assertNotIn("<eos>", choice["text"])
            self.assertNotIn("</s>", choice["text"])
        whole = self.complete(max_tokens=50, ignore_eos=True)
        self.assertEqual(whole["usage"]["completion_tokens"], 50)

    def test_nobody_is_told_that_it_is_ready_before_it_is(self):
        """Report 35."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        statuses = []

        def probe():
            while 200 not in statuses and len(statuses) < 100000:
                try:
                    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
                        client.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                        statuses.append(int(client.recv(100).split()[1]))
                except OSError:
                    statuses.append(None)

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            probing = pool.submit(probe)
            server = Server("--port", str(port))
            probing.result()
        self.assertTrue(set(statuses) <= {None, 200, 503})
        told = [status for status in statuses if status]  # from its first answer on it is there
        self.assertNotIn(None, statuses[statuses.index(told[0]):])
        self.assertEqual(told, sorted(told, reverse=True))
        self.assertEqual(server.stop(), 0)

    def test_paths_and_headers_harm_nobody(self):
        """Report 34."""
        for target in (b"/../../etc/passwd", b"/v1/models/%2e%2e%2f%2e%2e", b"/%", b"/v1/models/%zz",
                       b"//", b"/generate/../health", b"*"):
            reply = self.server.raw(b"GET " + target + b" HTTP/1.1\r\n\r\n")
            self.assertIn(reply.split(b" ")[1], (b"400", b"404"))
        self.assertIn(b"431", self.server.raw(
            b"GET /health HTTP/1.1\r\n" + b"a: b\r\n" * 20000 + b"\r\n").split(b"\r\n")[0])

    def test_health_answers_while_a_long_prompt_is_read(self):
        """Report 35."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            busy = [pool.submit(self.complete, prompt=f"{i}" * 3900, max_tokens=1)
                    for i in range(4)]
            for _ in range(20):
                self.assertEqual(self.server.get("/health", timeout=5)[0], 200)
            for one in busy:
                one.result()

    def test_a_body_that_is_no_object_is_refused(self):
        """Report 10."""
        for path in ("/v1/completions", "/v1/chat/completions", "/v1/embeddings", "/generate",
                     "/tokenize", "/abort_request"):
            for body in (b"3", b"[]", b'"x"', b"null", b"{", b"", b"[" * 5000, b"\xef\xbb\xbf{}"):
                answer, text = self.server.ask("POST", path, body)
                self.assertEqual(answer.status, 400, (path, body, text))
                self.assertTrue(json.loads(text)["error"]["message"])

    def test_a_prompt_that_is_huge_costs_nothing(self):
        """Report 11."""
        head = b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        self.assertIn(b" 413 ", self.server.raw(head % (2 << 30)).split(b"\r\n")[0])
        error = self.refused(prompt="\n" * (8 << 20))
        self.assertEqual(error["code"], "context_length_exceeded")

    def test_broken_constraints_are_refused_and_harm_nobody(self):
        """Report 13."""
        alone = self.text()
        broken = ({"regex": "foo**"}, {"guided_regex": "(" * 2000}, {"ebnf": "root ::= x"},
                  {"guided_grammar": "start: \"a"}, {"guided_json": "{"}, {"guided_choice": []},
                  {"guided_json": {"type": "object", "properties": {"a": {"pattern": "("}}}},
                  {"response_format": {"type": "json_schema", "json_schema": {
                      "name": "a", "schema": {"$ref": "#/nowhere"}}}},
                  {"structured_outputs": {"json": {"type": "nothing"}}},
                  {"structural_tag": {"type": "structural_tag", "format": {"type": "x"}}})
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            beside = [pool.submit(self.text) for _ in range(12)]
            for change in broken:
                for stream in (False, True):
                    self.refused(**change, stream=stream)
            self.assertEqual({one.result() for one in beside}, {alone})
        self.assertRegex(self.refused(regex="ab(c")["message"], r"[0-9]|byte|position|\)")

    def test_a_json_schema_without_its_inside_is_named(self):
        """Report 16."""
        for inner in ({}, {"json_schema": None}, {"json_schema": 3}, {"json_schema": {}}):
            error = self.refused("/v1/chat/completions", CHAT,
                                 response_format={"type": "json_schema", **inner})
            self.assertTrue(error["param"].startswith("response_format.json_schema"), error)

    def test_a_call_that_is_streamed_and_cut_is_no_fault(self):
        """Report 17."""
        for size in range(1, 40, 3):
            body = {**CHAT, "tools": [WEATHER], "tool_choice": "required", "max_tokens": size,
                    "parallel_tool_calls": False, "seed": size}
            arguments, finish = "", None
            for event in self.server.events("/v1/chat/completions", body):
                choice = event["choices"][0]
                finish = choice["finish_reason"] or finish
                for call in choice["delta"].get("tool_calls", ()):
                    arguments += call["function"]["arguments"]
            self.assertIn(finish, ("length", "tool_calls"))
            if finish == "tool_calls":
                self.assertEqual(set(json.loads(arguments)), {"city", "days"})

    def test_the_seed_that_was_used_is_told_and_gives_the_text_again(self):
        """Report 19."""
        for seed in (None, 0, 12345, -7, 2**62):
            first = self.complete(seed=seed, temperature=1)
            self.assertTrue(seed is None or first["seed"] == seed)
            again = self.complete(seed=first["seed"], temperature=1)
            self.assertEqual(again["choices"], first["choices"])
        self.assertNotEqual(self.complete()["seed"], self.complete()["seed"])

    def test_usage_is_told_where_it_is_asked_for_and_never_without_choices_else(self):
        """Report 33."""
        for path, base in (("/v1/completions", TEXT), ("/v1/chat/completions", CHAT)):
            for options in (None, {}, {"include_usage": False}):
                for event in self.server.events(path, {**base, "stream_options": options}):
                    self.assertTrue(event["choices"])
                    self.assertNotIn("usage", event)
            *events, last = self.server.events(path, {**base,
                                                      "stream_options": {"include_usage": True}})
            self.assertTrue(all(event["choices"] and event["usage"] is None for event in events))
            self.assertEqual(last["choices"], [])
            self.assertEqual(last["usage"]["total_tokens"],
                             last["usage"]["prompt_tokens"] + last["usage"]["completion_tokens"])


class DefaultModel(unittest.TestCase):
    def test_a_chat_s_tokens_are_those_of_its_template_and_no_more(self):
        """Report 28: as the independent program of the golden files makes them."""
        shared = os.environ.get("ESPALIER_SHARED") or "/nonexistent"
        golden = pathlib.Path(shared, "golden/smollm2-135m/chat.jsonl")
        cache = os.environ.get("ESPALIER_CACHE") or os.path.expanduser("~/.cache/espalier")
        if not golden.exists() or not os.path.exists(
                f"{cache}/models/SmolLM2-135M-Instruct.Q4_1.gguf"):
            self.skipTest("the golden files or the default model are absent")
        server = Server(model="")
        for line in golden.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            status, answer = server.post("/tokenize", {
                "messages": row["messages"], "add_generation_prompt": row["add_generation_prompt"]})
            self.assertEqual((status, answer.get("tokens")), (200, row["ids"]), answer)
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
