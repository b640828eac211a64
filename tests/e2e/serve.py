"""`espalier serve`: real requests on a real socket."""

import http.client
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import unittest

from binary import BINARY, environment

CHAT = {"messages": [{"role": "user", "content": "Name a colour."}], "max_tokens": 8,
        "temperature": 0}


class Server:
    def __init__(self, *flags, model="tiny"):  # model "": the default one
        choice = ["--model", model] if model else []
        port = [] if "--port" in flags else ["--port", "0"]
        self.process = subprocess.Popen([BINARY, "serve", *choice, *port, *flags],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment())
        line = self.process.stdout.readline().decode()
        self.port = int(re.search(r":(\d+) serves", line).group(1))

    def ask(self, method, path, body=None, headers=None, timeout=60):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        client.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
        answer = client.getresponse()
        text = answer.read()
        client.close()
        return answer, text

    def post(self, path, body, **more):
        answer, text = self.ask("POST", path, body, **more)
        return answer.status, json.loads(text)

    def get(self, path, **more):
        answer, text = self.ask("GET", path, **more)
        return answer.status, text.decode()

    def events(self, path, body):
        answer, text = self.ask("POST", path, {**body, "stream": True})
        assert answer.status == 200, text
        lines = [line[6:] for line in text.decode().split("\n\n") if line]
        assert lines[-1] == "[DONE]", lines[-1:]
        return [json.loads(line) for line in lines[:-1]]

    def raw(self, data, wait=10):
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as client:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            parts = []
            while part := client.recv(65536):
                parts.append(part)
        return b"".join(parts)

    def metric(self, name):
        _, text = self.get("/metrics")
        return float(re.search(rf"^{re.escape(name)}\{{.*\}} (\S+)$", text, re.M).group(1))

    def settle(self):
        """Waits, by asking, until nothing is under way."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.metric("espalier:running") == 0 and self.metric("espalier:queued") == 0:
                return True
        return False

    def kill(self):
        self.process.kill()
        self.stop()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class ServeTest(unittest.TestCase):
    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.flags)

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0


class OpenAi(ServeTest):
    def test_a_chat_is_answered_in_openai_s_shape(self):
        status, answer = self.server.post("/v1/chat/completions", CHAT)
        self.assertEqual(status, 200, answer)
        choice = answer["choices"][0]
        self.assertEqual(answer["object"], "chat.completion")
        self.assertEqual(choice["message"]["role"], "assistant")
        self.assertIn(choice["finish_reason"], ("stop", "length"))
        usage = answer["usage"]
        self.assertEqual(usage["total_tokens"],
                         usage["prompt_tokens"] + usage["completion_tokens"])

    def test_a_stream_is_the_whole_answer_in_pieces(self):
        for body in (CHAT, {**CHAT, "n": 3, "temperature": 1, "seed": 5}):
            _, whole = self.server.post("/v1/chat/completions", body)
            texts = {}
            for event in self.server.events("/v1/chat/completions", body):
                for choice in event["choices"]:
                    texts.setdefault(choice["index"], []).append(
                        choice["delta"].get("content", ""))
            self.assertEqual({i: "".join(pieces) for i, pieces in texts.items()},
                             {c["index"]: c["message"]["content"] for c in whole["choices"]})

    def test_usage_comes_in_a_stream_only_if_it_is_asked_for(self):
        plain = self.server.events("/v1/chat/completions", CHAT)
        self.assertTrue(all(event["choices"] for event in plain))
        asked = self.server.events("/v1/chat/completions",
                                   {**CHAT, "stream_options": {"include_usage": True}})
        self.assertEqual(asked[-1]["choices"], [])
        self.assertGreater(asked[-1]["usage"]["completion_tokens"], 0)

    def test_prompts_times_n_are_numbered_in_order(self):
        _, answer = self.server.post("/v1/completions", {
            "prompt": ["a", "b"], "n": 2, "max_tokens": 3, "seed": 1})
        self.assertEqual([c["index"] for c in answer["choices"]], [0, 1, 2, 3])

    def test_echo_gives_the_prompt_and_its_logprobs(self):
        _, answer = self.server.post("/v1/completions", {
            "prompt": "abc", "max_tokens": 0, "echo": True, "logprobs": 1})
        choice = answer["choices"][0]
        self.assertEqual(choice["text"], "abc")
        self.assertEqual("".join(choice["logprobs"]["tokens"]), "abc")
        self.assertIsNone(choice["logprobs"]["token_logprobs"][0])

    def test_wrong_fields_are_named(self):
        for change, param in (({"temperature": "hot"}, "temperature"), ({"n": 0}, "n"),
                              ({"top_p": 2}, "top_p"), ({"messages": []}, "messages"),
                              ({"messages": [{"role": "user"}]}, "messages[0].content"),
                              ({"messages": [{"role": "x", "content": ""}]}, "messages[0].role"),
                              ({"response_format": {"type": "json_schema"}},
                               "response_format.json_schema"),
                              ({"top_logprobs": 3}, "top_logprobs"),
                              ({"stream": "yes"}, "stream")):
            status, answer = self.server.post("/v1/chat/completions", {**CHAT, **change})
            self.assertEqual((status, answer["error"]["param"]), (400, param), answer)

    def test_a_broken_constraint_is_refused_before_anything_is_sent(self):
        for change in ({"regex": "foo**"}, {"ebnf": "root ::= ("},
                       {"response_format": {"type": "json_schema",
                                            "json_schema": {"schema": {"type": "x"}}}}):
            for stream in (False, True):
                status, answer = self.server.post("/v1/chat/completions",
                                                  {**CHAT, **change, "stream": stream})
                self.assertEqual(status, 400, answer)

    def test_nulls_are_as_if_absent_and_unknown_fields_are_told(self):
        body = {**CHAT, "stop": None, "tools": None, "seed": None, "logit_bias": None, "frob": 1}
        answer, _ = self.server.ask("POST", "/v1/chat/completions", body)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["X-Ignored-Fields"], "frob")

    def test_what_is_not_supported_is_said_by_name(self):
        status, answer = self.server.post("/v1/chat/completions", {
            **CHAT, "messages": [{"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "http://x/y.png"}}]}]})
        self.assertEqual((status, answer["error"]["code"]), (400, "unsupported"))
        self.assertEqual(answer["error"]["param"], "messages[0].content[0]")

    def test_a_model_that_is_not_served_is_404(self):
        status, answer = self.server.post("/v1/chat/completions", {**CHAT, "model": "gpt-9"})
        self.assertEqual((status, answer["error"]["code"]), (404, "model_not_found"))
        self.assertEqual(self.server.get("/v1/models/none")[0], 404)
        self.assertEqual(self.server.get("/v1/models/tiny")[0], 200)

    def test_a_prompt_longer_than_the_context_is_400(self):
        status, answer = self.server.post("/v1/completions", {"prompt": "a" * 100000})
        self.assertEqual((status, answer["error"]["code"]), (400, "context_length_exceeded"))


WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "The weather of a city.",
    "parameters": {"type": "object", "required": ["city", "days"],
                   "properties": {"city": {"enum": ["Rome", "Oslo"]},
                                  "days": {"type": "integer", "minimum": 1, "maximum": 9}},
                   "additionalProperties": False}}}
CLOCK = {"type": "function", "function": {"name": "clock"}}


class Tools(ServeTest):
    body = {"messages": [{"role": "user", "content": "Weather in Rome?"}], "max_tokens": 200,
            "tools": [WEATHER, CLOCK]}

    def call_of(self, choice):
        self.assertEqual(choice["finish_reason"], "tool_calls")
        self.assertIsNone(choice["message"]["content"])
        return choice["message"]["tool_calls"][0]

    def test_a_named_tool_is_called_with_arguments_of_its_schema(self):
        for seed in range(8):
            _, answer = self.server.post("/v1/chat/completions", {
                **self.body, "seed": seed,
                "tool_choice": {"type": "function", "function": {"name": "get_weather"}}})
            call = self.call_of(answer["choices"][0])
            self.assertEqual(call["function"]["name"], "get_weather")
            arguments = json.loads(call["function"]["arguments"])
            self.assertIn(arguments["city"], ("Rome", "Oslo"))
            self.assertIn(arguments["days"], range(1, 10))

    def test_required_calls_one_of_them_and_a_stream_says_the_same(self):
        for seed in range(6):
            body = {**self.body, "seed": seed, "tool_choice": "required",
                    "parallel_tool_calls": False}
            _, whole = self.server.post("/v1/chat/completions", body)
            call = self.call_of(whole["choices"][0])["function"]
            name, arguments, finish = "", "", None
            for event in self.server.events("/v1/chat/completions", body):
                choice = event["choices"][0]
                finish = choice["finish_reason"] or finish
                for delta in choice["delta"].get("tool_calls", []):
                    self.assertEqual(delta["index"], 0)
                    name += delta["function"].get("name", "")
                    arguments += delta["function"]["arguments"]
            self.assertEqual((name, arguments, finish),
                             (call["name"], call["arguments"], "tool_calls"))

    def test_none_and_auto_may_answer_in_text(self):
        for choice in ("none", "auto", None):
            status, answer = self.server.post("/v1/chat/completions", {
                **self.body, "max_tokens": 5, "tool_choice": choice, "ignore_eos": True})
            self.assertEqual(status, 200, answer)
            self.assertEqual(answer["choices"][0]["finish_reason"], "length")

    def test_beside_tools_an_answer_keeps_to_its_format(self):
        schema = {"type": "object", "required": ["city"], "additionalProperties": False,
                  "properties": {"city": {"enum": ["Rome", "Oslo"]}}}
        formats = ({"type": "json_object"},
                   {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}})
        kinds = set()
        for given, seed, choice in itertools.product(formats, range(6), ("auto", "required")):
            body = {**self.body, "tools": [CLOCK], "seed": seed, "tool_choice": choice,
                    "response_format": given, "complete": True}
            status, answer = self.server.post("/v1/chat/completions", body)
            self.assertEqual(status, 200, answer)
            message = answer["choices"][0]["message"]
            calls = message.get("tool_calls")
            kinds.add((choice, bool(calls)))
            if not calls:
                value = json.loads(message["content"])
                self.assertTrue(given["type"] == "json_object" or value["city"] in ("Rome", "Oslo"))
        self.assertIn(("auto", False), kinds)
        self.assertNotIn(("required", False), kinds)
        status, answer = self.server.post("/v1/chat/completions", {
            **self.body, "guided_choice": ["a", "b"]})
        self.assertEqual(status, 400, answer)

    def test_a_conversation_with_calls_and_results_goes_on(self):
        status, answer = self.server.post("/v1/chat/completions", {
            **self.body, "max_tokens": 5, "messages": self.body["messages"] + [
                {"role": "assistant", "content": None, "tool_calls": [
                    {"id": "c", "type": "function",
                     "function": {"name": "clock", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "c", "content": "noon"}]})
        self.assertEqual(status, 200, answer)

    def test_wrong_tools_are_named(self):
        def with_function(**change):
            return [{"type": "function", "function": {"name": "f", **change}}]
        for change, param in (({"tools": [{"type": "x"}]}, "tools[0].type"),
                              ({"tools": with_function(name="a b")}, "tools[0].function.name"),
                              ({"tools": with_function(parameters=3)},
                               "tools[0].function.parameters"),
                              ({"tools": None, "tool_choice": "required"}, "tool_choice"),
                              ({"tool_choice": {"function": {"name": "nope"}}}, "tool_choice")):
            status, answer = self.server.post("/v1/chat/completions", {**self.body, **change})
            self.assertEqual((status, answer["error"]["param"]), (400, param), answer)
        status, answer = self.server.post("/v1/chat/completions", {
            **self.body, "tools": with_function(parameters={"type": "nonsense"})})
        self.assertEqual(status, 400, answer)


class Sglang(ServeTest):
    def generate(self, **body):
        status, answer = self.server.post("/generate", body)
        self.assertEqual(status, 200, answer)
        return answer

    def test_a_prompt_alone_is_only_read(self):
        answer = self.generate(text="abc", sampling_params={"max_new_tokens": 0})
        self.assertEqual(answer["text"], "")
        self.assertEqual(answer["meta_info"]["prompt_tokens"], 3)

    def test_a_list_is_answered_by_a_list_and_a_stream_is_cumulative(self):
        params = {"max_new_tokens": 4, "temperature": 0}
        one = self.generate(text="ab", sampling_params=params)
        self.assertEqual(self.generate(text=["ab"], sampling_params=params)[0]["text"],
                         one["text"])
        texts = [e["text"] for e in self.server.events(
            "/generate", {"text": "ab", "sampling_params": params})]
        self.assertEqual(texts[-1], one["text"])
        for shorter, longer in zip(texts, texts[1:]):
            self.assertTrue(longer.startswith(shorter))

    def test_logprobs_of_the_prompt_begin_where_asked(self):
        for start, expected in ((0, 4), (2, 2)):
            meta = self.generate(text="abcd", sampling_params={"max_new_tokens": 1},
                                 return_logprob=True, logprob_start_len=start,
                                 return_text_in_logprobs=True)["meta_info"]
            self.assertEqual(len(meta["input_token_logprobs"]), expected)
            self.assertEqual(meta["input_token_logprobs"][0][0] is None, start == 0)
            self.assertEqual(len(meta["output_token_logprobs"]), 1)

    def test_what_the_frontend_sends_is_taken(self):
        self.generate(text="a", sampling_params={
            "skip_special_tokens": True, "spaces_between_special_tokens": True,
            "max_new_tokens": 2, "min_new_tokens": 0, "n": 1, "stop": [], "stop_token_ids": [],
            "stop_regex": [], "temperature": 1.0, "top_p": 1.0, "top_k": -1, "min_p": 0.0,
            "frequency_penalty": 0.0, "presence_penalty": 0.0, "ignore_eos": False,
            "regex": None, "json_schema": None}, logprob_start_len=[None])

    def test_choices_come_with_their_probabilities(self):
        meta = self.generate(text="a", sampling_params={"choices": ["x", "y"]})["meta_info"]
        self.assertAlmostEqual(sum(c["probability"] for c in meta["choices"]), 1, places=5)

    def test_abort_request_ends_a_running_one(self):
        answers = []
        body = {"text": "a", "rid": "long-1",
                "sampling_params": {"max_new_tokens": 100000, "ignore_eos": True}}
        thread = threading.Thread(target=lambda: answers.append(
            self.server.post("/generate", body)))
        thread.start()
        num_aborted = 0
        while thread.is_alive() and num_aborted == 0:
            num_aborted = self.server.post("/abort_request", {"rid": "long-"})[1]["num_aborted"]
        thread.join()
        self.assertEqual(answers[0][1]["meta_info"]["finish_reason"]["type"], "abort")

    def test_facts_have_what_routers_read(self):
        facts = json.loads(self.server.get("/get_server_info")[1])
        self.assertGreater(facts["max_total_num_tokens"], 0)
        self.assertTrue(json.loads(self.server.get("/get_model_info")[1])["is_generation"])
        self.assertEqual(json.loads(self.server.get("/get_load")[1])[0]["dp_rank"], 0)


class Manners(ServeTest):
    flags = ("--max-body-mib", "1")

    def test_what_is_no_request_is_answered_and_harms_nobody(self):
        for data, status in ((b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"400"),
                             (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64), b"400"),
                             (os.urandom(500) + b"\r\n\r\n", b"400"),
                             (b"GET / HTTP/1.1\r\nx: " + b"y" * 40000 + b"\r\n\r\n", b"431"),
                             (b"POST /generate HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n",
                              b"413"),
                             (b"POST /generate HTTP/1.1\r\nContent-Length: 5\r\n\r\n{", b"")):
            self.assertIn(status, self.server.raw(data).split(b"\r\n")[0])
        self.assertEqual(self.server.get("/health")[0], 200)

    def test_pipelined_requests_are_answered_in_order(self):
        reply = self.server.raw(b"GET /health HTTP/1.1\r\n\r\nGET /ping HTTP/1.1\r\n\r\n"
                                b"GET /nope HTTP/1.1\r\n\r\n")
        statuses = re.findall(rb"HTTP/1\.1 (\d+)", reply)
        self.assertEqual(statuses, [b"200", b"200", b"404"])

    def test_methods_and_types_are_told(self):
        answer, _ = self.server.ask("DELETE", "/generate")
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "POST, PUT"))
        answer, _ = self.server.ask("POST", "/v1/completions", b"x=1",
                                    {"Content-Type": "text/plain"})
        self.assertEqual(answer.status, 415)
        for body in (b"", b"{", b"[1]", b"\xff\xfe", b'"x"', b"[" * 5000):
            answer, text = self.server.ask("POST", "/v1/completions", body)
            self.assertEqual(answer.status, 400)
            self.assertLess(len(text), 4096)

    def test_a_client_that_goes_ends_its_request(self):
        body = json.dumps({"prompt": "a", "max_tokens": 100000, "ignore_eos": True}).encode()
        head = (b"POST /v1/completions HTTP/1.1\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(body))
        for _ in range(20):
            client = socket.create_connection(("127.0.0.1", self.server.port))
            client.sendall(head + body)
            client.close()
        self.assertTrue(self.server.settle())


class Keys(ServeTest):
    flags = ("--api-key", "secret")

    def test_only_a_key_opens_and_probes_need_none(self):
        self.assertEqual(self.server.get("/health")[0], 200)
        self.assertEqual(self.server.get("/v1/models")[0], 401)
        self.assertEqual(self.server.get("/v1/models",
                                         headers={"Authorization": "Bearer wrong"})[0], 401)
        self.assertEqual(self.server.get("/v1/models",
                                         headers={"Authorization": "Bearer secret"})[0], 200)


class Overload(ServeTest):
    flags = ("--max-queue", "2")

    def test_more_than_the_queue_holds_is_told_to_come_back(self):
        statuses = []
        body = {"prompt": "a", "max_tokens": 200, "ignore_eos": True}

        def ask():
            answer, _ = self.server.ask("POST", "/v1/completions", body)
            statuses.append((answer.status, answer.headers["Retry-After"]))

        threads = [threading.Thread(target=ask) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(statuses), {(200, None), (429, "1")})


class Drain(unittest.TestCase):
    def test_sigterm_lets_what_runs_end(self):
        server = Server()
        answers = []
        thread = threading.Thread(target=lambda: answers.append(server.post(
            "/v1/completions", {"prompt": "a", "max_tokens": 500, "ignore_eos": True})))
        thread.start()
        while server.metric("espalier:running") == 0 and thread.is_alive():
            pass
        self.assertEqual(server.stop(), 0)
        thread.join()
        self.assertEqual(answers[0][1]["usage"]["completion_tokens"], 500)


if __name__ == "__main__":
    unittest.main()
