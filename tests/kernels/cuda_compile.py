#!/usr/bin/env python3
"""Compiles the CUDA kernels with nvcc for each architecture we name, and reads what ptxas says.

    cuda_compile.py NVCC

Fails on any warning, any spill and more shared memory than a kernel has without asking.
Exit 77: there is no nvcc.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHITECTURES = ("80", "90")
SHARED_BYTES = 48 * 1024


def command(nvcc, source, output):
    targets = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in ARCHITECTURES]
    last = ARCHITECTURES[-1]
    return [nvcc, "-std=c++20", f"-I{ROOT}", *targets,
            f"-gencode=arch=compute_{last},code=compute_{last}",
            "--expt-relaxed-constexpr", "-fmad=false", "-Werror", "all-warnings",
            "-Xptxas", "-v", "-c", str(source), "-o", str(output)]


def faults_of(text):
    """What ptxas' report holds against the kernels."""
    faults = []
    for size in re.findall(r"(\d+) bytes spill (?:stores|loads)", text):
        if int(size) > 0:
            faults.append(f"{size} bytes spilled")
    for size in re.findall(r"(\d+) bytes smem", text):
        if int(size) > SHARED_BYTES:
            faults.append(f"{size} bytes of shared memory")
    return faults


def main():
    nvcc = sys.argv[1] if len(sys.argv) > 1 else shutil.which("nvcc")
    if not nvcc or not pathlib.Path(nvcc).exists():
        print("no nvcc: skipped")
        return 77
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted((ROOT / "kernels/cuda").glob("*.cu")):
            done = subprocess.run(command(nvcc, source, pathlib.Path(folder) / "kernel.o"),
                                  capture_output=True, text=True, check=False)
            report = done.stdout + done.stderr
            faults = faults_of(report) if done.returncode == 0 else [report]
            registers = [int(n) for n in re.findall(r"Used (\d+) registers", report)]
            most = f"at most {max(registers)} registers" if registers else "no kernel"
            print(f"{source.name}: {'; '.join(faults) or 'ok'}, {most}", flush=True)
            failed = failed or bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
