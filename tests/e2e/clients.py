"""Real clients against the real server: OpenAI's Python client, SGLang's own frontend and its
router, Prometheus' parser, all unmodified. Run by clients_set_up.py, which installs them."""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import openai
from prometheus_client.parser import text_string_to_metric_families
import sglang

from serve import Server, WEATHER


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(model="")
        cls.url = f"http://127.0.0.1:{cls.server.port}"
        cls.openai = openai.OpenAI(base_url=cls.url + "/v1", api_key="none")
        cls.model = cls.openai.models.list().data[0].id
        sglang.set_default_backend(sglang.RuntimeEndpoint(cls.url))

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0


class OpenAiClient(Clients):
    messages = [{"role": "user", "content": "Name a colour."}]

    def test_a_chat_streamed_is_the_chat_whole(self):
        options = {"model": self.model, "messages": self.messages, "max_tokens": 12,
                   "temperature": 0}
        whole = self.openai.chat.completions.create(**options)
        pieces = [chunk.choices[0].delta.content or ""
                  for chunk in self.openai.chat.completions.create(stream=True, **options)]
        self.assertEqual("".join(pieces), whole.choices[0].message.content)
        self.assertTrue(pieces)

    def test_logprobs_have_bytes_that_join_to_the_text(self):
        answer = self.openai.chat.completions.create(
            model=self.model, messages=self.messages, max_tokens=6, temperature=0,
            logprobs=True, top_logprobs=3)
        content = answer.choices[0].logprobs.content
        text = b"".join(bytes(token.bytes) for token in content).decode()
        self.assertTrue(text.startswith(answer.choices[0].message.content))
        self.assertEqual(len(content[0].top_logprobs), 3)

    def test_a_parsed_model_comes_back_as_its_object(self):
        import pydantic

        class Colour(pydantic.BaseModel):
            name: str = pydantic.Field(max_length=12)
            warm: bool

        answer = self.openai.chat.completions.parse(
            model=self.model, messages=self.messages, response_format=Colour, max_tokens=100)
        self.assertIsInstance(answer.choices[0].message.parsed, Colour)

    def test_a_required_tool_is_called(self):
        answer = self.openai.chat.completions.create(
            model=self.model, messages=self.messages, tools=[WEATHER], tool_choice="required",
            parallel_tool_calls=False, max_tokens=100)
        call = answer.choices[0].message.tool_calls[0].function
        self.assertEqual(call.name, "get_weather")
        self.assertIn(json.loads(call.arguments)["city"], ("Rome", "Oslo"))

    def test_a_response_streamed_is_the_response_whole(self):
        options = {"model": self.model, "input": "Name a colour.", "instructions": "Be brief.",
                   "max_output_tokens": 12, "temperature": 0}
        whole = self.openai.responses.create(**options)
        with self.openai.responses.stream(**options) as stream:
            text = "".join(event.delta for event in stream
                           if event.type == "response.output_text.delta")
            final = stream.get_final_response()
        self.assertEqual(text, whole.output_text)
        self.assertEqual(final.output_text, whole.output_text)
        self.assertEqual(final.usage.total_tokens, whole.usage.total_tokens)

    def test_a_response_calls_a_tool_and_takes_its_result(self):
        tool = {"type": "function", **WEATHER["function"]}
        first = self.openai.responses.create(model=self.model, input="Weather in Rome?",
                                             tools=[tool], tool_choice="required",
                                             parallel_tool_calls=False, max_output_tokens=100)
        call = first.output[-1]
        self.assertEqual((call.type, call.name), ("function_call", "get_weather"))
        second = self.openai.responses.create(
            model=self.model, max_output_tokens=8, tools=[tool], tool_choice="none",
            input=[{"role": "user", "content": "Weather in Rome?"}, call.model_dump(),
                   {"type": "function_call_output", "call_id": call.call_id, "output": "sun"}])
        self.assertTrue(second.output_text)

    def test_errors_are_the_client_s_own_classes(self):
        with self.assertRaises(openai.NotFoundError):
            self.openai.chat.completions.create(model="gpt-9", messages=self.messages)
        with self.assertRaises(openai.BadRequestError) as raised:
            self.openai.chat.completions.create(model=self.model, messages=self.messages, n=1000)
        self.assertEqual(raised.exception.param, "n")


@sglang.function
def few(s, question):
    s += "Q: Is the sky blue?\nA: yes\nQ: " + question + "\nA:"
    s += sglang.gen("answer", max_tokens=4, temperature=0, stop="\n")


@sglang.function
def chooses(s):
    s += "The sky is" + sglang.select("word", choices=[" blue", " green"])


