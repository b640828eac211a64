#!/usr/bin/env python3
"""Many requests through `generate --jsonl` on a KV cache far too small for them at once.

    soak.py ESPALIER_BINARY [--model tiny|FILE.gguf] [--requests N] [--kv-cache-tokens N]

Prompts of 1 to 300 tokens (a third of them share their beginning), outputs of 1 to 60. Checks that
every request is answered, in order, with as many tokens as it asked for, and that memory is flat
after the first quarter. Prints what it measured; fails by an exception.
"""

import argparse
import json
import random
import subprocess
import threading
import time

ROOM_FOR_NOISE_MIB = 24


def make_requests(count, vocab_size):
    generator = random.Random(1)
    shared = [generator.randrange(3, vocab_size) for _ in range(300)]
    for _ in range(count):
        length = generator.randint(1, 300)
        kept = generator.randint(0, length) if generator.random() < 0.33 else 0
        ids = shared[:kept] + [generator.randrange(3, vocab_size) for _ in range(length - kept)]
        yield {"ids": ids, "max_new_tokens": generator.randint(1, 60), "ignore_eos": True}


def resident_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def feed(process, requests):
    for request in requests:
        process.stdin.write(json.dumps(request) + "\n")
    process.stdin.close()


def run(arguments, requests):
    """Answers, checked one by one, and the resident memory at each."""
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               encoding="utf-8")
    feeder = threading.Thread(target=feed, args=(process, requests))
    feeder.start()
    memory = []
    for number, request in enumerate(requests):
        line = process.stdout.readline()
        assert line, f"no answer to request {number} of {len(requests)}"
        answer = json.loads(line)
        assert "error" not in answer, (number, answer)
        assert answer["usage"]["prompt_tokens"] == len(request["ids"]), (number, answer["usage"])
        assert len(answer["ids"]) == request["max_new_tokens"], (number, len(answer["ids"]))
        if number % 20 == 0:
            memory.append(resident_mib(process.pid))
    assert process.stdout.read() == "", "more answers than requests"
    feeder.join()
    assert process.wait() == 0, process.returncode
    return memory


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--model", default="tiny")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--kv-cache-tokens", type=int, default=4000)
    options = parser.parse_args()
    requests = list(make_requests(options.requests, 259 if options.model == "tiny" else 49_000))
    arguments = [options.binary, "generate", "--jsonl", "-", "--model", options.model,
                 "--kv-cache-tokens", str(options.kv_cache_tokens)]
    start = time.monotonic()
    memory = run(arguments, requests)
    seconds = time.monotonic() - start
    quarter = max(memory[:max(1, len(memory) // 4)])
    print(f"{len(requests)} requests in {seconds:.1f} s, in order, none lost; "
          f"memory {quarter:.0f} MiB in the first quarter, {max(memory):.0f} MiB at most")
    assert max(memory) <= quarter * 1.1 + ROOM_FOR_NOISE_MIB, memory


if __name__ == "__main__":
    main()
