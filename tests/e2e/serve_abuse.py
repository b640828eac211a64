"""Clients that are broken, slow, or gone, many at once: afterwards nothing is left of them, and the
next answer is right."""

import json
import os
import random
import socket
import struct
import threading
import time
import unittest

from serve import ServeTest, WEATHER

ROUTES = (("/v1/completions", {"prompt": "abc", "max_tokens": 2000, "ignore_eos": True}),
          ("/v1/chat/completions", {"messages": [{"role": "user", "content": "abc"}],
                                    "max_tokens": 2000, "ignore_eos": True, "n": 2}),
          ("/v1/chat/completions", {"messages": [{"role": "user", "content": "abc"}],
                                    "tools": [WEATHER], "tool_choice": "required",
                                    "max_tokens": 500}),
          ("/v1/responses", {"input": "abc", "max_output_tokens": 2000}),
          ("/v1/embeddings", {"input": ["abc " * 200] * 8}),
          ("/generate", {"text": ["abc", "x " * 500], "return_logprob": True,
                         "sampling_params": {"max_new_tokens": 2000, "ignore_eos": True}}))


def message(path, body):
    data = json.dumps(body).encode()
    return (b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % (path.encode(), len(data)) + data)


class Abuse(ServeTest):
    flags = ("--kv-cache-tokens", "8192")
    probe = {"prompt": "the next answer", "max_tokens": 16, "temperature": 0, "cache_salt": "probe"}

    def connect(self, timeout=20):
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=timeout)

    def state(self):
        fds = len(os.listdir(f"/proc/{self.server.process.pid}/fd"))
        return fds, self.server.metric("sglang:num_used_tokens")

    def answer(self):
        status, answer = self.server.post("/v1/completions", self.probe)
        self.assertEqual(status, 200, answer)
        return answer["choices"][0]["text"]

    def run(self, result=None):
        self.choose = random.Random(7)
        return super().run(result)

    def check_that_nothing_is_left(self, before, expected):
        self.assertTrue(self.server.settle())
        end = time.monotonic() + 30
        # An earlier client, the one that asked last too, may be closing yet.
        while (after := self.state()) > before and time.monotonic() < end:
            pass
        self.assertLessEqual(after, before)
        self.assertEqual(self.answer(), expected)
        self.assertIsNone(self.server.process.poll())

    def leave(self, client):
        if self.choose.random() < 0.5:  # RST instead of FIN
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def send_garbage(self):
        texts = [self.choose.randbytes(self.choose.choice([1, 100, 5000, 70000])),
                 b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                 b"GET / HTTP/1.1\r\n" + b"a" * 50000, b"POST /generate HTTP/1.1\r\n"
                 b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                 b"POST /generate HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                 b"POST /generate HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                 b"GET /health HTTP/1.1\r\n\r\n" * 50 + b"\x00" * 100]
        with self.connect() as client:
            try:
                client.sendall(self.choose.choice(texts))
                client.settimeout(0.05)
                client.recv(1000)
            except OSError:
                pass
            self.leave(client)

    def send_half(self):
        text = message(*self.choose.choice(ROUTES))
        with self.connect() as client:
            client.sendall(text[:self.choose.randrange(len(text))])
            self.leave(client)

    def send_broken_json(self):
        path, body = self.choose.choice(ROUTES)
        data = bytearray(json.dumps(body).encode())
        for _ in range(self.choose.randrange(1, 6)):
            data[self.choose.randrange(len(data))] = self.choose.randrange(256)
        with self.connect() as client:
            client.sendall(b"POST %s HTTP/1.1\r\nContent-Length: %d\r\n\r\n"
                           % (path.encode(), len(data)) + data)
            client.settimeout(0.05)
            try:
                reply = client.recv(4000)
                self.assertNotIn(b" 500 ", reply[:20], bytes(data))
            except TimeoutError:
                pass
            self.leave(client)

    def abort_stream(self):
        path, body = self.choose.choice(ROUTES)
        stream = {} if path == "/v1/embeddings" else {"stream": True}
        with self.connect() as client:
            client.sendall(message(path, {**body, **stream}))
            client.settimeout(self.choose.choice([0.001, 0.01, 0.05]))
            try:
                for _ in range(self.choose.randrange(4)):
                    client.recv(self.choose.choice([1, 500, 20000]))
            except (TimeoutError, OSError):
                pass
            self.leave(client)

    def test_all_of_them_at_once(self):
        expected = self.answer()
        before = self.state()
        slow = [self.connect(60) for _ in range(20)]  # one byte now and then, all the while
        texts = [message(*ROUTES[i % len(ROUTES)]) for i in range(len(slow))]
        acts = (self.send_garbage, self.send_half, self.send_broken_json, self.abort_stream,
                self.abort_stream)
        for i in range(500):
            self.choose.choice(acts)()
            at = i % len(slow)
            slow[at].sendall(texts[at][i // len(slow):i // len(slow) + 1])
            if i % 50 == 0:
                self.assertEqual(self.server.get("/health", timeout=20)[0], 200)
                self.assertEqual(self.answer(), expected)
        for client in slow:
            client.close()
        self.check_that_nothing_is_left(before, expected)

    def test_readers_that_take_nothing_hold_little(self):
        expected = self.answer()
        before = self.state()
        stuck = [self.connect(60) for _ in range(8)]
        for i, client in enumerate(stuck):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(message("/v1/completions", {
                "prompt": "abc", "max_tokens": 1000, "ignore_eos": True, "stream": True,
                "logprobs": 20, "n": 4, "seed": i}))
        self.assertTrue(self.server.settle())  # they end, whether or not somebody reads
        pages = int(open(f"/proc/{self.server.process.pid}/statm").read().split()[1])
        self.assertLess(pages * os.sysconf("SC_PAGE_SIZE"), 800 << 20)
        for client in stuck:
            client.close()
        self.check_that_nothing_is_left(before, expected)

    def test_answers_beside_them_are_right(self):
        expected = self.answer()
        before = self.state()
        wrong = []

        def ask():
            for _ in range(30):
                text = self.answer()
                if text != expected:
                    wrong.append(text)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.abort_stream()
        self.assertEqual(wrong, [])
        self.check_that_nothing_is_left(before, expected)


if __name__ == "__main__":
    unittest.main()
