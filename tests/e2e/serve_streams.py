"""What a stream says, put together, is what the whole answer says: text, tools, log-probabilities,
reasoning, in every API and wherever the output is cut."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

from serve import CLOCK, Server, ServeTest, WEATHER

SIZES = (1, 2, 3, 4, 5, 7, 9, 12, 16, 21, 27, 34, 42, 60, 90)
TEMPLATE = (b"{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>"
            b"\n'}}{% endfor %}{% if add_generation_prompt %}{{'<|im_start|>assistant\n<think>\n'}}"
            b"{% endif %}{# </think> #}")


def joined_chat(events):
    """The choices of a chat's chunks, as the whole answer has them."""
    choices = {}
    for event in events:
        for chunk in event["choices"]:
            choice = choices.setdefault(chunk["index"], {
                "content": None, "reasoning": None, "calls": [], "logprobs": [], "finish": None})
            delta = chunk["delta"]
            if delta.get("content") is not None:
                choice["content"] = (choice["content"] or "") + delta["content"]
            if delta.get("reasoning_content"):
                choice["reasoning"] = (choice["reasoning"] or "") + delta["reasoning_content"]
            for call in delta.get("tool_calls", ()):
                if call["index"] == len(choice["calls"]):
                    choice["calls"].append([call["function"]["name"], ""])
                choice["calls"][call["index"]][1] += call["function"]["arguments"]
            if chunk["logprobs"]:
                choice["logprobs"] += chunk["logprobs"]["content"]
            choice["finish"] = chunk["finish_reason"] or choice["finish"]
    return [choices[index] for index in sorted(choices)]


def whole_chat(answer):
    choices = []
    for choice in answer["choices"]:
        message = choice["message"]
        choices.append({
            "content": message["content"], "reasoning": message.get("reasoning_content"),
            "calls": [[call["function"]["name"], call["function"]["arguments"]]
                      for call in message.get("tool_calls") or ()],
            "logprobs": (choice["logprobs"] or {"content": []})["content"],
            "finish": choice["finish_reason"]})
    return choices


def same(streamed, whole):
    """But for one thing: a stream that has begun cannot say that there was no text."""
    return [{**s, "content": s["content"] or None} for s in streamed] == [
        {**w, "content": w["content"] or None} for w in whole]


class Streams(ServeTest):
    flags = ("--kv-cache-tokens", "8192")
    chat = {"messages": [{"role": "user", "content": "Weather in Rome?"}]}

    def check_chat(self, **body):
        for size in SIZES:
            body["max_tokens"] = size
            status, whole = self.server.post("/v1/chat/completions", body)
            self.assertEqual(status, 200, whole)
            streamed = joined_chat(self.server.events("/v1/chat/completions", body))
            self.assertTrue(same(streamed, whole_chat(whole)), (body, streamed, whole))

    def test_a_chat_s_text_and_its_choices(self):
        self.check_chat(**self.chat, seed=3, temperature=1.3)
        self.check_chat(**self.chat, seed=4, temperature=1.3, n=3, stop=["e", "\n"])

    def test_log_probabilities(self):
        self.check_chat(**self.chat, seed=5, logprobs=True, top_logprobs=2)
        self.check_chat(**self.chat, seed=6, logprobs=True, n=2, stop="a")

    def test_calls_of_tools(self):
        for seed in range(4):
            self.check_chat(**self.chat, tools=[WEATHER, CLOCK], tool_choice="required", seed=seed)
        self.check_chat(**self.chat, tools=[WEATHER], tool_choice="auto", seed=2, temperature=1.5)
        self.check_chat(**self.chat, tools=[WEATHER], tool_choice="required", seed=8, stop="days")

    def test_constraints(self):
        self.check_chat(**self.chat, seed=1, regex="[a-z]{3}( [é日]{2,4})*")
        self.check_chat(**self.chat, seed=1, response_format={"type": "json_object"})

    def test_completions(self):
        for more in ({}, {"echo": True, "logprobs": 2}, {"logprobs": 0, "n": 2}, {"stop": "a"}):
            for size in SIZES:
                body = {"prompt": ["é abc", [70, 71]], "max_tokens": size, "seed": 9,
                        "temperature": 1.2, **more}
                _, whole = self.server.post("/v1/completions", body)
                parts = {}
                for event in self.server.events("/v1/completions", body):
                    for chunk in event["choices"]:
                        part = parts.setdefault(chunk["index"], {"text": "", "tokens": [],
                                                                 "offsets": [], "finish": None})
                        part["text"] += chunk["text"]
                        part["finish"] = chunk["finish_reason"] or part["finish"]
                        if chunk["logprobs"]:
                            part["tokens"] += chunk["logprobs"]["tokens"]
                            part["offsets"] += chunk["logprobs"]["text_offset"]
                expected = {}
                for choice in whole["choices"]:
                    logprobs = choice["logprobs"] or {"tokens": [], "text_offset": []}
                    expected[choice["index"]] = {
                        "text": choice["text"], "tokens": logprobs["tokens"],
                        "offsets": logprobs["text_offset"], "finish": choice["finish_reason"]}
                self.assertEqual(parts, expected, body)

    def test_native_requests(self):
        for size in SIZES:
            body = {"text": ["é abc", "x"], "return_logprob": True, "top_logprobs_num": 1,
                    "sampling_params": {"max_new_tokens": size, "sampling_seed": 2, "n": 2,
                                        "stop": ["e"]}}
            _, whole = self.server.post("/generate", body)
            last = {event["index"]: event for event in self.server.events("/generate", body)}
            for index, one in enumerate(whole):
                for answer in (one, last[index]):
                    for name in ("e2e_latency", "cached_tokens", "id"):
                        answer["meta_info"].pop(name)
                    answer.pop("index", None)
                self.assertEqual(last[index], one)

    def test_responses(self):
        tool = {"type": "function", **WEATHER["function"]}
        for more in ({}, {"tools": [tool], "tool_choice": "required"}):
            for size in SIZES:
                body = {"input": "Weather?", "max_output_tokens": size, "seed": 5, **more}
                _, whole = self.server.post("/v1/responses", body)
                _, text = self.server.ask("POST", "/v1/responses", {**body, "stream": True})
                events = [json.loads(line[6:]) for line in text.decode().split("\n")
                          if line.startswith("data: {")]
                self.assertEqual([e["sequence_number"] for e in events], list(range(len(events))))
                final = events[-1]["response"]
                self.assertEqual((final["status"], final["usage"]["output_tokens"]),
                                 (whole["status"], whole["usage"]["output_tokens"]))
                pieces = "".join(e["delta"] for e in events if e["type"].endswith(".delta"))
                for response in (final, whole):
                    parts = [item.get("arguments") or item["content"][0]["text"]
                             for item in response["output"]]
                    self.assertEqual("".join(parts), pieces)


