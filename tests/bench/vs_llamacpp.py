#!/usr/bin/env python3
"""Espalier and llama.cpp on one GGUF file, alternating in one run; prints ratios.

    tests/bench/vs_llamacpp.py --espalier build/espalier --model FILE.gguf

Absolute figures move with the machine's other tenants, so each round measures both
sides, one after the other, and the ratio of medians is what counts. llama.cpp comes as
llama-cpp-python from PyPI, built once with its native instruction set in a virtual
environment under build/.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

PEER = "llama-cpp-python==0.3.36"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--espalier", default="build/espalier")
    parser.add_argument("--model", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=256, help="tokens of prefill")
    parser.add_argument("--output", type=int, default=64, help="tokens of decode")
    parser.add_argument("--batch", default="1,8", help="sequences decoded together")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--venv", default="build/vs_llamacpp")
    parser.add_argument("--setup-only", action="store_true", help="build the peer and stop")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


# ---- llama.cpp's side, run by the virtual environment's Python


class Peer:
    """One context of llama.cpp, driven through its C interface."""

    def __init__(self, model_path, threads, batch, length):
        import llama_cpp

        self.api = llama_cpp
        self.api.llama_backend_init()
        self.model = self.api.llama_model_load_from_file(
            model_path.encode(), self.api.llama_model_default_params()
        )
        settings = self.api.llama_context_default_params()
        settings.n_ctx = batch * length
        settings.n_batch = settings.n_ubatch = 512
        settings.n_seq_max = batch
        settings.n_threads = settings.n_threads_batch = threads
        self.context = self.api.llama_init_from_model(self.model, settings)
        self.batch = self.api.llama_batch_init(max(512, batch), 0, 1)

    def decode(self, entries):
        """One pass over (token, position, sequence, wants_logits) entries."""
        self.batch.n_tokens = len(entries)
        for i, (token, position, sequence, wants_logits) in enumerate(entries):
            self.batch.token[i] = token
            self.batch.pos[i] = position
            self.batch.n_seq_id[i] = 1
            self.batch.seq_id[i][0] = sequence
            self.batch.logits[i] = wants_logits
        if self.api.llama_decode(self.context, self.batch) != 0:
            raise SystemExit("llama.cpp: llama_decode failed")
        self.api.llama_synchronize(self.context)

    def prefill(self, prompt, sequence):
        begin = time.perf_counter()
        for start in range(0, prompt, 512):
            end = min(start + 512, prompt)
            self.decode([(7 + i % 97, i, sequence, i == prompt - 1) for i in range(start, end)])
        return prompt / (time.perf_counter() - begin)

    def generate(self, prompt, output, batch):
        begin = time.perf_counter()
        for i in range(output):
            self.decode([(11 + i % 89, prompt + i, s, True) for s in range(batch)])
        return output * batch / (time.perf_counter() - begin)


def measure_as_peer(arguments):
    result = {"prefill": [], "decode": []}
    for batch in (int(b) for b in arguments.batch.split(",")):
        length = arguments.prompt + arguments.output + 8
        peer = Peer(arguments.model, arguments.threads, batch, length)
        speeds = [peer.prefill(arguments.prompt, s) for s in range(batch)]
        result["prefill"].append({"prompt": arguments.prompt, "tokens_per_s": max(speeds)})
        speed = peer.generate(arguments.prompt, arguments.output, batch)
        result["decode"].append({"batch": batch, "tokens_per_s": speed})
    result["isa"] = peer.api.llama_print_system_info().decode()
    print(json.dumps(result))


# ---- this side


def peer_python(venv):
    """The Python of the peer's virtual environment, which is built if it is absent."""
    python = venv / "bin" / "python"
    ready = venv / "ready"
    if not ready.exists():
        print(f"building {PEER} in {venv}: minutes, once", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        environment = dict(os.environ, CMAKE_ARGS="-DGGML_NATIVE=ON")
        install = [str(python), "-m", "pip", "install", "--quiet", PEER]
        subprocess.run(["nice", "-n", "19", *install], check=True, env=environment)
        ready.write_text(PEER + "\n")
    return python


def last_json(command):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout.decode().strip().splitlines()[-1])


def machine_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown machine"


def speeds_of(result):
    """{what: tokens/s}, such as {"prefill 256": 900.0, "decode x1": 120.0}."""
    rows = {f"prefill {r['prompt']}": r["tokens_per_s"] for r in result["prefill"]}
    rows.update({f"decode x{r['batch']}": r["tokens_per_s"] for r in result["decode"]})
    return rows


def main():
    arguments = parse_arguments()
    if arguments.as_peer:
        return measure_as_peer(arguments)
    python = peer_python(pathlib.Path(arguments.venv))
    if arguments.setup_only:
        return None
    shape = ["--threads", str(arguments.threads), "--prompt", str(arguments.prompt)]
    shape += ["--output", str(arguments.output), "--batch", arguments.batch]
    ours = [arguments.espalier, "bench", "engine", "--json", "--model", arguments.model, *shape]
    theirs = [str(python), __file__, "--as-peer", "--model", arguments.model, *shape]
    seen = {"espalier": [], "llama.cpp": []}
    for _ in range(arguments.rounds):
        seen["espalier"].append(last_json(ours))
        seen["llama.cpp"].append(last_json(theirs))
    print(f"{machine_name()}; espalier {seen['espalier'][0].get('isa')}; {PEER}")
    print(f"{'tokens/s, median':20} {'espalier':>10} {'llama.cpp':>10} {'ratio':>7}")
    for what in speeds_of(seen["llama.cpp"][0]):
        medians = [
            statistics.median(speeds_of(r).get(what, float("nan")) for r in results)
            for results in seen.values()
        ]
        print(f"{what:20} {medians[0]:10.1f} {medians[1]:10.1f} {medians[0] / medians[1]:7.2f}")
    return None


if __name__ == "__main__":
    main()
