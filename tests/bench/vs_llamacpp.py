#!/usr/bin/env python3
"""Espalier and llama.cpp on one GGUF file, alternating in one run; prints ratios.

    tests/bench/vs_llamacpp.py --espalier build/espalier --model FILE.gguf

Rows: prefill; decode of so many sequences, each with its own prompt; decode of --streams
sequences that share a prefix of --shared-prefix tokens, which both sides hold once. For one
sequence also the share of the roofline: the bytes of weights a token over what
kernels_bench reads a second.

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
    parser.add_argument("--batch", default="1,8,32", help="sequences decoded together")
    parser.add_argument("--streams", type=int, default=32, help="sequences that share a prefix")
    parser.add_argument("--shared-prefix", dest="shared", type=int, default=1024,
                        help="tokens of that prefix; 0: no row")
    parser.add_argument("--bandwidth", default="build/kernels_bench", help="measures memory")
    parser.add_argument("--busy", action="store_true", help="measure though others use the CPU")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--venv", default="build/vs_llamacpp")
    parser.add_argument("--setup-only", action="store_true", help="build the peer and stop")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


# ---- llama.cpp's side, run by the virtual environment's Python


class Peer:
    """One context of llama.cpp, driven through its C interface."""

    def __init__(self, arguments, batch, length, unified=False):
        import llama_cpp

        self.api = llama_cpp
        self.api.llama_backend_init()
        self.model = self.api.llama_model_load_from_file(
            arguments.model.encode(), self.api.llama_model_default_params()
        )
        settings = self.api.llama_context_default_params()
        settings.n_ctx = length if unified else batch * length
        settings.n_batch = settings.n_ubatch = 512
        settings.n_seq_max = batch
        settings.kv_unified = unified
        settings.n_threads = settings.n_threads_batch = arguments.threads
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

    def share(self, batch):
        """Gives all sequences what sequence 0 holds, without a copy."""
        memory = self.api.llama_get_memory(self.context)
        for sequence in range(1, batch):
            self.api.llama_memory_seq_cp(memory, 0, sequence, -1, -1)

    def close(self):
        self.api.llama_free(self.context)
        self.api.llama_model_free(self.model)

    def generate(self, prompt, output, batch):
        begin = time.perf_counter()
        for i in range(output):
            self.decode([(11 + i % 89, prompt + i, s, True) for s in range(batch)])
        return output * batch / (time.perf_counter() - begin)


def measure_as_peer(arguments):
    result = {"prefill": [], "decode": []}
    for batch in (int(b) for b in arguments.batch.split(",")):
        length = arguments.prompt + arguments.output + 8
        peer = Peer(arguments, batch, length)
        speeds = [peer.prefill(arguments.prompt, s) for s in range(batch)]
        result["prefill"].append({"prompt": arguments.prompt, "tokens_per_s": max(speeds)})
        speed = peer.generate(arguments.prompt, arguments.output, batch)
        result["decode"].append({"batch": batch, "tokens_per_s": speed})
        result["isa"] = peer.api.llama_print_system_info().decode()
        peer.close()
    if arguments.shared > 0:
        length = arguments.shared + arguments.streams * (arguments.output + 1) + 8
        peer = Peer(arguments, arguments.streams, length, unified=True)
        peer.prefill(arguments.shared, 0)
        peer.share(arguments.streams)
        speed = peer.generate(arguments.shared, arguments.output, arguments.streams)
        shared = {"batch": arguments.streams, "shared": arguments.shared}
        result["decode"].append({**shared, "tokens_per_s": speed})
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
    for r in result["decode"]:
        shared = f" shared {r['shared']}" if r.get("shared") else ""
        rows[f"decode x{r['batch']}{shared}"] = r["tokens_per_s"]
    return rows


def busy_cores(seconds=1.0):
    """Cores that processes other than this one use."""

    def ticks():
        fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
        idle = int(fields[3]) + int(fields[4])
        return sum(map(int, fields)) - idle

    begin = ticks()
    time.sleep(seconds)
    return (ticks() - begin) / os.sysconf("SC_CLK_TCK") / seconds


def read_bandwidth(program, threads):
    """Bytes a second that `threads` threads read from memory, or None without the program."""
    if not pathlib.Path(program).exists():
        return None
    command = [program, "--benchmark_filter=Read", "--benchmark_format=json"]
    environment = dict(os.environ, ESPALIER_BENCH_THREADS=str(threads))
    done = subprocess.run(
        command, check=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return json.loads(done.stdout)["benchmarks"][0]["bytes_per_second"]


def bytes_per_token(arguments):
    """What one stream reads of the weights for a token: all matrices, the embedding as head."""
    command = [arguments.espalier, "inspect", "model", "--json", "--model", arguments.model]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    model = json.loads(done.stdout)
    matrices = {t["name"]: t["bytes"] for t in model["tensors"] if len(t["shape"]) == 2}
    if not model["tied_head"]:
        matrices.pop("token_embd.weight")
    return sum(matrices.values())


def measure_ours(arguments, shape):
    ours = [arguments.espalier, "bench", "engine", "--json", "--model", arguments.model, *shape]
    result = last_json([*ours, "--prompt", str(arguments.prompt), "--batch", arguments.batch])
    if arguments.shared > 0:
        shared = ["--shared-prefix", str(arguments.shared), "--prompt", "1"]
        result["decode"] += last_json([*ours, *shared, "--batch", str(arguments.streams)])["decode"]
    return result


def print_table(arguments, seen):
    print(f"{machine_name()}; espalier {seen['espalier'][0].get('isa')}; {PEER}")
    print(f"{'tokens/s, median':25} {'espalier':>10} {'llama.cpp':>10} {'ratio':>7}")
    one = None
    for what in speeds_of(seen["llama.cpp"][0]):
        medians = [
            statistics.median(speeds_of(r).get(what, float("nan")) for r in results)
            for results in seen.values()
        ]
        one = medians[0] if what == "decode x1" else one
        print(f"{what:25} {medians[0]:10.1f} {medians[1]:10.1f} {medians[0] / medians[1]:7.2f}")
    bandwidth = read_bandwidth(arguments.bandwidth, arguments.threads)
    if one is None or bandwidth is None:
        return
    weight_bytes = bytes_per_token(arguments)
    roofline = bandwidth / weight_bytes
    print(f"roofline of one stream: {weight_bytes / 1e6:.1f} MB a token at", end=" ")
    print(f"{bandwidth / 1e9:.1f} GB/s = {roofline:.0f} tokens/s, reached {one / roofline:.0%}")


def main():
    arguments = parse_arguments()
    if arguments.as_peer:
        return measure_as_peer(arguments)
    python = peer_python(pathlib.Path(arguments.venv))
    if arguments.setup_only:
        return None
    busy = busy_cores()
    if busy > 0.1 and not arguments.busy:
        raise SystemExit(
            f"other processes use {busy:.1f} cores: llama.cpp's barrier would spin in vain and the "
            "ratios mean nothing; stop them, or say --busy"
        )
    shape = ["--threads", str(arguments.threads), "--output", str(arguments.output)]
    theirs = [str(python), __file__, "--as-peer", "--model", arguments.model, *shape]
    theirs += ["--prompt", str(arguments.prompt), "--batch", arguments.batch]
    theirs += ["--streams", str(arguments.streams), "--shared-prefix", str(arguments.shared)]
    seen = {"espalier": [], "llama.cpp": []}
    for _ in range(arguments.rounds):
        seen["espalier"].append(measure_ours(arguments, shape))
        seen["llama.cpp"].append(last_json(theirs))
    print_table(arguments, seen)
    return None


if __name__ == "__main__":
    main()
