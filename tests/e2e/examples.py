#!/usr/bin/env python3
"""Runs every program of examples/ on the default model, twice: both end well, print the same text
and what the program promises whatever the model answers. $ESPALIER_BINARY names the binary.

Exit status 77: skipped, since the model is absent; where ESPALIER_REQUIRE_MODEL=1 that fails.
"""

import os
import pathlib
import re
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROMISES = {  # a pattern for the whole standard output
    "triage_tickets": r"((billing|login|shipping|other) +(urgent|-) +.{5,60}\n){4}",
    "few_shot": r".+ -> (positive|negative)\n( +(positive|negative): -\d+\.\d+\n){2}",
    "fork_join": r"((cost|safety|comfort) .*\n){3}decision: .+\n",
    "agent_tools": r"Question: .+\n(Thought: ?.*\nAction: .+\nObservation: .+\n)*(Thought: ?.*\n)?Answer:.*\n",
    "extract_contacts": r"([A-Z][a-z]+ [A-Z][a-z]+ +555-\d{4} +\d+ (May|June|July)\n){2}",
    "judge": r"((clarity|evidence|style) +[1-5] .*\n){3}mean \d\.\d\d, verdict: (not )?good\n",
    "skeleton_of_thought": r"(\d\. .*\n( {4}.*\n)*){3}",
    "tree_of_thought": r"([1-5]  .*\n){4}best: .*\n",
    "self_consistency": r"( *\d+ #+\n)+answer: \d+\n",
    "rag_folder": r"library.txt: .+\n\w+.txt: .+\nanswer: .*\n",
    "chat_turns": r"system: .+\n(user: .+\nassistant: (.|\n)+){3}",
}


FLAGS = {"rag_folder": ["--allow-read", "examples/notes"]}


def model_is_there():
    cache = os.environ.get("ESPALIER_CACHE") or os.path.expanduser("~/.cache/espalier")
    return os.path.exists(f"{cache}/models/SmolLM2-135M-Instruct.Q4_1.gguf")


def run(example):
    command = [os.environ["ESPALIER_BINARY"], "run", example, *FLAGS.get(example.stem, [])]
    return subprocess.run(command, check=True, cwd=EXAMPLES.parent, stdout=subprocess.PIPE,
                          encoding="utf-8", timeout=300).stdout


def main():
    if not model_is_there():
        print("the default model is absent")
        return 1 if os.environ.get("ESPALIER_REQUIRE_MODEL") == "1" else 77
    examples = sorted(EXAMPLES.glob("*.sgl"))
    assert {e.stem for e in examples} == set(PROMISES), "each example needs its promise here"
    for example in examples:
        first = run(example)
        assert re.fullmatch(PROMISES[example.stem], first), f"{example.name} printed {first!r}"
        assert run(example) == first, f"{example.name} printed another text the second time"
        print(f"ok {example.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
