"""What bodies may say: each field is honoured, refused by name, or told to be ignored."""

import threading
import unittest

from serve import CHAT, ServeTest


class Tokens(ServeTest):
    def ask(self, path, body):
        status, answer = self.server.post(path, body)
        self.assertEqual(status, 200, answer)
        return answer

    def test_texts_come_back_in_the_words_of_each_client(self):
        for text in ("Hello", "a é 日本 🙂", ""):
            one = self.ask("/tokenize", {"prompt": text, "model": "tiny"})
            self.assertEqual(one["count"], len(one["tokens"]))
            many = self.ask("/v1/tokenize", {"prompt": [text, "b"]})
            self.assertEqual(many["tokens"][0], one["tokens"])
            self.assertEqual(many["count"], [one["count"], 1 + one["count"] - len(text.encode())])
            bare = self.ask("/tokenize", {"content": text})["tokens"]
            self.assertEqual(bare, self.ask("/tokenize", {"prompt": text,
                                                          "add_special_tokens": False})["tokens"])
            back = self.ask("/detokenize", {"tokens": bare})
            self.assertEqual({back[name] for name in ("text", "prompt", "content")}, {text})
            self.assertEqual(self.ask("/v1/detokenize", {"tokens": [bare, bare]})["text"],
                             [text, text])

    def test_pieces_are_texts_or_else_bytes(self):
        pieces = self.ask("/tokenize", {"content": "aé", "with_pieces": True})["tokens"]
        self.assertEqual(pieces[0]["piece"], "a")
        data = b"".join(p["piece"].encode() if isinstance(p["piece"], str) else bytes(p["piece"])
                        for p in pieces)
        self.assertEqual(data.decode(), "aé")
        strings = self.ask("/tokenize", {"prompt": "ab", "return_token_strs": True})["token_strs"]
        self.assertEqual(strings, ["a", "b"])

    def test_a_chat_s_tokens_are_those_that_it_is_run_with(self):
        tokens = self.ask("/tokenize", {"messages": CHAT["messages"]})
        usage = self.ask("/v1/chat/completions", {**CHAT, "max_tokens": 1})["usage"]
        self.assertEqual(tokens["count"], usage["prompt_tokens"])
        closed = self.ask("/tokenize", {"messages": CHAT["messages"],
                                        "add_generation_prompt": False})
        self.assertLess(closed["count"], tokens["count"])

    def test_wrong_fields_are_named(self):
        for path, body, param in (
                ("/tokenize", {"prompt": 3}, "prompt"), ("/tokenize", {}, "prompt"),
                ("/tokenize", {"prompt": []}, "prompt"), ("/tokenize", {"prompt": ["a", 1]}, "prompt[1]"),
                ("/tokenize", {"prompt": "a", "messages": []}, "prompt"),
                ("/tokenize", {"messages": [3]}, "messages[0]"),
                ("/tokenize", {"content": "a", "with_pieces": 1}, "with_pieces"),
                ("/detokenize", {"tokens": "a"}, "tokens"),
                ("/detokenize", {"tokens": [-1]}, "tokens[0]"),
                ("/detokenize", {"tokens": [[1], 2]}, "tokens[1]"),
                ("/detokenize", {"tokens": [[1], [10**9]]}, "tokens[1][0]")):
            status, answer = self.server.post(path, body)
            self.assertEqual((status, answer["error"]["param"]), (400, param), answer)


class Fields(ServeTest):
    bodies = (("/v1/completions", {"prompt": "a", "max_tokens": 1}),
              ("/v1/chat/completions", {**CHAT, "max_tokens": 1}),
              ("/generate", {"text": "a", "sampling_params": {"max_new_tokens": 1}}),
              ("/v1/embeddings", {"input": "a"}))

    def test_what_nobody_knows_is_passed_over_and_told(self):
        for path, body in self.bodies:
            answer, text = self.server.ask("POST", path, {**body, "frob": 1, "x": None})
            self.assertEqual(answer.status, 200, text)
            self.assertEqual(answer.headers["X-Ignored-Fields"], "frob")

    def test_what_would_change_the_answer_and_cannot_is_refused_by_name(self):
        refused = {
            "/v1/chat/completions": ("return_token_ids", "return_tokens_as_token_ids",
                                     "thinking_token_budget", "kv_transfer_params", "functions",
                                     "allowed_token_ids", "documents", "audio"),
            "/generate": ("input_embeds", "image_data", "session_params", "lora_path",
                          "return_hidden_states", "custom_logit_processor", "token_ids_logprob",
                          "require_reasoning"),
            "/v1/embeddings": ("truncate_prompt_tokens",)}
        for path, body in self.bodies:
            for name in refused.get(path, ()):
                for value in (True, 5, ["a"]):
                    status, answer = self.server.post(path, {**body, name: value})
                    self.assertEqual((status, answer["error"]["code"]), (400, "unsupported"), name)
                    self.assertEqual(answer["error"]["param"], name)
                self.assertEqual(self.server.post(path, {**body, name: None})[0], 200)

    def test_special_tokens_are_shown_where_asked(self):
        for path, body in self.bodies[:3]:
            params = {"skip_special_tokens": False}
            if path == "/generate":
                params = {"sampling_params": {**body["sampling_params"], **params}}
            status, answer = self.server.post(path, {**body, **params})
            self.assertEqual(status, 200, answer)

    def test_a_salt_parts_the_cache(self):
        text = "a prompt that is cached for one and not for another " * 3
        def cached(path, body, **more):
            answer = self.server.post(path, {**body, **more})[1]
            if path == "/generate":
                return answer["meta_info"]["cached_tokens"]
            return answer["usage"]["prompt_tokens_details"]["cached_tokens"]
        for path, body in (("/v1/completions", {"prompt": text, "max_tokens": 1}),
                           ("/generate", {"text": text, "sampling_params": {"max_new_tokens": 1}})):
            for name in ("cache_salt", "extra_key"):
                salt = path + name
                self.assertEqual(cached(path, body, **{name: salt}), 0)
                self.assertGreater(cached(path, body, **{name: salt}), 0)
                self.assertEqual(cached(path, body, **{name: salt + "other"}), 0)

    def test_requests_are_aborted_by_what_their_ids_begin_with(self):
        answers = {}
        def run(rid):
            answers[rid] = self.server.post("/generate", {
                "text": "a", "rid": rid, "sampling_params": {"max_new_tokens": 6000, "n": 32,
                                                             "ignore_eos": True}})[1]
        threads = [threading.Thread(target=run, args=(rid,)) for rid in ("job-1", "job-2", "other")]
        for thread in threads:
            thread.start()
        while self.server.metric("espalier:running") + self.server.metric("espalier:queued") < 96:
            pass
        for rid, expected in (("nobody", 0), ("job-", 2), ("", None), ("other", 1)):
            status, answer = self.server.post("/abort_request", {"rid": rid})
            if expected is None:
                self.assertEqual(status, 400)
            else:
                self.assertEqual((status, answer["num_aborted"]), (200, expected))
        for thread in threads:
            thread.join()
        for rid, answer in answers.items():
            self.assertIn("abort", {one["meta_info"]["finish_reason"]["type"] for one in answer})
        self.assertTrue(self.server.settle())


if __name__ == "__main__":
    unittest.main()
