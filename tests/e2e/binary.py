"""Runs the real binary as a process, for the end-to-end tests."""

import json
import os
import subprocess
import unittest

BINARY = os.environ.get("ESPALIER_BINARY", "build/espalier")
TIMEOUT_S = 120


def environment(extra=None):
    """The caller's environment without flags given through it."""
    kept = ("ESPALIER_CACHE", "ESPALIER_SHARED", "ESPALIER_REQUIRE_MODEL", "ESPALIER_BINARY")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ESPALIER_") or k in kept}
    return {**clean, **(extra or {})}


def espalier(*arguments, stdin=b"", env=None):
    """Runs it to its end. stdout and stderr are bytes."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([BINARY, *arguments], input=stdin, capture_output=True,
                          env=environment(env), timeout=TIMEOUT_S)


def json_lines(data):
    return [json.loads(line) for line in data.decode().splitlines()]


class BinaryTest(unittest.TestCase):
    def assert_refused(self, done, *parts, code=2):
        """Exit `code`, nothing on stdout, one error line that holds all of `parts`."""
        errors = [line for line in done.stderr.decode("utf-8", "replace").splitlines()
                  if line.startswith("espalier: error: ")]
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(len(errors), 1, done.stderr)
        for part in parts:
            self.assertIn(part, errors[0])

    def assert_done(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout
