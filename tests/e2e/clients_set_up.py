"""Installs the clients of clients.py under the build folder, once, and runs it with each
version of SGLang's frontend. Exit 77 ("skipped"): PyPI cannot be reached."""

import os
import pathlib
import subprocess
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["openai", "prometheus_client", "requests", "numpy", "tqdm", "pybase64", "aiohttp",
            "ipython", "psutil", "orjson", "pillow", "pydantic", "pyzmq", "fastapi", "uvicorn", "sglang-router==0.3.2",
            "schemathesis"]
FRONTENDS = ["0.4.9", "0.5.5"]
SKIPPED = 77


def install(python, *arguments):
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--retries", "2",
                           "--disable-pip-version-check", *arguments],
                          capture_output=True, text=True)
    if done.returncode != 0:
        print("skipped: the clients cannot be installed from PyPI:", done.stderr.strip()[-300:])
        sys.exit(SKIPPED)


def set_up(folder):
    """The interpreter that has the packages."""
    python = folder / "bin" / "python"
    ready = folder / f"ready-{zlib.crc32(repr((PACKAGES, FRONTENDS)).encode()):08x}"
    if not ready.exists():
        made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, text=True)
        if made.returncode != 0:
            print("skipped: python3 has no venv:", made.stdout.strip()[-200:])
            sys.exit(SKIPPED)
        install(python, *PACKAGES)
        for version in FRONTENDS:
            install(python, "--no-deps", "--target", folder / f"sglang-{version}",
                    f"sglang=={version}")
        ready.touch()
    return python


def main():
    folder = pathlib.Path(os.environ["ESPALIER_BUILD"]) / "clients"
    python = set_up(folder)
    code = 0
    for version in FRONTENDS:
        print("sglang", version, flush=True)
        done = subprocess.run([python, HERE / "clients.py"],
                              env={**os.environ, "PYTHONPATH": str(folder / f"sglang-{version}")})
        code = code or done.returncode
    return code


if __name__ == "__main__":
    sys.exit(main())
