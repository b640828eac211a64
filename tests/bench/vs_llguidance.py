#!/usr/bin/env python3
"""Espalier and other grammar engines on one sample of schemas, in one run; prints ratios.

    tests/bench/vs_llguidance.py --tokenizer qwen3/tokenizer.json maskbench-dev

For every file {schema, tests: [{valid, data}]} each engine compiles the schema, makes the
first mask, and walks every instance token by token with one mask a token. Times are CPU
time of the one thread that works: of compiling, of compiling with the first mask (nothing
of this schema was seen before), and of each mask with the acceptance of its token. Verdicts
are counted as `espalier bench masks` counts them: a valid instance must be accepted to its
end, where the output may end; an invalid one must be stopped somewhere.

A peer runs in a process of its own. A file that takes it longer than --file-limit seconds, or
ends the process, counts as a limit hit, or a crash, and the next file begins a new process.

Peers: llguidance (pip install llguidance tokenizers numpy), whose counts on a known sample
also show that this runner is right (--expect-passed); xgrammar where torch is installed.
Exit 1: a count is not what --expect-passed says, or a peer's mask and verdict disagree.
"""

import argparse
import importlib.util
import json
import math
import multiprocessing
import pathlib
import subprocess
import sys
import time

import numpy
import tokenizers


class Refused(Exception):
    """The engine does not compile this schema."""


# ---- the peers: compile(text) gives a grammar; grammar.matcher() a cursor at its start


class LlGuidanceMatcher:
    def __init__(self, matcher, mask):
        size = mask.size * mask.itemsize
        pointer = mask.ctypes.data
        compute = matcher.unsafe_compute_mask_ptr
        self.fill = lambda: compute(pointer, size)
        self.accept = matcher.consume_token
        self.may_end = matcher.is_accepting


class LlGuidance:
    name = "llguidance"

    def __init__(self, tokenizer_path, mask, end_token):
        import llguidance

        self.api = llguidance.LLMatcher
        self.tokenizer = llguidance.LLTokenizer(
            tokenizer_path, eos_token=end_token, slices=llguidance.LLTokenizer.json_slices())
        self.mask = mask
        self.version = llguidance.__version__

    def compile(self, text):
        try:
            matcher = self.api(self.tokenizer, self.api.grammar_from_json_schema(text), log_level=0)
        except ValueError as error:
            raise Refused(str(error)) from error
        if matcher.is_error():
            raise Refused(matcher.get_error())
        return matcher

    def matcher(self, grammar):
        return LlGuidanceMatcher(grammar.deep_copy(), self.mask)


class XGrammarMatcher:
    def __init__(self, matcher, mask):
        self.fill = lambda: matcher.fill_next_token_bitmask(mask)
        self.accept = matcher.accept_token
        self.matcher = matcher
        self.mask = mask

    def may_end(self):
        return self.matcher.is_completed()


class XGrammar:
    name = "xgrammar"

    def __init__(self, tokenizer_path, mask, end_token):
        import torch
        import xgrammar

        tokenizer = tokenizers.Tokenizer.from_file(tokenizer_path)
        ids = tokenizer.get_vocab(with_added_tokens=True)
        vocabulary = sorted(ids, key=ids.get)
        self.api = xgrammar
        self.info = xgrammar.TokenizerInfo(
            vocabulary, vocab_type=xgrammar.VocabType.BYTE_LEVEL, vocab_size=len(vocabulary),
            stop_token_ids=[end_token])
        self.mask = torch.from_numpy(mask)
        self.version = importlib.import_module("importlib.metadata").version("xgrammar")

    def compile(self, text):
        # A new compiler each time: nothing cached, and one thread.
        compiler = self.api.GrammarCompiler(self.info, max_threads=1, cache_enabled=False)
        try:
            return compiler.compile_json_schema(text, strict_mode=False)
        except (RuntimeError, ValueError) as error:
            raise Refused(str(error)) from error

    def matcher(self, grammar):
        return XGrammarMatcher(self.api.GrammarMatcher(grammar), self.mask)


def available_peers():
    """Their classes, and a line on stderr for each that is not installed."""
    peers = []
    for peer, needs in ((LlGuidance, ("llguidance",)), (XGrammar, ("torch", "xgrammar"))):
        missing = [name for name in needs if importlib.util.find_spec(name) is None]
        if missing:
            print(f"skipped: {peer.name} needs {' and '.join(missing)}", file=sys.stderr)
        else:
            peers.append(peer)
    return peers