class Reasoning(unittest.TestCase):
    """The default model under a template that lets it think: its own, changed in place."""

    @classmethod
    def setUpClass(cls):
        cache = os.environ.get("ESPALIER_CACHE") or os.path.expanduser("~/.cache/espalier")
        model = pathlib.Path(cache, "models/SmolLM2-135M-Instruct.Q4_1.gguf")
        if not model.exists():
            assert os.environ.get("ESPALIER_REQUIRE_MODEL") != "1", "the default model is absent"
            raise unittest.SkipTest("the default model is absent")
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name, "thinks.gguf")
        shutil.copyfile(model, path)
        with open(path, "r+b") as file:
            head = file.read(4 << 20)
            start = head.index(b"{% for message in messages %}")
            size = int.from_bytes(head[start - 8:start], "little")
            assert len(TEMPLATE) <= size
            file.seek(start)
            file.write(TEMPLATE.replace(b"{# </think> #}",
                                        b"{# </think>" + b" " * (size - len(TEMPLATE)) + b" #}"))
        cls.server = Server(model=str(path))

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0
        cls.folder.cleanup()

    def test_reasoning_and_what_follows_it(self):
        kinds = set()
        formats = ({}, {"response_format": {"type": "json_object"}, "complete": True},
                   {"tools": [WEATHER], "tool_choice": "required", "complete": True})
        for more in formats:
            for size in (1, 3, 6, 10, 16, 24, 40, 60):
                body = {"messages": [{"role": "user", "content": "Weather in Rome?"}], "seed": 1,
                        "max_tokens": size, "logprobs": True, **more}
                status, whole = self.server.post("/v1/chat/completions", body)
                self.assertEqual(status, 200, whole)
                streamed = joined_chat(self.server.events("/v1/chat/completions", body))
                expected = whole_chat(whole)
                self.assertTrue(same(streamed, expected), (body, streamed, whole))
                kinds.add((bool(expected[0]["reasoning"]), bool(expected[0]["content"]),
                           bool(expected[0]["calls"])))
                if expected[0]["content"] and more and expected[0]["finish"] == "stop":
                    json.loads(expected[0]["content"])
                joined = b"".join(bytes(t["bytes"]) for t in expected[0]["logprobs"]).decode()
                if not more:
                    self.assertIn((expected[0]["reasoning"] or "").strip(), joined)
        self.assertIn((True, False, False), kinds)
        self.assertIn((True, True, False), kinds)
        self.assertIn((True, False, True), kinds)


if __name__ == "__main__":
    unittest.main()
