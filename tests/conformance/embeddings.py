#!/usr/bin/env python3
"""Makes tests/golden/embeddings.json: embeddings of the default model by an independent program.

    embeddings.py ESPALIER_BINARY MODEL.gguf REFERENCE_FOLDER

The last is the folder of llama_reference.py, a model in NumPy float64 that quantizes no activation.
An embedding is the mean over the tokens of what the head sees, of length 1.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

KEPT = pathlib.Path(__file__).resolve().parents[2] / "tests/golden/embeddings.json"
TEXTS = ["Hello world", "The capital of France is Paris.", "La capitale de la France est Paris.",
         "def add(a, b):\n    return a + b\n", "a", "日本語のテキスト 🙂"]


def main():
    binary, path, reference = sys.argv[1:]
    sys.path.insert(0, reference)
    from llama_reference import Llama
    model = Llama(path)
    model.weights["output.weight"] = np.eye(model.hidden_size)  # so that the logits are its input
    rows = []
    for text in TEXTS:
        done = subprocess.run([binary, "inspect", "tokens", "--jsonl", "-"], check=True,
                              input=json.dumps({"text": text}).encode(), capture_output=True)
        ids = json.loads(done.stdout)["ids"]
        mean = model.forward(ids, model.new_cache(), 0).mean(axis=0)
        unit = mean / np.linalg.norm(mean)
        rows.append({"text": text, "ids": ids, "embedding": [round(float(x), 5) for x in unit]})
    KEPT.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
