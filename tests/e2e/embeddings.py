"""/v1/embeddings on the real binary: its shape, and the default model against an independent one."""

import base64
import json
import math
import os
import pathlib
import struct
import threading
import unittest

from serve import Server, ServeTest

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden/embeddings.json"
LEAST_COSINE = 0.9985  # the reference quantizes no activations


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(
        sum(x * x for x in a) * sum(y * y for y in b))


def decoded(text):
    data = base64.b64decode(text)
    return list(struct.unpack(f"<{len(data) // 4}f", data))


class Shape(ServeTest):
    def embed(self, given, **more):
        status, answer = self.server.post("/v1/embeddings", {"input": given, **more})
        self.assertEqual(status, 200, answer)
        return answer

    def vector(self, given, **more):
        return self.embed(given, **more)["data"][0]["embedding"]

    def test_the_answer_is_openai_s(self):
        answer = self.embed(["abc", "d"], model="tiny", user="me")
        self.assertEqual(answer["object"], "list")
        self.assertEqual([row["index"] for row in answer["data"]], [0, 1])
        self.assertEqual({row["object"] for row in answer["data"]}, {"embedding"})
        self.assertEqual(answer["usage"], {"prompt_tokens": 4, "total_tokens": 4})
        for row in answer["data"]:
            self.assertAlmostEqual(sum(x * x for x in row["embedding"]), 1, places=5)

    def test_texts_and_their_tokens_are_one_input(self):
        tokens = self.server.post("/tokenize", {"prompt": "some text"})[1]["tokens"]
        text = self.vector("some text")
        for given in (tokens, [tokens], ["some text"]):
            self.assertEqual(self.vector(given), text)

    def test_base64_holds_the_same_numbers(self):
        plain = self.vector("abc")
        self.assertEqual([struct.unpack("<f", struct.pack("<f", x))[0] for x in plain],
                         decoded(self.vector("abc", encoding_format="base64")))

    def test_neighbours_the_cache_and_chunks_change_no_bit(self):
        text = "A text that is longer than one chunk of a step. " * 12
        alone = self.vector(text, cache_salt="alone")
        self.assertEqual(self.vector(text, cache_salt="alone"), alone)
        rows = self.embed([text[:200], text, text[:-3], text, "x"] * 8)["data"]
        self.assertEqual(rows[1]["embedding"], alone)
        self.assertEqual(rows[33]["embedding"], alone)
        busy = threading.Thread(target=self.server.post, args=("/v1/completions", {
            "prompt": text, "max_tokens": 200, "n": 4, "ignore_eos": True}))
        busy.start()
        for _ in range(4):
            self.assertEqual(self.vector(text), alone)
        busy.join()

    def test_wrong_fields_are_named(self):
        size = len(self.vector("a"))
        self.assertEqual(len(self.vector("a", dimensions=size)), size)
        for change, param in (({"dimensions": size - 1}, "dimensions"), ({"dimensions": 0}, "dimensions"),
                              ({"encoding_format": "int8"}, "encoding_format"),
                              ({"input": ""}, "input"), ({"input": []}, "input"),
                              ({"input": None}, "input"), ({"input": ["a", 3]}, "input[1]"),
                              ({"input": ["a", ""]}, "input[1]"), ({"input": {"a": 1}}, "input"),
                              ({"input": [-1]}, "input[0]"), ({"input": ["a"] * 3000}, "input"),
                              ({"truncate_prompt_tokens": 3}, "truncate_prompt_tokens")):
            status, answer = self.server.post("/v1/embeddings", {"input": "a", **change})
            self.assertEqual((status, answer["error"]["param"]), (400, param), answer)
        status, answer = self.server.post("/v1/embeddings", {"input": "a" * 100000})
        self.assertEqual((status, answer["error"]["code"]), (400, "context_length_exceeded"))
        self.assertEqual(self.server.post("/v1/embeddings", {"input": "a", "model": "x"})[0], 404)


class DefaultModel(unittest.TestCase):
    def test_directions_are_those_of_an_independent_model(self):
        cache = os.environ.get("ESPALIER_CACHE") or os.path.expanduser("~/.cache/espalier")
        if not os.path.exists(f"{cache}/models/SmolLM2-135M-Instruct.Q4_1.gguf"):
            if os.environ.get("ESPALIER_REQUIRE_MODEL") == "1":
                self.fail("the default model is absent")
            self.skipTest("the default model is absent")
        server = Server(model="")
        for row in json.loads(GOLDEN.read_text()):
            for given in (row["text"], row["ids"]):
                _, answer = server.post("/v1/embeddings", {"input": given})
                near = cosine(answer["data"][0]["embedding"], row["embedding"])
                self.assertGreater(near, LEAST_COSINE, row["text"])
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
