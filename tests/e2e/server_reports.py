"""What users of other servers reported, tried on `espalier serve`: each test is one report."""

import concurrent.futures
import json
import random
import socket
import struct
import unittest

from serve import CHAT, ServeTest

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
        for size in (5000, 200000):
            for stream in (False, True):
                error = self.refused(prompt="a" * size, stream=stream)
                self.assertRegex(error["message"], r"\d+ tokens")

    def test_no_limit_means_the_end_of_the_context(self):
        answer = self.server.post("/v1/chat/completions", {
            "messages": CHAT["messages"], "ignore_eos": True, "temperature": 0})[1]
        self.assertEqual(answer["choices"][0]["finish_reason"], "length")

    def test_nothing_of_a_stop_is_ever_sent(self):
        whole = self.text(max_tokens=40)
        for start in range(4, 30, 5):
            stop = whole[start:start + 6]
            cut = whole[:whole.index(stop)]
            for size in range(1, len(stop) + 1, 2):
                pieces = self.streamed(max_tokens=40, stop=["\x00none", stop[:size]])
                self.assertEqual("".join(pieces), whole[:whole.index(stop[:size])])
            self.assertEqual(self.text(max_tokens=40, stop=stop), cut)

    def test_a_stop_holds_back_no_text_that_does_not_fit_it(self):
        pieces = self.streamed(max_tokens=20, stop=["\x00" * 30])
        self.assertTrue(all(pieces[:-1]))

    def test_pieces_hold_whole_characters(self):
        for seed in range(6):
            pieces = self.streamed(max_tokens=60, temperature=1.5, seed=seed, prompt="é")
            for piece in pieces:
                piece.encode()
            self.assertEqual("".join(pieces),
                             self.text(max_tokens=60, temperature=1.5, seed=seed, prompt="é"))

    def test_errors_survive_bytes_that_are_no_text(self):
        for body in (b'{"prompt": "\xff\xfe"}', b'{"\xc3": 1}', b'{"prompt": "\\ud800"}'):
            answer, text = self.server.ask("POST", "/v1/completions", body)
            self.assertEqual(answer.status, 400, text)
            json.loads(text)

    def test_a_wrong_type_anywhere_names_its_field(self):
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
        for prompt in ("", [], [[]], [""]):
            self.refused(prompt=prompt)
        self.refused("/v1/chat/completions", CHAT, messages=[])

    def test_json_of_one_request_never_touches_another(self):
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
        text = self.text(response_format={"type": "json_object"}, max_tokens=200, temperature=1,
                         seed=3)
        self.assertNotRegex(text, r"\s{3}")

    def test_a_seed_gives_the_same_text_alone_and_in_a_crowd(self):
        body = {**TEXT, "temperature": 1, "seed": 11, "max_tokens": 24}
        alone = self.server.post("/v1/completions", body)[1]
        self.assertEqual(alone["seed"], 11)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            crowd = list(pool.map(lambda _: self.server.post("/v1/completions", body)[1], range(16)))
        self.assertEqual({a["choices"][0]["text"] for a in crowd}, {alone["choices"][0]["text"]})
        self.assertNotEqual(self.text(temperature=1, seed=12, max_tokens=24),
                            alone["choices"][0]["text"])

    def test_logprobs_fit_their_tokens(self):
        for count in (0, 1, 5):
            logprobs = self.complete(logprobs=count)["choices"][0]["logprobs"]
            sizes = {len(logprobs[name]) for name in ("tokens", "token_logprobs", "text_offset")}
            self.assertEqual(sizes, {12})
        chat = self.server.post("/v1/chat/completions", {**CHAT, "logprobs": True})[1]
        for token in chat["choices"][0]["logprobs"]["content"]:
            self.assertEqual(token["top_logprobs"], [])

    def test_logprobs_of_a_prompt_are_the_same_with_a_warm_cache(self):
        body = {"prompt": "the same prompt, again and again", "max_tokens": 0, "echo": True,
                "logprobs": 0}
        first, second = (self.complete(**body)["choices"][0]["logprobs"] for _ in range(2))
        self.assertEqual(first, second)

    def test_logit_bias_bans_and_forces(self):
        tokens = json.loads(self.server.ask("POST", "/tokenize", {"prompt": "Z"})[1])["tokens"]
        self.assertEqual(self.text(logit_bias={str(tokens[0]): 100}), "Z" * 12)
        first = self.text(max_tokens=1)
        banned = json.loads(self.server.ask("POST", "/tokenize", {"prompt": first})[1])["tokens"]
        self.assertNotEqual(self.text(max_tokens=1, logit_bias={str(banned[0]): -100}), first)
        self.assertEqual(self.text(logit_bias={}), self.text())

    def test_a_cache_that_is_warm_changes_no_text(self):
        prompt = "A prompt that ends in the middle of a page, and more"
        cold = self.text(prompt=prompt, cache_salt="a")
        self.assertEqual(cold, self.text(prompt=prompt, cache_salt="a"))
        self.assertEqual(cold, self.text(prompt=prompt, cache_salt="b"))
        self.assertGreater(self.complete(prompt=prompt, cache_salt="a")["usage"]
                           ["prompt_tokens_details"]["cached_tokens"], 0)

    def test_n_choices_differ_and_the_prompt_counts_once(self):
        answer = self.complete(n=4, temperature=1, seed=2)
        self.assertEqual([c["index"] for c in answer["choices"]], [0, 1, 2, 3])
        self.assertGreater(len({c["text"] for c in answer["choices"]}), 1)
        self.assertEqual(answer["usage"]["prompt_tokens"], 3)
        self.assertEqual(answer["usage"]["completion_tokens"], 48)

    def test_many_streams_at_once_all_end(self):
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            texts = list(pool.map(lambda _: "".join(self.streamed()), range(64)))
        self.assertEqual(set(texts), {self.text()})

    def test_paths_and_headers_harm_nobody(self):
        for target in (b"/../../etc/passwd", b"/v1/models/%2e%2e%2f%2e%2e", b"/%", b"/v1/models/%zz",
                       b"//", b"/generate/../health", b"*"):
            reply = self.server.raw(b"GET " + target + b" HTTP/1.1\r\n\r\n")
            self.assertIn(reply.split(b" ")[1], (b"400", b"404"))
        self.assertIn(b"431", self.server.raw(
            b"GET /health HTTP/1.1\r\n" + b"a: b\r\n" * 20000 + b"\r\n").split(b"\r\n")[0])

    def test_health_answers_while_a_long_prompt_is_read(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            busy = [pool.submit(self.complete, prompt=f"{i}" * 3900, max_tokens=1)
                    for i in range(4)]
            for _ in range(20):
                self.assertEqual(self.server.get("/health", timeout=5)[0], 200)
            for one in busy:
                one.result()


if __name__ == "__main__":
    unittest.main()