# ---- measuring one peer


class Measurement:
    def __init__(self):
        self.counts = dict.fromkeys(
            ("files", "compiled", "passed", "refused", "false_positives", "false_negatives",
             "limit_hits", "crashes"), 0)
        self.times_us = {"compile_us": [], "first_mask_us": [], "mask_us": []}
        self.mismatches = 0  # the mask said one thing, and acceptance another
        self.refusals = {}

    def add(self, other):
        for key, count in other.counts.items():
            self.counts[key] += count
        for key, times in other.times_us.items():
            self.times_us[key] += times
        self.mismatches += other.mismatches
        self.refusals |= other.refusals

    def add_lost(self, reason):
        """A file of which nothing is known but why."""
        self.counts["files"] += 1
        self.counts[reason] += 1

    def report(self):
        return {**self.counts, "num_tokens": len(self.times_us["mask_us"]),
                **{key: percentiles(values) for key, values in self.times_us.items()}}


def percentiles(values):
    """The p-th: the smallest value that at least p percent of the values do not exceed."""
    values = sorted(values)
    if not values:
        return dict.fromkeys(("p50", "p90", "p99", "max"), 0.0)
    at = {f"p{p}": values[max(0, math.ceil(p / 100 * len(values)) - 1)] for p in (50, 90, 99)}
    return {**at, "max": values[-1]}


def walk(matcher, mask, tokens, measurement):
    """Whether all tokens were accepted."""
    now, fill, accept = time.thread_time_ns, matcher.fill, matcher.accept
    for token in tokens:
        begin = now()
        fill()
        accepted = accept(token)
        end = now()
        measurement.times_us["mask_us"].append((end - begin) / 1000)
        allowed = bool((int(mask[0, token >> 5]) >> (token & 31)) & 1)
        measurement.mismatches += allowed != accepted
        if not accepted:
            return False
    return True


def measure_file(peer, mask, file, measurement):
    measurement.counts["files"] += 1
    begin = time.thread_time_ns()
    try:
        grammar = peer.compile(file["schema"])
    except Refused as refused:
        measurement.counts["refused"] += 1
        measurement.refusals[file["name"]] = str(refused)
        return
    compiled = time.thread_time_ns()
    matcher = peer.matcher(grammar)
    matcher.fill()
    first_mask = time.thread_time_ns()
    measurement.times_us["compile_us"].append((compiled - begin) / 1000)
    measurement.times_us["first_mask_us"].append((first_mask - begin) / 1000)
    measurement.counts["compiled"] += 1
    wrong = {"false_positives": 0, "false_negatives": 0}
    for valid, tokens in file["instances"]:
        matcher = peer.matcher(grammar)
        accepted = walk(matcher, mask, tokens, measurement) and matcher.may_end()
        if accepted != valid:
            wrong["false_negatives" if valid else "false_positives"] += 1
    for key, count in wrong.items():
        measurement.counts[key] += count
    measurement.counts["passed"] += not any(wrong.values())


def read_sample(folders, tokenizer):
    files = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.json")):
            content = json.loads(path.read_text(encoding="utf-8"))
            instances = [
                (test["valid"],
                 tokenizer.encode(json.dumps(test["data"], ensure_ascii=False),
                                  add_special_tokens=False).ids)
                for test in content.get("tests", [])
            ]
            files.append({"name": path.stem, "instances": instances,
                          "schema": json.dumps(content["schema"], ensure_ascii=False)})
    return files


