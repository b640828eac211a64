"""What the prefix cache holds: GET /v1/cache/tree, and `inspect tree`."""

import json
import unittest

from binary import BinaryTest, espalier
from serve import CHAT, ServeTest

PROMPT = "Once upon a time there was a prompt that several requests began with. "


class CacheTree(ServeTest, BinaryTest):
    flags = ("--show-cache", "--page-size", "4")

    def fill(self, salt=None):
        for end in ("One.", "Two."):
            status, answer = self.server.post("/v1/completions", {
                "prompt": PROMPT + end, "max_tokens": 1, "cache_salt": salt})
            self.assertEqual(status, 200, answer)
        self.server.settle()

    def tree(self, query=""):
        status, text = self.server.get("/v1/cache/tree" + query)
        self.assertEqual(status, 200, text)
        return json.loads(text)

    def setUp(self):
        self.server.get("/flush_cache")
        self.fill()

    def test_a_shared_prefix_is_one_node_with_its_hits_and_text(self):
        tree = self.tree("?tokens=4096")
        top = tree["nodes"][0]
        self.assertEqual((top["parent"], top["begin"], top["hits"], top["pins"]), (None, 0, 1, 0))
        self.assertTrue(PROMPT.startswith(top["text"].removeprefix("<s>")), top)
        self.assertEqual(len(top["tokens"]), top["num_tokens"])
        self.assertEqual(sum(node["parent"] == 0 for node in tree["nodes"]), 2)
        self.assertTrue(tree["whole"])
        pages = tree["pages"]
        self.assertEqual(pages["free"] + pages["cached"] + pages["private"], pages["total"])
        self.assertEqual(sum(node["pages"] for node in tree["nodes"]), pages["cached"])

    def test_a_salt_and_what_stands_behind_it_is_not_told(self):
        self.fill("tenant-7-secret")
        text = self.server.get("/v1/cache/tree?tokens=4096")[1]
        self.assertNotIn("tenant-7", text)
        tree = json.loads(text)
        labels = [space["salt"] for space in tree["name_spaces"]]
        self.assertEqual(labels[0], "")
        self.assertRegex(labels[1], "^[0-9a-f]{8}$")
        for node in tree["nodes"]:
            self.assertEqual("text" in node, node["name_space"] == 0, node)
            self.assertEqual("tokens" in node, node["name_space"] == 0, node)

    def test_it_is_bounded_as_asked(self):
        tree = self.tree("?nodes=1&tokens=2&other=3")
        self.assertEqual(len(tree["nodes"]), 1)
        self.assertEqual(len(tree["nodes"][0]["tokens"]), 2)
        self.assertFalse(tree["whole"])
        self.assertEqual(len(self.tree("?depth=1")["nodes"]), 1)
        for query in ("?nodes=-1", "?nodes=x", "?depth=", "?tokens=99999", "?nodes=10001"):
            status, text = self.server.get("/v1/cache/tree" + query)
            self.assertEqual(status, 400, query)
            self.assertIn(query[1:].split("=")[0], text)

    def test_the_command_prints_what_the_server_tells_and_what_a_file_kept(self):
        url = f"http://127.0.0.1:{self.server.port}"
        shown = self.assert_done(espalier("inspect", "tree", "--url", url)).decode()
        self.assertIn("no salt: ", shown)
        self.assertIn("Once upon a time", shown)
        lines = shown.splitlines()
        top = next(i for i, line in enumerate(lines) if "Once upon" in line)
        self.assertRegex(lines[top], r'^ +\d+ +\d+ +\d+ +1 +[0-9.]+s +0  "')
        self.assertRegex(lines[top + 1], r'^ +\d+ +\d+ +\d+ +\d +[0-9.]+s +0    "')
        kept = self.assert_done(espalier("inspect", "tree", "--url", url, "--json"))
        from_file = self.assert_done(espalier("inspect", "tree", "-", stdin=kept)).decode()
        self.assertEqual(len(from_file.splitlines()), len(lines))
        self.assertIn("Once upon a time", from_file)
        few = self.assert_done(espalier("inspect", "tree", "--url", url, "--nodes", "1")).decode()
        self.assertIn("not shown", few)

    def test_texts_can_be_made_of_kept_tokens(self):
        tree = self.tree()
        for node in tree["nodes"]:
            del node["text"]
        for flags, told in (((), False), (("--tokenizer", "tiny"), True)):
            shown = self.assert_done(espalier("inspect", "tree", "-", *flags,
                                              stdin=json.dumps(tree)))
            self.assertEqual(b"Once upon" in shown, told)


