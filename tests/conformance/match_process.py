"""`espalier inspect match` as a process that is asked question after question."""

import json
import os
import subprocess


class MatchProcess:
    def __init__(self, binary):
        self.command = [binary, "inspect", "match", "--jsonl", "-"]
        self.crashes = 0
        self._start()

    def _start(self):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ESPALIER_")}
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, env=kept,
                                        stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def ask(self, question):
        """The answer: {"status", "accepted", "error"?}; status "crash" if the process died."""
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        self.process.wait()
        self.crashes += 1
        code = self.process.returncode
        self._start()
        return {"status": "crash", "accepted": [], "error": {"message": f"exit code {code}"}}
