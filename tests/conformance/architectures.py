#!/usr/bin/env python3
"""Every architecture, RoPE variant and weight format against a model in NumPy float64.

    architectures.py check ESPALIER_BINARY     random GGUFs through `inspect logits`, exact and fast
    architectures.py fixtures DIR              writes the small cases with their log-probabilities

A case is a row of CASES. Its file is written with the `gguf` package, which also dequantizes the
weights for the oracle; the oracle keeps no cache, makes no batch and quantizes no activation.
Needs numpy and gguf from PyPI.
"""

import dataclasses
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import gguf
import numpy as np
from gguf.quants import dequantize, quantize

EXACT_TOLERANCE = 2e-4  # nats, of each listed log-probability
FAST_TOLERANCE = 0.25  # the same, activations in blocks of 8 bits and KV in f16
FAST_MEAN_KL = 0.001
POSITIONS = 40
Type = gguf.GGMLQuantizationType


@dataclasses.dataclass
class Case:
    name: str
    arch: str
    hidden: int = 32
    ffn: int = 64
    layers: int = 2
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 8  # where it is not hidden / heads, the file says so
    rotary_dim: int = 0  # 0: head_dim
    vocabulary: int = 48
    base: float = 10000.0
    tied: bool = True
    bias: bool = False
    types: tuple = ("F16",)  # of the matrices, in turn
    scaling: tuple = ()  # ("linear", factor) or ("yarn", factor, original context)
    factors: bool = False  # rope_freqs.weight
    fixture: bool = False

    @property
    def rotated(self):
        return self.rotary_dim or self.head_dim


CASES = [
    Case("llama_f16_untied", "llama", tied=False, fixture=True),
    Case("llama_f32", "llama", types=("F32",)),
    Case("llama_bf16", "llama", types=("BF16",)),
    Case("llama_bias", "llama", bias=True, types=("Q8_0",)),
    Case("llama_partial_rotary", "llama", rotary_dim=4, types=("F32",)),
    Case("llama_rope_factors", "llama", factors=True, types=("Q8_0", "Q4_1"), fixture=True),
    Case("llama_linear", "llama", scaling=("linear", 4.0), types=("Q8_0",)),
    Case("llama_yarn", "llama", scaling=("yarn", 4.0, 16), types=("Q8_0",), head_dim=16),
    Case("llama_32_blocks", "llama", types=("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0")),
    Case("llama_k_quants", "llama", hidden=256, ffn=512, layers=1, head_dim=64,
         types=("Q4_K", "Q5_K", "Q6_K")),
    Case("llama_one_kv_head", "llama", kv_heads=1, types=("F32",)),
    Case("llama_no_gqa", "llama", kv_heads=4, types=("F32",)),
    Case("qwen2", "qwen2", bias=True, base=1e6, types=("Q8_0", "F16"), fixture=True),
    Case("qwen2_yarn", "qwen2", bias=True, base=1e6, head_dim=16, scaling=("yarn", 4.0, 16)),
    Case("qwen3", "qwen3", head_dim=16, base=1e6, types=("Q8_0",), fixture=True),
    Case("qwen3_untied", "qwen3", head_dim=16, base=1e6, tied=False, types=("BF16", "Q5_1")),
]


