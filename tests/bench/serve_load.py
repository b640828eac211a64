"""What the server costs and holds, in ratios of one run: prints one JSON object a figure.

  python3 tests/bench/serve_load.py [--binary build/espalier] [--model FILE] [--streams 1000]

  streams     so many streams held at once: errors, and whether all texts are alike
  throughput  tokens a second over HTTP against the same work through generate --jsonl
  loop_delay  how late the io loop is while prompts are read: the median and the 99th of 100,
              by the server's own histogram and by a client that asks /ping meanwhile
"""

import argparse
import asyncio
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time


class Server:
    def __init__(self, binary, model, *flags):
        self.process = subprocess.Popen([binary, "serve", "--model", model, "--port", "0", *flags],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode()
        self.port = int(re.search(r":(\d+) serves", line).group(1))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)

    async def ask(self, method, path, body=b"", connection=None):
        """Status and body, of an answer with a length or in chunks."""
        reader, writer = connection or await self.connect()
        writer.write(b"%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                     b"Content-Length: %d\r\n\r\n" % (method, path, len(body)) + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status = int(head.split()[1])
        length = re.search(r"content-length: (\d+)", head, re.I)
        if length:
            text = await reader.readexactly(int(length.group(1)))
        else:
            text = b""
            while size := int((await reader.readuntil(b"\r\n"))[:-2], 16):
                text += (await reader.readexactly(size + 2))[:-2]
            await reader.readexactly(2)
        if connection is None:
            writer.close()
        return status, text


def texts_of(stream):
    events = [line[6:] for line in stream.decode().split("\n\n") if line.startswith("data: ")]
    assert events and events[-1] == "[DONE]", stream[-200:]
    return "".join(json.loads(event)["choices"][0]["text"] for event in events[:-1])


async def hold_streams(server, count):
    body = json.dumps({"prompt": "Once upon a time", "max_tokens": 16, "temperature": 0,
                       "ignore_eos": True, "stream": True}).encode()
    connections = []
    for start in range(0, count, 100):
        connections += await asyncio.gather(*(server.connect()
                                              for _ in range(start, min(start + 100, count))))
    start = time.monotonic()
    answers = await asyncio.gather(
        *(server.ask(b"POST", b"/v1/completions", body, connection) for connection in connections),
        return_exceptions=True)
    seconds = time.monotonic() - start
    good = [a for a in answers if not isinstance(a, Exception) and a[0] == 200]
    texts = {texts_of(text) for _, text in good}
    for _, writer in connections:
        writer.close()
    return {"figure": "streams", "streams": count, "errors": count - len(good),
            "different_texts": len(texts), "seconds": round(seconds, 2)}


def work(count):
    return [{"prompt": f"Question {i}: what is {i} plus {i * 7}?\nAnswer:", "max_new_tokens": 32,
             "temperature": 0, "ignore_eos": True, "seed": i} for i in range(count)]


async def over_http(server, lines):
    async def one(line):
        body = {**line, "max_tokens": line["max_new_tokens"]}
        del body["max_new_tokens"]
        status, text = await server.ask(b"POST", b"/v1/completions", json.dumps(body).encode())
        assert status == 200, text
        return json.loads(text)["usage"]["completion_tokens"]

    start = time.monotonic()
    tokens = sum(await asyncio.gather(*(one(line) for line in lines)))
    return tokens / (time.monotonic() - start)


def by_jsonl(binary, model, lines):
    """Tokens a second, by the time from the first line in to the last line out."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
        file.flush()
        process = subprocess.Popen([binary, "generate", "--model", model, "--jsonl", "-"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        # One line first, so that loading does not count.
        process.stdin.write(json.dumps({**lines[0], "max_new_tokens": 1}).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        start = time.monotonic()
        process.stdin.write(pathlib.Path(file.name).read_bytes())
        process.stdin.close()
        answers = [json.loads(line) for line in process.stdout]
        seconds = time.monotonic() - start
        process.wait()
    return sum(a["usage"]["completion_tokens"] for a in answers) / seconds


async def throughput(server, binary, model, count, rounds):
    await over_http(server, work(4))
    ratios, best = [], 0
    for _ in range(rounds):  # turn about, so that a busy machine troubles both
        local = by_jsonl(binary, model, work(count))
        await server.ask(b"POST", b"/flush_cache", b"{}")
        http = await over_http(server, work(count))
        ratios.append(http / local)
        best = max(best, http)
    return {"figure": "throughput", "requests": count, "http_tokens_per_s": round(best, 1),
            "ratios": [round(r, 3) for r in ratios],
            "ratio": round(sorted(ratios)[len(ratios) // 2], 3)}


def quantile(buckets, share):
    """The upper bound of the bucket that holds it."""
    return next(bound for bound, count in buckets if count >= share * buckets[-1][1])


async def buckets(server):
    _, text = await server.ask(b"GET", b"/metrics")
    found = re.findall(r'espalier:loop_delay_seconds_bucket\{.*le="([^"]+)"\} (\S+)', text.decode())
    return [(float(bound), float(count)) for bound, count in found]


async def loop_delay(server, count):
    prompts = [json.dumps({"prompt": f"{i} " * 700, "max_tokens": 1}).encode() for i in range(count)]
    before = await buckets(server)
    busy = asyncio.gather(*(server.ask(b"POST", b"/v1/completions", body) for body in prompts))
    pings, connection = [], await server.connect()
    while not busy.done():
        start = time.monotonic()
        await server.ask(b"GET", b"/ping", b"", connection)
        pings.append(time.monotonic() - start)
        await asyncio.sleep(0.005)
    statuses = {status for status, _ in await busy}
    during = [(bound, count - old) for (bound, count), (_, old) in zip(await buckets(server), before)]
    pings.sort()
    return {"figure": "loop_delay", "prompts": count, "statuses": sorted(statuses),
            "samples": int(during[-1][1]), "p50_below_ms": quantile(during, 0.5) * 1e3,
            "p99_below_ms": quantile(during, 0.99) * 1e3,
            "ping_p50_ms": round(pings[len(pings) // 2] * 1e3, 2),
            "ping_p99_ms": round(pings[len(pings) * 99 // 100] * 1e3, 2)}


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=os.environ.get("ESPALIER_BINARY", "build/espalier"))
    parser.add_argument("--model", default=os.path.expanduser(
        "~/.cache/espalier/models/SmolLM2-135M-Instruct.Q4_1.gguf"))
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--prompts", type=int, default=16)
    options = parser.parse_args()
    server = Server(options.binary, options.model)
    try:
        print(json.dumps({"cpus": os.cpu_count(), "model": pathlib.Path(options.model).name,
                          "load": os.getloadavg()[0]}), flush=True)
        print(json.dumps(await throughput(server, options.binary, options.model, options.requests,
                                          options.rounds)), flush=True)
        print(json.dumps(await loop_delay(server, options.prompts)), flush=True)
        print(json.dumps(await hold_streams(server, options.streams)), flush=True)
    finally:
        code = server.stop()
    return code


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
