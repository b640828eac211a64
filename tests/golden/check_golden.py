#!/usr/bin/env python3
"""Compares the real binary on the default model with the golden files of an independent program.

    check_golden.py ESPALIER_BINARY WHAT     WHAT: tokens, chat, exact, fast, greedy

The golden folder is $ESPALIER_SHARED/golden/smollm2-135m. Exit status 77: skipped, since the folder
or the model is absent; where ESPALIER_REQUIRE_MODEL=1 an absent model fails.
"""

import json
import math
import os
import pathlib
import subprocess
import sys

EXACT_TOLERANCE = 2e-3  # nats, of each listed log-probability
MAX_MEAN_KL = 0.0018
MIN_TOP1 = 0.975
FAIR_MARGIN = 0.5  # logit gap below which a greedy step is a coin toss


def golden(name):
    folder = pathlib.Path(os.environ.get("ESPALIER_SHARED") or "/nonexistent") / "golden/smollm2-135m"
    if not folder.is_dir():
        print("skipped: ESPALIER_SHARED has no golden/smollm2-135m")
        sys.exit(77)
    return [json.loads(line) for line in open(folder / name, encoding="utf-8")]


def require_model():
    cache = os.environ.get("ESPALIER_CACHE") or os.path.expanduser("~/.cache/espalier")
    if not os.path.exists(f"{cache}/models/SmolLM2-135M-Instruct.Q4_1.gguf"):
        required = os.environ.get("ESPALIER_REQUIRE_MODEL") == "1"
        print("failed" if required else "skipped", "since the default model is absent", sep=": ")
        sys.exit(1 if required else 77)


def ask(binary, arguments, requests):
    """One answer a request, in order."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([binary, *arguments, "--jsonl", "-"], input=lines, encoding="utf-8",
                          stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(answers) == len(requests), f"{len(answers)} answers to {len(requests)} requests"
    return answers


def check_equal(binary, arguments, rows, inputs, outputs):
    answers = ask(binary, arguments, [{key: row[key] for key in inputs} for row in rows])
    for row, answer in zip(rows, answers):
        for key in outputs:
            assert answer[key] == row[key], f"{key} of {row!r}: {answer[key]!r}"
    print(f"{len(rows)} rows equal")


def logit_rows(binary, arguments):
    wanted = golden("logits.jsonl")
    given = ask(binary, ["inspect", "logits", *arguments],
                [{"name": item["name"], "ids": item["ids"]} for item in wanted])
    for want, got in zip(wanted, given):
        assert want["name"] == got["name"] and len(want["rows"]) == len(got["rows"])
        yield from zip(want["rows"], got["rows"])


def check_exact(binary):
    worst = 0.0
    for want, got in logit_rows(binary, ["--exact"]):
        ours = dict(map(tuple, got["top"]))
        for token, logprob in want["top"]:
            if token in ours:
                worst = max(worst, abs(ours[token] - logprob))
            else:  # pushed out of the 20 by another within the tolerance
                assert min(ours.values()) - logprob < EXACT_TOLERANCE, (want, got)
        if want["next"] is not None:
            worst = max(worst, abs(want["next"] - got["next"]))
    print(f"largest difference {worst:.2e}, allowed {EXACT_TOLERANCE}")
    assert worst <= EXACT_TOLERANCE


def kl_divergence(want, got):
    """Over the oracle's 20 tokens and one bucket for the rest. A token that we do not list counts
    with our 20th, which understates its loss by little."""
    ours = dict(map(tuple, got["top"]))
    floor = min(ours.values())
    divergence = rest_want = rest_got = 0.0
    for token, logprob in want["top"]:
        other = ours.get(token, floor)
        divergence += math.exp(logprob) * (logprob - other)
        rest_want += math.exp(logprob)
        rest_got += math.exp(other)
    rest_want, rest_got = max(1 - rest_want, 1e-9), max(1 - rest_got, 1e-9)
    return divergence + rest_want * math.log(rest_want / rest_got)


def check_fast(binary):
    divergences, hits = [], 0
    for want, got in logit_rows(binary, []):
        divergences.append(kl_divergence(want, got))
        hits += want["top"][0][0] == got["top"][0][0]
    mean, top1 = sum(divergences) / len(divergences), hits / len(divergences)
    print(f"{len(divergences)} rows: mean KL {mean:.6f} (at most {MAX_MEAN_KL}), "
          f"max KL {max(divergences):.4f}, top-1 {top1:.4f} (at least {MIN_TOP1})")
    assert mean <= MAX_MEAN_KL and top1 >= MIN_TOP1


def check_greedy(binary):
    wanted = golden("greedy.jsonl")
    requests = [{"ids": w["ids"], "temperature": 0, "max_new_tokens": len(w["output"])} for w in wanted]
    compared = 0
    for want, got in zip(wanted, ask(binary, ["generate"], requests)):
        fair = next((i for i, m in enumerate(want["margin"]) if m < FAIR_MARGIN), len(want["margin"]))
        assert got["ids"][:fair] == want["output"][:fair], (want["name"], got["ids"], want["output"])
        compared += fair
    print(f"{compared} tokens of {len(wanted)} continuations equal")
    assert compared > 0


CHECKS = {
    "tokens": lambda b: check_equal(b, ["inspect", "tokens"], golden("tokenize.jsonl"),
                                    ["text"], ["ids", "decoded"]),
    "chat": lambda b: check_equal(b, ["inspect", "chat"], golden("chat.jsonl"),
                                  ["messages", "add_generation_prompt"], ["text", "ids"]),
    "exact": check_exact,
    "fast": check_fast,
    "greedy": check_greedy,
}

if __name__ == "__main__":
    require_model()
    CHECKS[sys.argv[2]](sys.argv[1])