def random_k_blocks(rng, rows, columns, kind):
    """Random bits with small finite scales: the gguf package cannot quantize to these formats."""
    block, size = gguf.GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (rows, columns // block, size), dtype=np.uint8)
    scale = np.frombuffer(np.float16([4e-5]).tobytes(), np.uint8)
    if kind == Type.Q6_K:
        data[..., 208:210] = scale
        data[..., 192:208] = rng.integers(0, 64, data[..., 192:208].shape, dtype=np.uint8)
    else:
        data[..., 0:2] = np.frombuffer(np.float16([2e-4]).tobytes(), np.uint8)
        data[..., 2:4] = np.frombuffer(np.float16([1.5e-3]).tobytes(), np.uint8)
    return data.reshape(rows, -1)


class Writer:
    """Writes a case's file and keeps what its tensors mean in float64."""

    def __init__(self, case, path, rng):
        self.case, self.rng, self.count = case, rng, 0
        self.file = gguf.GGUFWriter(path, case.arch)
        self.weights = {}

    def matrix(self, name, rows, columns):
        kind = Type[self.case.types[self.count % len(self.case.types)]]
        self.count += 1
        values = (self.rng.standard_normal((rows, columns)) / math.sqrt(columns)).astype(np.float32)
        if kind in (Type.Q4_K, Type.Q5_K, Type.Q6_K):
            raw = random_k_blocks(self.rng, rows, columns, kind)
        else:
            raw = values if kind == Type.F32 else quantize(values, kind)
        self.weights[name] = dequantize(raw, kind).astype(np.float64)
        self.file.add_tensor(name, raw, raw_dtype=kind)

    def vector(self, name, values):
        values = values.astype(np.float32)
        self.weights[name] = values.astype(np.float64)
        self.file.add_tensor(name, values)

    def norm(self, name, size):
        self.vector(name, 1 + 0.2 * self.rng.standard_normal(size))

    def write(self):
        self.metadata()
        c = self.case
        self.matrix("token_embd.weight", c.vocabulary, c.hidden)
        for i in range(c.layers):
            self.layer(f"blk.{i}.")
        self.norm("output_norm.weight", c.hidden)
        if not c.tied:
            self.matrix("output.weight", c.vocabulary, c.hidden)
        if c.factors:
            self.vector("rope_freqs.weight", 1 + 7 * self.rng.random(c.rotated // 2))
        self.file.write_header_to_file()
        self.file.write_kv_data_to_file()
        self.file.write_tensors_to_file()
        self.file.close()

    def metadata(self):
        c, f = self.case, self.file
        f.add_block_count(c.layers)
        f.add_context_length(512)
        f.add_embedding_length(c.hidden)
        f.add_feed_forward_length(c.ffn)
        f.add_head_count(c.heads)
        f.add_head_count_kv(c.kv_heads)
        f.add_layer_norm_rms_eps(1e-5)
        f.add_rope_freq_base(c.base)
        f.add_rope_dimension_count(c.rotated)
        if c.head_dim * c.heads != c.hidden:
            f.add_key_length(c.head_dim)
            f.add_value_length(c.head_dim)
        if c.scaling:
            f.add_rope_scaling_type(gguf.RopeScalingType(c.scaling[0]))
            f.add_rope_scaling_factor(c.scaling[1])
        if c.scaling[:1] == ("yarn",):
            f.add_rope_scaling_orig_ctx_len(c.scaling[2])

    def layer(self, p):
        c = self.case
        q, kv = c.heads * c.head_dim, c.kv_heads * c.head_dim
        self.norm(p + "attn_norm.weight", c.hidden)
        for name, rows in (("q", q), ("k", kv), ("v", kv)):
            self.matrix(f"{p}attn_{name}.weight", rows, c.hidden)
            if c.bias:
                self.vector(f"{p}attn_{name}.bias", 0.3 * self.rng.standard_normal(rows))
        if c.arch == "qwen3":
            self.norm(p + "attn_q_norm.weight", c.head_dim)
            self.norm(p + "attn_k_norm.weight", c.head_dim)
        self.matrix(p + "attn_output.weight", c.hidden, q)
        self.norm(p + "ffn_norm.weight", c.hidden)
        self.matrix(p + "ffn_gate.weight", c.ffn, c.hidden)
        self.matrix(p + "ffn_up.weight", c.ffn, c.hidden)
        self.matrix(p + "ffn_down.weight", c.hidden, c.ffn)


class Oracle:
    def __init__(self, case, weights):
        self.case, self.w = case, weights

    def logprobs(self, ids):
        c, w = self.case, self.w
        x = w["token_embd.weight"][ids]
        for i in range(c.layers):
            p = f"blk.{i}."
            x = x + self.attention(self.norm(x, w[p + "attn_norm.weight"]), p)
            h = self.norm(x, w[p + "ffn_norm.weight"])
            gate, up = h @ w[p + "ffn_gate.weight"].T, h @ w[p + "ffn_up.weight"].T
            x = x + (gate / (1 + np.exp(-gate)) * up) @ w[p + "ffn_down.weight"].T
        head = w["token_embd.weight"] if c.tied else w["output.weight"]
        logits = self.norm(x, w["output_norm.weight"]) @ head.T
        return logits - np.log(np.exp(logits).sum(-1, keepdims=True))

    def norm(self, x, weight):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-5)) * weight

    def attention(self, h, p):
        c = self.case
        q, k, v = (self.heads_of(h, p, name) for name in "qkv")
        q, k = self.rotate(q), self.rotate(k)
        out = np.empty_like(q)
        for head in range(c.heads):
            of = head // (c.heads // c.kv_heads)
            scores = q[:, head] @ k[:, of].T / math.sqrt(c.head_dim)
            scores[np.triu_indices(len(h), 1)] = -np.inf
            probs = np.exp(scores - scores.max(-1, keepdims=True))
            out[:, head] = probs / probs.sum(-1, keepdims=True) @ v[:, of]
        return out.reshape(len(h), -1) @ self.w[p + "attn_output.weight"].T

    def heads_of(self, h, p, name):
        x = h @ self.w[f"{p}attn_{name}.weight"].T + self.w.get(f"{p}attn_{name}.bias", 0.0)
        x = x.reshape(len(h), -1, self.case.head_dim)
        norm = self.w.get(f"{p}attn_{name}_norm.weight")
        return x if norm is None else self.norm(x, norm)

    def frequencies(self):
        c, d = self.case, self.case.rotated
        plain = np.float32(c.base).astype(float) ** (-np.arange(0, d, 2) / d)
        plain = plain / self.w.get("rope_freqs.weight", 1.0)
        if not c.scaling:
            return plain, 1.0
        if c.scaling[0] == "linear":
            return plain / c.scaling[1], 1.0
        _, factor, original = c.scaling
        pair = lambda turns: d * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(c.base))
        low, high = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), d - 1)
        ramp = np.clip((np.arange(d // 2) - low) / max(high - low, 0.001), 0, 1)
        return plain * (1 - ramp) + plain / factor * ramp, 0.1 * math.log(factor) + 1

    def rotate(self, x):
        d = self.case.rotated
        frequencies, magnitude = self.frequencies()
        angle = np.arange(len(x))[:, None, None] * frequencies
        turn = magnitude * np.exp(1j * angle)
        first, second = slice(0, d // 2), slice(d // 2, d)
        if self.case.arch == "llama":
            first, second = slice(0, d, 2), slice(1, d, 2)
        turned = (x[..., first] + 1j * x[..., second]) * turn
        out = x.copy()
        out[..., first], out[..., second] = turned.real, turned.imag
        return out


def build(case, path):
    """Writes the case's file; returns its token ids and the oracle's log-probabilities."""
    rng = np.random.default_rng(sum(case.name.encode()))
    writer = Writer(case, path, rng)
    writer.write()
    ids = rng.integers(0, case.vocabulary, POSITIONS)
    return ids.tolist(), Oracle(case, writer.weights).logprobs(ids)


def ask(binary, path, ids, *flags):
    line = json.dumps({"name": "case", "ids": ids}) + "\n"
    done = subprocess.run([binary, "inspect", "logits", "--model", path, "--jsonl", "-", *flags],
                          input=line, encoding="utf-8", stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["rows"]


def compare(rows, wanted):
    """The largest difference of a log-probability, and the mean KL divergence over the listed
    tokens and one bucket for the rest."""
    worst, divergence = 0.0, 0.0
    for row, want in zip(rows, wanted, strict=True):
        ours = np.array([logprob for _, logprob in row["top"]])
        theirs = want[[token for token, _ in row["top"]]]
        worst = max(worst, np.abs(ours - theirs).max())
        rest, our_rest = 1 - np.exp(theirs).sum(), 1 - np.exp(ours).sum()
        divergence += (np.exp(theirs) * (theirs - ours)).sum() + rest * math.log(rest / our_rest)
    return worst, divergence / len(rows)


def check(binary):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            path = f"{folder}/{case.name}.gguf"
            ids, wanted = build(case, path)
            exact, _ = compare(ask(binary, path, ids, "--exact"), wanted)
            fast, divergence = compare(ask(binary, path, ids), wanted)
            good = exact <= EXACT_TOLERANCE and fast <= FAST_TOLERANCE and divergence <= FAST_MEAN_KL
            failed += not good
            print(f"{'ok' if good else 'FAILED':6} {case.name:22} exact {exact:.1e}  "
                  f"fast {fast:.3f}  mean KL {divergence:.6f}")
    sys.exit(failed > 0)


def fixtures(folder):
    for case in CASES:
        if case.fixture:
            ids, wanted = build(case, f"{folder}/{case.name}.gguf")
            rows = [[round(float(x), 5) for x in row] for row in wanted]
            text = json.dumps({"ids": ids, "logprobs": rows}, separators=(",", ":"))
            pathlib.Path(folder, case.name + ".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    {"check": check, "fixtures": fixtures}[sys.argv[1]](sys.argv[2])
