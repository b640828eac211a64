#!/usr/bin/env python3
"""Dequantization against the `gguf` package, bit for bit, on random blocks.

    cmake --build build --target dequantize_dump
    tests/conformance/dequantize.py --tool build/dequantize_dump --blocks 20000

Needs the packages numpy and gguf.
"""
import argparse
import subprocess
import sys

import gguf
import numpy
from gguf import quants

# Where a block's halves lie: their random bits must not be NaN or infinity.
HALVES = {"f16": [0], "bf16": [0], "q4_0": [0], "q4_1": [0, 2], "q5_0": [0], "q5_1": [0, 2],
          "q8_0": [0], "q4_k": [0, 2], "q5_k": [0, 2], "q6_k": [208]}


def random_blocks(rng, name, num_blocks, block_bytes):
    blocks = rng.integers(0, 256, (num_blocks, block_bytes), dtype=numpy.uint8)
    for at in HALVES[name]:
        halves = blocks[:, at : at + 2].copy().view(numpy.uint16)
        exponent = 0x7F80 if name == "bf16" else 0x7C00
        halves[(halves & exponent) == exponent] = 0x2345
        blocks[:, at : at + 2] = halves.view(numpy.uint8)
    return blocks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/dequantize_dump")
    parser.add_argument("--blocks", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = numpy.random.default_rng(arguments.seed)
    failures = 0
    for name in HALVES:
        kind = gguf.GGMLQuantizationType[name.upper()]
        _, block_bytes = gguf.GGML_QUANT_SIZES[kind]
        blocks = random_blocks(rng, name, arguments.blocks, block_bytes)
        expected = quants.dequantize(blocks.reshape(1, -1), kind).astype(numpy.float32).ravel()
        done = subprocess.run(
            [arguments.tool, name], input=blocks.tobytes(), stdout=subprocess.PIPE, check=True
        )
        actual = numpy.frombuffer(done.stdout, dtype=numpy.uint32)
        differ = int((actual != expected.view(numpy.uint32)).sum())
        failures += differ != 0
        print(f"{name:5} {arguments.blocks} blocks, {actual.size} values, {differ} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