@sglang.function
def chat(s):
    s += sglang.system("Be brief.")
    s += sglang.user("Name a colour.")
    s += sglang.assistant(sglang.gen("answer", max_tokens=6, temperature=0))
    forks = s.fork(2)
    forks += sglang.user("Why?")
    forks += sglang.assistant(sglang.gen("why", max_tokens=4, regex="[a-z ]{3,20}"))
    s += " ".join(fork["why"] for fork in forks)


class SglangFrontend(Clients):
    def test_programs_run_as_with_sglang_s_server(self):
        states = few.run_batch([{"question": f"Is {i} even?"} for i in range(6)], num_threads=3)
        self.assertTrue(all(isinstance(state["answer"], str) for state in states))
        self.assertIn(chooses.run()["word"], (" blue", " green"))
        self.assertTrue(chat.run()["answer"])

    def test_a_stream_is_cumulative_and_ends(self):
        state = few.run(question="Is 3 odd?", stream=True)
        text = "".join(state.text_iter("answer"))
        self.assertEqual(text, few.run(question="Is 3 odd?")["answer"])

    def test_select_scores_as_the_server_alone_would(self):
        meta = chooses.run().get_meta_info("word")
        self.assertEqual(len(meta["normalized_prompt_logprobs"]), 2)
        self.assertTrue(all(x < 0 for x in meta["normalized_prompt_logprobs"]))

    def test_the_cache_is_flushed_and_facts_are_told(self):
        sglang.flush_cache()
        self.assertIn("version", sglang.get_server_info())


class Prometheus(Clients):
    def test_the_metrics_are_its_format(self):
        _, text = self.server.get("/metrics")
        names = {family.name for family in text_string_to_metric_families(text)}
        self.assertIn("sglang:num_running_reqs", names)
        self.assertIn("sglang:time_to_first_token_seconds", names)


PROGRAM = """
import typing
from pydantic import BaseModel

class Options(BaseModel):
    urgent: bool
    tags: list[str] = []

@sgl.function
def sort(s, ticket: str, size: int = 4, options: Options | None = None,
         kind: typing.Literal["a", "b"] = "a"):
    s += ticket + sgl.gen("answer", max_tokens=4)
    return [kind, size]
"""


class Document(unittest.TestCase):
    """schemathesis makes requests of /openapi.json, right and wrong ones."""

    def test_no_request_is_our_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "sort.sgl"
            program.write_text(PROGRAM)
            server = Server("--kv-cache-tokens", "512", "--program", str(program))
            done = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "run",
                 f"http://127.0.0.1:{server.port}/openapi.json", "--checks", "not_a_server_error",
                 "--max-examples", "6", "--max-time", "120", "--request-timeout", "60",
                 "--phases", "coverage,fuzzing", "--generation-deterministic", "--no-color"],
                cwd=folder, capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-1000:])
            self.assertIn("passed", done.stdout)
            self.assertEqual(server.stop(), 0)


class Router(unittest.TestCase):
    """sglang-router in front of two servers, one of which is killed and started again."""

    def setUp(self):
        self.servers = [Server(), Server()]
        self.port = free_port()
        urls = [f"http://127.0.0.1:{server.port}" for server in self.servers]
        self.router = subprocess.Popen(
            [sys.executable, "-m", "sglang_router.launch_router", "--worker-urls", *urls,
             "--port", str(self.port), "--policy", "cache_aware", "--prometheus-port",
             str(free_port()), "--health-check-interval-secs", "1",
             "--health-success-threshold", "1", "--health-failure-threshold", "1",
             "--cb-timeout-duration-secs", "1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.client = openai.OpenAI(base_url=f"http://127.0.0.1:{self.port}/v1", api_key="none",
                                    max_retries=0)
        self.assertTrue(self.comes_to(self.answer))

    def tearDown(self):
        self.router.terminate()
        self.router.wait(timeout=60)
        for server in self.servers:
            server.stop()

    def answer(self, text="abc"):
        try:
            return self.client.completions.create(model="tiny", prompt=text, max_tokens=4,
                                                  temperature=0).choices[0].text
        except openai.OpenAIError:
            return None

    def comes_to(self, holds):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if (value := holds()) is not None:
                return value
        return None

    def test_a_worker_that_dies_and_comes_back_is_used_again(self):
        expected = self.answer()
        prompts = [f"{i % 4}" * 40 + str(i) for i in range(24)]
        self.assertTrue(all(self.answer(prompt) for prompt in prompts))
        stream = self.client.completions.create(model="tiny", prompt="abc", max_tokens=4,
                                                temperature=0, stream=True)
        self.assertEqual("".join(chunk.choices[0].text for chunk in stream), expected)
        port = self.servers[0].port
        self.servers[0].kill()
        self.assertEqual(self.comes_to(self.answer), expected)
        self.servers[0] = Server("--port", str(port))
        self.servers[1].kill()  # so that the first must be used again
        self.assertEqual(self.comes_to(self.answer), expected)
        self.servers[1] = Server()


if __name__ == "__main__":
    unittest.main()
