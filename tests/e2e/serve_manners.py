"""How `espalier serve` behaves on the wire: what goes wrong, who goes away, how it ends."""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import unittest

from serve import Server, ServeTest

LONG = {"prompt": "a", "max_tokens": 100000, "ignore_eos": True}


def request(path, body, *headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [b"POST %s HTTP/1.1" % path, b"Host: x", b"Content-Type: application/json",
             b"Content-Length: %d" % len(data), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + data


class Faults(ServeTest):
    flags = ("--kv-cache-tokens", "4096")

    def test_every_field_takes_or_refuses_every_kind_of_value(self):
        values = [None, True, 0, -1, 1.5, 10**30, "", "x", [], [1], ["a"], {}, {"a": 1}, [[]], [{}]]
        routes = {
            "/v1/completions": {"prompt": "a", "max_tokens": 1},
            "/v1/chat/completions": {"messages": [{"role": "user", "content": "a"}],
                                     "max_tokens": 1},
            "/v1/responses": {"input": "a", "max_output_tokens": 1},
            "/generate": {"text": "a", "sampling_params": {"max_new_tokens": 1}}}
        fields = ("return_logprob", "logprobs", "top_logprobs", "stream_options", "response_format",
                  "logit_bias", "stop", "tools", "tool_choice", "text", "input", "messages", "rid",
                  "sampling_params", "echo", "prompt", "metadata", "guided_choice", "n", "seed",
                  "logprob_start_len", "structural_tag", "chat_template_kwargs")
        client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        for path, base in routes.items():
            for field in fields:
                for value in values:
                    client.request("POST", path, json.dumps({**base, field: value}),
                                   {"Content-Type": "application/json"})
                    answer = client.getresponse()
                    text = answer.read()
                    self.assertLess(answer.status, 500, (path, field, value, text[:300]))
                    if answer.status >= 400:
                        self.assertLess(len(text), 4096)
                        self.assertTrue(json.loads(text)["error"]["message"])

    def test_a_body_that_would_cost_much_is_refused_at_once(self):
        wide = {"prompt": "ab " * 300000, "metadata": {str(i): 1 for i in range(60000)}}
        many = {"messages": [{"role": "user", "content": "a"}] * 100000}
        long = {"prompt": "ab " * 3_000_000}
        ids = {"prompt": [1] * 1_000_000}
        for path, body in (("/v1/completions", wide), ("/v1/chat/completions", many),
                           ("/v1/completions", long), ("/v1/completions", ids),
                           ("/generate", {"text": long["prompt"]})):
            done = []
            thread = threading.Thread(target=lambda: done.append(self.server.post(path, body)[0]))
            thread.start()
            while thread.is_alive():  # nobody else waits for it
                self.assertEqual(self.server.get("/health", timeout=3)[0], 200)
            thread.join()
            self.assertEqual(done, [400])

    def test_an_aborted_score_in_a_batch_harms_nobody(self):
        body = {"text": ["a", "b" * 300], "rid": ["g", "sc"], "stream": True,
                "sampling_params": [{"max_new_tokens": 3000, "ignore_eos": True},
                                    {"choices": ["x" * 40 + str(i) for i in range(200)],
                                     "choices_method": "token_length_normalized"}]}
        thread = threading.Thread(target=lambda: self.server.ask("POST", "/generate", body))
        thread.start()
        while thread.is_alive():
            self.server.post("/abort_request", {"rid": "sc"})
            self.server.post("/abort_request", {"rid": "g"})
        thread.join()
        self.assertEqual(self.server.get("/health")[0], 200)

    def test_a_stream_of_scores_has_them(self):
        events = self.server.events("/generate", {
            "text": "a", "sampling_params": {"choices": ["x", "y"],
                                             "choices_method": "token_length_normalized"}})
        self.assertEqual(len(events[-1]["meta_info"]["choices"]), 2)
        self.assertIn(events[-1]["text"], ("x", "y"))

    def test_sampling_params_hold_no_prompt(self):
        status, answer = self.server.post("/generate", {"text": "a",
                                                        "sampling_params": {"prompt": "zz"}})
        self.assertEqual((status, answer["error"]["param"]), (400, "sampling_params.prompt"))

    def test_a_batch_beyond_the_queue_is_refused_whole(self):
        status, _ = self.server.post("/v1/completions", {"prompt": ["a"] * 2000, "n": 100})
        self.assertEqual(status, 400)

    def test_choices_have_their_scores_in_openai_s_answers_too(self):
        for path, body in (("/v1/completions", {"prompt": "a"}),
                           ("/v1/chat/completions",
                            {"messages": [{"role": "user", "content": "a"}]})):
            _, answer = self.server.post(path, {**body, "guided_choice": ["red", "blue"]})
            scores = answer["meta_info"]["choices"]
            self.assertAlmostEqual(sum(s["probability"] for s in scores), 1, places=5)

    def test_errors_of_constraints_name_the_client_s_field(self):
        bad = {"type": "x"}
        for change, param in (
                ({"response_format": {"type": "json_schema", "json_schema": {"schema": bad}}},
                 "response_format.json_schema.schema"),
                ({"guided_json": bad}, "guided_json"), ({"guided_regex": "foo**"}, "guided_regex"),
                ({"structured_outputs": {"regex": "foo**"}}, "structured_outputs.regex"),
                ({"min_tokens": 9, "max_tokens": 3}, "min_tokens"), ({"prompt": [1.5]}, "prompt[0]")):
            for stream in (False, True):
                status, answer = self.server.post("/v1/completions",
                                                  {"prompt": "a", **change, "stream": stream})
                self.assertEqual((status, answer["error"]["param"]), (400, param), answer)

    def test_seeds_come_back_as_they_are(self):
        for seed in (-5, 0, 7):
            _, answer = self.server.post("/v1/completions", {"prompt": "a", "max_tokens": 1,
                                                             "seed": seed})
            self.assertEqual(answer["seed"], seed)
        _, answer = self.server.post("/v1/completions", {"prompt": "a", "max_tokens": 1})
        self.assertLess(answer["seed"], 1 << 53)

    def test_offsets_of_a_stream_are_those_of_the_whole(self):
        body = {"prompt": "é", "max_tokens": 12, "logprobs": 0, "seed": 3, "echo": True}
        _, whole = self.server.post("/v1/completions", body)
        whole = whole["choices"][0]["logprobs"]
        offsets, tokens = [], []
        for event in self.server.events("/v1/completions", body):
            logprobs = event["choices"][0]["logprobs"]
            if logprobs:
                offsets += logprobs["text_offset"]
                tokens += logprobs["tokens"]
        self.assertEqual((offsets, tokens), (whole["text_offset"], whole["tokens"]))


class Wire(ServeTest):
    flags = ("--cors-origin", "https://a.b", "--api-key", "k")
    key = {"Authorization": "Bearer k"}

    def test_a_request_s_id_comes_back_or_is_made(self):
        answer, _ = self.server.ask("GET", "/health", headers={"X-Request-Id": "mine-1"})
        self.assertEqual(answer.headers["X-Request-Id"], "mine-1")
        answer, _ = self.server.ask("GET", "/nope", headers={"X-Request-Id": "a\tb"})
        self.assertRegex(answer.headers["X-Request-Id"], "^req-")

    def test_pages_of_the_allowed_origin_may_read_answers(self):
        for path, status in (("/v1/models", 200), ("/nope", 404)):
            answer, _ = self.server.ask("GET", path, headers={**self.key, "Origin": "https://a.b"})
            self.assertEqual(answer.status, status)
            self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "https://a.b")
        answer, _ = self.server.ask("OPTIONS", "/v1/models", headers={"Origin": "https://a.b"})
        self.assertEqual((answer.status, answer.headers["Access-Control-Allow-Origin"]),
                         (204, "https://a.b"))

    def test_what_has_no_key_is_refused_before_its_body(self):
        head = (b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n"
                b"Expect: 100-continue\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as client:
            client.sendall(head)
            self.assertIn(b" 401 ", client.recv(1000))

    def test_head_absolute_targets_and_odd_headers_are_taken_as_they_should(self):
        for text, status in (
                (b"HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n", b"200"),
                (b"GET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n", b"200"),
                (b"\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n", b"200"),
                (b"GET /health HTTP/1.0\r\n\r\n", b"200"),
                (b"GET /health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", b"417"),
                (b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nAuthorization: bearer k\r\n"
                 b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", b"415"),
                (b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nAuthorization: bearer k\r\n"
                 b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", b"501"),
                (b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nAuthorization: bearer k\r\n"
                 b"Content-Type: Application/JSON; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
                 b"400")):
            reply = self.server.raw(text)
            self.assertEqual(reply.split(b" ")[1], status, text)
        self.assertNotIn(b"ok", self.server.raw(b"HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n"))

    def test_a_body_in_chunks_is_read(self):
        body = json.dumps({"prompt": "a", "max_tokens": 1}).encode()
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part)
                          for part in (body[:5], body[5:])) + b"0\r\n\r\n"
        reply = self.server.raw(b"POST /v1/completions HTTP/1.1\r\nHost: x\r\n"
                                b"Authorization: Bearer k\r\nTransfer-Encoding: chunked\r\n"
                                b"Connection: close\r\n\r\n" + chunks)
        # The client has closed its side, and may be gone for all the server knows.
        self.assertIn(reply.split(b" ")[1:2], ([b"200"], []))

    def test_the_document_covers_all_routes(self):
        document = json.loads(self.server.get("/openapi.json")[1])
        self.assertEqual(document["openapi"], "3.1.0")
        self.assertEqual(document["paths"]["/v1/completions"]["post"]["security"], [{"key": []}])
        for path in ("/generate", "/v1/chat/completions", "/health", "/v1/programs/{id}"):
            self.assertIn(path, document["paths"])


class Leaving(ServeTest):
    flags = ("--kv-cache-tokens", "4096")

    def test_a_client_that_goes_over_unread_bytes_is_seen(self):
        for reset in (False, True):
            client = socket.create_connection(("127.0.0.1", self.server.port))
            client.sendall(request(b"/v1/completions", {**LONG, "n": 4}) + b"x" * 60000)
            client.setblocking(False)
            try:
                while True:
                    client.send(b"x" * 10000)
            except BlockingIOError:
                pass
            if reset:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            start = time.monotonic()
            client.close()
            self.assertTrue(self.server.settle())
            self.assertLess(time.monotonic() - start, 20)

    def test_five_hundred_aborted_streams_leave_nothing_behind(self):
        fds = len(os.listdir(f"/proc/{self.server.process.pid}/fd"))
        _, before = self.server.post("/v1/completions", {"prompt": "abc", "max_tokens": 8,
                                                         "temperature": 0})
        for i in range(500):
            client = socket.create_connection(("127.0.0.1", self.server.port))
            client.sendall(request(b"/v1/completions", {**LONG, "stream": True}))
            client.settimeout(0.001 * (i % 5))
            try:
                client.recv(100)
            except (TimeoutError, BlockingIOError):
                pass
            client.close()
        self.assertTrue(self.server.settle())
        end = time.monotonic() + 20
        while len(os.listdir(f"/proc/{self.server.process.pid}/fd")) > fds:
            self.assertLess(time.monotonic(), end)
        self.assertEqual(self.server.metric("sglang:num_used_tokens"), 0)
        _, after = self.server.post("/v1/completions", {"prompt": "abc", "max_tokens": 8,
                                                        "temperature": 0})
        self.assertEqual(after["choices"][0]["text"], before["choices"][0]["text"])

    def test_a_slow_reader_of_cumulative_text_gets_the_newest(self):
        body = {"text": "ab " * 300, "return_logprob": True, "logprob_start_len": 0,
                "top_logprobs_num": 5, "stream": True,
                "sampling_params": {"max_new_tokens": 300, "ignore_eos": True, "temperature": 0}}
        answer, text = self.server.ask("POST", "/generate", body)
        events = text.decode().split("\n\n")
        self.assertEqual(events[-2], "data: [DONE]")
        meta = json.loads(events[-3][6:])["meta_info"]
        self.assertEqual(len(meta["output_token_logprobs"]), 300)
        self.assertGreater(len(meta["input_token_logprobs"]), 300)


class Deadlines(ServeTest):
    flags = ("--kv-cache-tokens", "4096", "--request-timeout", "30")

    def test_a_deadline_ends_what_runs_with_what_there_is(self):
        bodies = (("/v1/completions", {"prompt": "a", "max_tokens": 1000}),
                  ("/v1/chat/completions", {"messages": [{"role": "user", "content": "a"}],
                                            "max_tokens": 1000}))
        for path, body in bodies:
            body = {**body, "n": 128, "ignore_eos": True, "timeout": 0.3}
            status, answer = self.server.post(path, body)
            self.assertEqual(status, 200, answer)
            self.assertIn("abort", [c["finish_reason"] for c in answer["choices"]])
            last = self.server.events(path, body)[-1]["choices"][0]
            self.assertEqual(last["finish_reason"], "abort")
        self.assertTrue(self.server.settle())
        self.assertEqual(self.server.metric("sglang:num_used_tokens"), 0)

    def test_a_deadline_before_any_output_is_an_error(self):
        for path, body in (("/v1/completions", {"prompt": "a" * 3000}),
                           ("/generate", {"text": "a" * 3000}),
                           ("/v1/responses", {"input": "a" * 3000}),
                           ("/v1/embeddings", {"input": ["a" * 3000] * 20})):
            for stream in (False, True):
                answer, text = self.server.ask("POST", path, {**body, "stream": stream,
                                                              "timeout": 1e-6})
                self.assertEqual(answer.status, 400, text)
                self.assertEqual(json.loads(text)["error"]["code"], "limit")

    def test_what_is_no_time_is_refused(self):
        for timeout in (0, -1, "1", True, 1e9):
            for path, body in (("/v1/completions", {"prompt": "a"}), ("/generate", {"text": "a"}),
                               ("/v1/embeddings", {"input": "a"})):
                status, answer = self.server.post(path, {**body, "timeout": timeout})
                self.assertEqual((status, answer["error"]["param"]), (400, "timeout"))

    def test_a_lower_priority_number_goes_first(self):
        order = []
        body = {"prompt": "p", "max_tokens": 1500, "ignore_eos": True}
        busy = [threading.Thread(target=self.server.post, args=("/v1/completions", {**body, "n": 64}))
                for _ in range(2)]
        waiting = [threading.Thread(target=lambda p=priority: (self.server.post(
            "/v1/completions", {**body, "max_tokens": 1, "priority": p, "cache_salt": str(p)}),
            order.append(p))) for priority in (5, 0, -5)]
        for thread in busy:
            thread.start()
        while self.server.metric("espalier:queued") < 64:
            pass
        for thread in waiting:
            thread.start()
        for thread in busy + waiting:
            thread.join()
        self.assertEqual(order[0], -5)
        for path, body in (("/v1/completions", {"prompt": "a"}), ("/generate", {"text": "a"})):
            status, answer = self.server.post(path, {**body, "priority": 1.5})
            self.assertEqual((status, answer["error"]["param"]), (400, "priority"))


class Ending(unittest.TestCase):
    def test_an_answer_that_is_being_read_is_not_cut(self):
        server = Server()
        body = {"prompt": ["ab" * 900] * 20, "echo": True, "logprobs": 20, "max_tokens": 0}
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
            client.sendall(request(b"/v1/completions", body))
            data = client.recv(1000)
            length = int(re.search(rb"Content-Length: (\d+)", data).group(1))
            server.process.send_signal(signal.SIGTERM)
            num_read = len(data.split(b"\r\n\r\n", 1)[1])
            while num_read < length and (part := client.recv(20000)):
                num_read += len(part)
        self.assertEqual(num_read, length)
        self.assertEqual(server.process.wait(timeout=60), 0)
        server.process.stdout.close()
        server.process.stderr.close()

    def test_at_the_deadline_what_runs_is_told(self):
        server = Server("--drain-timeout", "0")
        answers = []
        thread = threading.Thread(target=lambda: answers.append(
            server.post("/v1/completions", LONG)))
        thread.start()
        while server.metric("espalier:running") == 0 and thread.is_alive():
            pass
        self.assertEqual(server.stop(), 0)
        thread.join()
        self.assertEqual(answers[0][1]["choices"][0]["finish_reason"], "abort")

    def test_probes_say_no_before_work_is_refused(self):
        server = Server("--drain-delay", "3")
        server.process.send_signal(signal.SIGTERM)
        status, end = 200, time.monotonic() + 3
        while status == 200 and time.monotonic() < end:
            status = server.get("/health")[0]
        self.assertEqual(status, 503)
        self.assertEqual(server.post("/v1/completions", {"prompt": "a", "max_tokens": 1})[0], 200)
        self.assertEqual(server.stop(), 0)

    def test_the_access_log_has_a_line_a_request(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "access.jsonl"
            server = Server("--access-log", str(path))
            server.ask("GET", "/nope", headers={"X-Request-Id": "first"})
            server.post("/v1/completions", {"prompt": "a", "max_tokens": 2})
            self.assertEqual(server.stop(), 0)
            lines = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertEqual([(line["method"], line["path"], line["status"]) for line in lines],
                         [("GET", "/nope", 404), ("POST", "/v1/completions", 200)])
        self.assertEqual(lines[0]["request_id"], "first")
        self.assertTrue(all(line["bytes"] > 0 and line["duration_ms"] > 0 for line in lines))


class Tls(unittest.TestCase):
    def test_tls_is_spoken_and_ended_as_it_should(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = (str(pathlib.Path(folder) / name) for name in ("key", "cert"))
            made = subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key,
                 "-out", certificate, "-days", "2", "-subj", "/CN=localhost"], capture_output=True)
            if made.returncode != 0:
                self.skipTest("no openssl")
            server = Server("--tls-certificate", certificate, "--tls-key", key)
            trust = ssl.create_default_context(cafile=certificate)
            trust.check_hostname = False
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as plain:
                with trust.wrap_socket(plain, suppress_ragged_eofs=False) as client:
                    client.sendall(request(b"/v1/completions", {"prompt": "a", "max_tokens": 2},
                                           b"Connection: close"))
                    data = b""
                    while part := client.recv(4096):
                        data += part
            self.assertTrue(data.startswith(b"HTTP/1.1 200 OK"), data[:100])
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as plain:
                plain.sendall(b"GET /health HTTP/1.1\r\n\r\n")
                plain.settimeout(20)
                self.assertNotIn(b"200 OK", plain.recv(1000))
            self.assertEqual(server.stop(), 0)


class Bodies(ServeTest):
    flags = ("--max-bodies-mib", "1")
    half = b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 700000\r\n\r\n"
    chunked = b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

    def test_bodies_are_bounded_together(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as first:
            first.sendall(self.half + b"{")
            refused = b""
            while b"503" not in refused:  # the first may not have been seen yet
                refused = self.server.raw(self.half)
            self.assertIn(b"Retry-After: 1", refused)
            part = b"%x\r\n%s\r\n" % (50000, b"x" * 50000)
            self.assertIn(b"503", self.server.raw(self.chunked + part * 10))
            self.assertEqual(self.server.post("/v1/completions",
                                              {"prompt": "a", "max_tokens": 1})[0], 200)
        answer = b""
        while b"503" in (answer := self.server.raw(self.half)):  # until it is seen to have gone
            pass
        self.assertEqual(answer, b"")

    def test_a_long_prompt_is_answered_as_a_short_one_is(self):
        text = "word " * 300
        for path, body in (("/v1/completions", {"prompt": text, "max_tokens": 4}),
                           ("/v1/chat/completions", {"messages": [
                               {"role": "user", "content": text}], "max_tokens": 4}),
                           ("/generate", {"text": text, "sampling_params": {"max_new_tokens": 4}}),
                           ("/tokenize", {"prompt": text})):
            short = self.server.post(path, {**body, "seed": 1} if path[1] == "v" else body)
            padded = {**body, "seed": 1} if path[1] == "v" else body
            long = self.server.post(path, {**padded, "user": "u" * 20000})
            self.assertEqual((short[0], long[0]), (200, 200))
            if path == "/tokenize":
                self.assertEqual(short, long)
            if path == "/v1/completions":
                self.assertEqual(short[1]["choices"], long[1]["choices"])
        status, answer = self.server.post("/v1/completions", {"prompt": [3] * 9000, "n": 0})
        self.assertEqual((status, answer["error"]["param"]), (400, "n"))
        self.assertEqual(self.server.post("/v1/completions", {"prompt": "a", "model": "m" * 9000})[0],
                         404)

    def test_clients_that_go_while_a_prompt_is_prepared_leave_nothing(self):
        body = request(b"/v1/completions", {"prompt": "word " * 400, "user": "u" * 50000,
                                            "max_tokens": 500, "ignore_eos": True})
        for i in range(100):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as client:
                client.sendall(body)
                if i % 2:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.assertTrue(self.server.settle())
        self.assertEqual(self.server.post("/v1/completions", {"prompt": "a", "max_tokens": 1})[0],
                         200)


class Full(unittest.TestCase):
    def test_a_connection_too_many_is_told(self):
        server = Server("--max-connections", "2")
        kept = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2)]
        for client in kept:
            client.sendall(b"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertIn(b"pong", client.recv(1000))
        reply = server.raw(b"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertIn(b"503", reply)
        for client in kept:
            client.close()
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
