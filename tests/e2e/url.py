"""`run --url`: a program on a server of SGLang's or OpenAI's protocol, played by this script."""

import http.server
import json
import os
import tempfile
import threading
import unittest

from binary import BinaryTest, espalier

PROGRAM = """
import sglang as sgl

@sgl.function
def answer(s, question):
    s += sgl.system("Be brief.")
    s += sgl.user(question)
    s += sgl.assistant(sgl.gen("answer", max_tokens=8, temperature=0))

def main():
    return [s["answer"] for s in answer.run_batch([{"question": q} for q in ["one", "two"]])]
"""
SELECT = """
import sglang as sgl

@sgl.function
def main(s):
    s += "It is" + sgl.select("word", choices=[" bad", " good"])
    return s["word"]
"""


class Server(http.server.BaseHTTPRequestHandler):
    protocol = "sglang"
    seen = []

    def log_message(self, *arguments):
        pass

    def give(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, events):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in [*map(json.dumps, events), "[DONE]"]:
            self.wfile.write(f"data: {event}\n\n".encode())

    def do_GET(self):
        if self.protocol == "sglang" and self.path == "/get_model_info":
            return self.give({"model_path": "Qwen/Qwen2-0.5B-Instruct"})
        if self.protocol == "openai" and self.path == "/v1/models":
            return self.give({"data": [{"id": "m"}]})
        return self.give({"error": {"message": "no such route"}}, 404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append((self.path, body))
        if self.path == "/v1/chat/completions":
            text = body["messages"][-1]["content"].upper()
            return self.stream([{"choices": [{"index": 0, "delta": {"content": text}}]}])
        if body.get("return_logprob"):
            scores = [[[-9, 1, "is"], [-1 - i, 2, None]] for i, _ in enumerate(body["text"])]
            return self.give([{"meta_info": {"input_token_logprobs": s}} for s in reversed(scores)])
        if body["sampling_params"].get("max_new_tokens") == 0:
            return self.give({"text": "", "meta_info": {"prompt_tokens": 2}})
        word = "ONE" if "one" in body["text"] else "TWO"
        return self.stream([{"text": word[:1], "meta_info": {}}, {"text": word, "meta_info": {}}])


class Url(BinaryTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        Server.seen = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def run_program(self, text, *arguments):
        path = os.path.join(self.folder, "program.sgl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return espalier("run", path, *arguments)

    def test_a_sglang_server_gets_whole_prompts_in_the_models_format(self):
        Server.protocol = "sglang"
        out = self.assert_done(self.run_program(PROGRAM, "--url", self.url))
        self.assertEqual(out, b"['ONE', 'TWO']\n")
        texts = [body["text"] for path, body in Server.seen if path == "/generate"]
        self.assertIn("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\none<|im_end|>\n"
                      "<|im_start|>assistant\n", texts)

    def test_select_is_scored_by_the_server(self):
        Server.protocol = "sglang"
        self.assertEqual(self.assert_done(self.run_program(SELECT, "--url", self.url)), b" good\n")

    def test_an_openai_server_gets_messages(self):
        Server.protocol = "openai"
        out = self.assert_done(self.run_program(PROGRAM, "--url", self.url + "/v1"))
        self.assertEqual(out, b"['ONE', 'TWO']\n")
        self.assertEqual(Server.seen[0][1]["messages"][0], {"role": "system", "content": "Be brief."})

    def test_a_server_that_is_not_there_is_named(self):
        done = self.run_program(SELECT, "--url", "http://127.0.0.1:9")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"http://127.0.0.1:9: cannot connect", done.stderr)

    def test_a_bad_address_is_refused(self):
        done = self.run_program(SELECT, "--url", "ftp://x")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"ftp://x", done.stderr)


if __name__ == "__main__":
    unittest.main()