class WithoutTexts(ServeTest):
    def test_texts_are_told_only_where_the_server_was_started_so(self):
        self.server.post("/v1/completions", {"prompt": PROMPT, "max_tokens": 1})
        status, text = self.server.get("/v1/cache/tree")
        self.assertEqual(status, 200)
        self.assertGreater(json.loads(text)["pages"]["cached"], 0)
        self.assertNotIn("Once", text)
        self.assertNotIn("tokens\": [", text)


class QuotaAndRetention(ServeTest):
    flags = ("--page-size", "4", "--cache-quota-tokens", "10", "--eviction", "priority")

    def test_a_salt_keeps_no_more_than_its_quota(self):
        for salt in ("a", None):
            body = {"prompt": PROMPT, "max_tokens": 1, "cache_salt": salt}
            self.assertEqual(self.server.post("/v1/completions", body)[0], 200)
        self.server.settle()
        spaces = json.loads(self.server.get("/v1/cache/tree")[1])["name_spaces"]
        self.assertEqual(spaces[1]["cached_pages"], 3)
        self.assertGreater(spaces[0]["cached_pages"], 3)

    def test_retention_is_a_number_of_seconds(self):
        bodies = {"/v1/completions": {"prompt": "a", "max_tokens": 1},
                  "/v1/chat/completions": {**CHAT, "max_tokens": 1},
                  "/v1/responses": {"input": "a", "max_output_tokens": 16},
                  "/v1/embeddings": {"input": "a"},
                  "/generate": {"text": "a", "sampling_params": {"max_new_tokens": 1}}}
        for path, body in bodies.items():
            for good in (0, 1.5, 3600, None):
                status, answer = self.server.post(path, {**body, "retention_s": good})
                self.assertEqual(status, 200, (path, answer))
            for bad in (-1, "x", 1e10, {}, True):
                status, answer = self.server.post(path, {**body, "retention_s": bad})
                self.assertEqual(status, 400, (path, bad, answer))
                self.assertEqual(answer["error"]["param"], "retention_s")


class WrongInput(BinaryTest):
    def test_it_is_refused_by_name(self):
        good = {"parent": None, "name_space": 0, "begin": 0, "num_tokens": 1, "pages": 1, "hits": 0,
                "pins": 0}
        tree = {"page_size": 1, "pages": {"total": 1, "cached": 1, "evictable": 1, "private": 0,
                                          "free": 0},
                "name_spaces": [{"salt": "", "cached_pages": 1, "evictable_pages": 1}],
                "nodes": [good]}
        self.assert_done(espalier("inspect", "tree", "-", stdin=json.dumps(tree)))
        for nodes, part in (([{**good, "parent": 0}], "nodes[0]"),
                            ([good, {**good, "hits": "x"}], "nodes[1]"),
                            ([{**good, "name_space": 1}], "name space"),
                            ([3], "nodes[0]"), ("x", "nodes")):
            done = espalier("inspect", "tree", "-", stdin=json.dumps({**tree, "nodes": nodes}))
            self.assert_refused(done, "no tree of a cache", part)
        for text in ("[]", "{}", "{", "nul"):
            self.assert_refused(espalier("inspect", "tree", "-", stdin=text))

    def test_one_place_is_asked(self):
        self.assert_refused(espalier("inspect", "tree"), "--url")
        self.assert_refused(espalier("inspect", "tree", "f", "--url", "localhost:1"), "--url")
        self.assert_refused(espalier("inspect", "tree", "--url", "http://127.0.0.1:1"),
                            "127.0.0.1:1", code=2)

    def test_a_deep_chain_is_printed_line_by_line(self):
        nodes = [{"parent": i - 1 if i else None, "name_space": 0, "begin": i, "num_tokens": 1,
                  "pages": 1, "hits": 0, "pins": 0, "idle_s": 1.0} for i in range(20000)]
        tree = {"page_size": 1, "pages": {"total": 20000, "cached": 20000, "evictable": 0,
                                          "private": 0, "free": 0},
                "name_spaces": [{"salt": "", "cached_pages": 20000, "evictable_pages": 0}],
                "nodes": nodes}
        done = espalier("inspect", "tree", "-", stdin=json.dumps(tree))
        self.assertGreater(len(self.assert_done(done).splitlines()), 20000)


if __name__ == "__main__":
    unittest.main()