def serve_files(peer_class, arguments, files, answers):
    """The work of a peer's process: what is measured of each file, in order."""
    tokenizer = tokenizers.Tokenizer.from_file(arguments.tokenizer)
    vocab_size = tokenizer.get_vocab_size(with_added_tokens=True)
    mask = numpy.zeros((1, (vocab_size + 31) // 32), dtype=numpy.int32)
    end_token = tokenizer.token_to_id(arguments.end_token)
    peer = peer_class(arguments.tokenizer, mask, end_token)
    answers.send(peer.version)
    for file in files:
        measurement = Measurement()
        measure_file(peer, mask, file, measurement)
        answers.send(measurement)


class PeerProcess:
    START_LIMIT_S = 300

    def __init__(self, peer_class, arguments, files):
        context = multiprocessing.get_context("spawn")
        self.answers, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=serve_files,
                                       args=(peer_class, arguments, files, theirs), daemon=True)
        self.process.start()
        theirs.close()
        try:
            self.version = self.answer(self.START_LIMIT_S)
        except EOFError:
            self.version = None
        if self.version is None:
            self.stop()
            sys.exit(f"{peer_class.name} does not start")

    def answer(self, limit_s):
        """The next one; None: not within the limit. EOFError: the process has ended."""
        return self.answers.recv() if self.answers.poll(limit_s) else None

    def stop(self):
        self.process.kill()
        self.process.join()
        self.answers.close()


def measure_peer(peer_class, arguments, files):
    measurement = Measurement()
    process = None
    version = "?"
    for i, file in enumerate(files):
        if sys.stderr.isatty():
            print(f"\r{peer_class.name}: {i + 1} of {len(files)} files", end="", file=sys.stderr)
        if process is None:
            process = PeerProcess(peer_class, arguments, files[i:])
            version = process.version
        try:
            answer = process.answer(arguments.file_limit)
            reason = "limit_hits"
        except EOFError:
            answer, reason = None, "crashes"
        if answer is not None:
            measurement.add(answer)
            continue
        print(f"{peer_class.name}: {reason} {file['name']}", file=sys.stderr)
        measurement.add_lost(reason)
        process.stop()
        process = None
    if process is not None:
        process.stop()
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    return f"{peer_class.name} {version}", measurement


# ---- our side, and both together


def measure_espalier(arguments):
    command = [arguments.espalier, "bench", "masks", *arguments.folders, "--json",
               "--tokenizer", arguments.tokenizer]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}")
    return json.loads(done.stdout)


def machine_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown machine"


def ratio(theirs, ours):
    return f"{theirs / ours:9.2f}" if ours else "        -"


def print_comparison(reports):
    """The first is ours; a ratio above 1 says how many times as fast we are."""
    names = list(reports)
    ours = reports[names[0]]
    print(f"{'':20}" + "".join(f"{name:>20}{'' if i == 0 else '    ratio':>9}"
                               for i, name in enumerate(names)))
    for key in ("files", "compiled", "passed", "refused", "false_positives", "false_negatives",
                "limit_hits", "crashes", "num_tokens"):
        print(f"{key:20}" + "".join(f"{reports[name][key]:20}{'':9}" for name in names))
    for key in ("compile_us", "first_mask_us", "mask_us"):
        for p in ("p50", "p90", "p99", "max"):
            row = f"{key + ' ' + p:20}{ours[key][p]:20.1f}{'':9}"
            for name in names[1:]:
                value = reports[name][key][p]
                row += f"{value:20.1f}" + ratio(value, ours[key][p])
            print(row)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="folders of MaskBench files")
    parser.add_argument("--tokenizer", required=True, help="a tokenizer.json")
    parser.add_argument("--end-token", default="<|endoftext|>")
    parser.add_argument("--espalier", default="build/espalier")
    parser.add_argument("--peers-only", action="store_true", help="do not run Espalier")
    parser.add_argument("--expect-passed", type=int,
                        help="files that llguidance must pass, without false positives")
    parser.add_argument("--file-limit", type=float, default=60, metavar="SECONDS",
                        help="wall time that a peer may take for one file")
    parser.add_argument("--json", metavar="OUT", help="also write all figures here")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    tokenizer = tokenizers.Tokenizer.from_file(arguments.tokenizer)
    if tokenizer.token_to_id(arguments.end_token) is None:
        sys.exit(f"--end-token {arguments.end_token}: the tokenizer has no such token")
    files = read_sample(arguments.folders, tokenizer)
    reports = {} if arguments.peers_only else {"espalier": measure_espalier(arguments)}
    wrong = []
    for peer_class in available_peers():
        name, measurement = measure_peer(peer_class, arguments, files)
        report = reports[name] = measurement.report()
        if measurement.mismatches:
            print(f"{name}: {measurement.mismatches} masks differ from the verdict on their token")
        verdict = (report["passed"], report["false_positives"])
        if peer_class is LlGuidance and arguments.expect_passed is not None:
            if verdict != (arguments.expect_passed, 0):
                wrong.append(f"{name}: passed, false positives are {verdict}, "
                             f"not {(arguments.expect_passed, 0)}")
    print(f"{machine_name()}; one thread, thread CPU time; {arguments.tokenizer}")
    print_comparison(reports)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(
            json.dumps({"machine": machine_name(), "engines": reports}, indent=1) + "\n",
            encoding="utf-8")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
