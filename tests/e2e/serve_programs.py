"""`espalier serve --program`: programs as endpoints, on real sockets."""

import json
import pathlib
import tempfile
import threading
import time
import unittest

from binary import BinaryTest, espalier
from serve import Server, ServeTest

TRIAGE = '''
"""Sorts tickets."""
import typing
from pydantic import BaseModel

class Options(BaseModel):
    urgent: bool
    tags: list[str] = []

loads = []

@sgl.function
def triage(s, ticket: str, size: int = 4, options: Options | None = None,
           area: typing.Literal["billing", "other"] = "other", anything=None):
    """Sorts one ticket."""
    loads.append(1)
    s += "Ticket: " + ticket + "\\nArea: "
    s += sgl.gen("area", regex="billing|shipping", max_tokens=10, temperature=0)
    forks = s.fork(2)
    forks += "\\nWhy: " + sgl.gen("why", max_tokens=size, temperature=0, ignore_eos=True)
    s["whys"] = [f["why"] for f in forks]
    return {"name": __name__, "loads": len(loads), "kind": type(options).__name__,
            "urgent": options.urgent if options else None}
'''

PLAIN = '''
import time

def main(what: str, seconds: float = 0, **more):
    if what == "raise":
        raise ValueError("no such thing")
    if what == "exit":
        import sys
        sys.exit("gone")
    if what == "loop":
        while True:
            pass
    if what == "memory":
        return "x" * (1 << 40)
    if what == "sleep":
        time.sleep(seconds)
        return "slept"
    if what == "long":
        s = run_long()
        return s.text()
    return [what, more]

@sgl.function
def long(s):
    s += "a" + sgl.gen("text", max_tokens=100000, ignore_eos=True)

def run_long():
    return long.run()
'''


class ProgramsTest(unittest.TestCase):
    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name, text in (("triage", TRIAGE), ("plain", PLAIN)):
            cls.write(name, text)
        programs = [flag for name in ("triage", "plain")
                    for flag in ("--program", str(pathlib.Path(cls.folder.name) / f"{name}.sgl"))]
        cls.server = Server(*programs, *cls.flags)

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, text):
        (pathlib.Path(cls.folder.name) / f"{name}.sgl").write_text(text)

    def call(self, name, **arguments):
        return self.server.post(f"/v1/programs/{name}", arguments)

    def done(self, name, **arguments):
        status, answer = self.call(name, **arguments)
        self.assertEqual(status, 200, answer)
        return answer

    def failed(self, status, name, **arguments):
        got, answer = self.call(name, **arguments)
        self.assertEqual(got, status, answer)
        return answer["error"]


class Programs(ProgramsTest):
    def test_the_list_says_what_each_takes(self):
        listed = json.loads(self.server.get("/v1/programs")[1])
        self.assertEqual(listed["object"], "list")
        programs = {program["id"]: program for program in listed["data"]}
        triage = programs["triage"]
        self.assertEqual(triage["description"], "Sorts one ticket.")
        arguments = {a["name"]: a for a in triage["arguments"]}
        self.assertEqual(list(arguments), ["ticket", "size", "options", "area", "anything"])
        self.assertEqual(arguments["ticket"],
                         {"name": "ticket", "schema": {"type": "string"}, "required": True})
        self.assertEqual(arguments["size"]["schema"], {"type": "integer"})
        self.assertEqual(arguments["size"]["default"], 4)
        self.assertEqual(arguments["area"]["schema"]["enum"], ["billing", "other"])
        self.assertEqual(arguments["options"]["schema"]["$defs"]["Options"]["required"],
                         ["urgent"])
        self.assertEqual(json.loads(self.server.get("/v1/programs/triage")[1]), triage)
        self.assertEqual(self.server.get("/v1/programs/none")[0], 404)

    def test_a_call_gives_what_the_program_gave(self):
        answer = self.done("triage", ticket="Charged twice", options={"urgent": True})
        self.assertEqual(answer["return"],
                         {"name": "triage", "loads": 1, "kind": "Options", "urgent": True})
        self.assertIn(answer["variables"]["area"], ("billing", "shipping"))
        self.assertEqual(len(answer["variables"]["whys"]), 2)
        self.assertTrue(answer["text"].startswith("Ticket: Charged twice\nArea: "))
        self.assertGreater(answer["usage"]["completion_tokens"], 0)
        self.assertEqual(self.done("triage", ticket="Charged twice")["return"]["loads"], 1)
        self.assertEqual(self.done("plain", what="x", y=[1], z=None)["return"],
                         ["x", {"y": [1], "z": None}])

    def test_a_stream_tells_states_and_text_and_ends_with_the_result(self):
        whole = self.done("triage", ticket="t")
        events = self.server.events("/v1/programs/triage", {"ticket": "t"})
        states = [(e["state"], e["parent"]) for e in events if e["type"] == "state"]
        self.assertEqual(states, [(0, None), (1, 0), (2, 0)])
        texts = {}
        for event in events:
            if event["type"] == "text":
                texts[event["state"]] = texts.get(event["state"], "") + event["text"]
        self.assertEqual(texts[0], whole["text"])
        self.assertEqual(texts[1], "\nWhy: " + whole["variables"]["whys"][0])
        self.assertTrue(any(e.get("variable") == "area" for e in events))
        result = events[-1]
        self.assertEqual(result.pop("type"), "result")
        whole.pop("usage"), result.pop("usage")
        self.assertEqual(result, whole)

    def test_wrong_arguments_are_named(self):
        for arguments, param in (({}, "ticket"), ({"ticket": 5}, "ticket"),
                                 ({"ticket": "a", "size": "many"}, "size"),
                                 ({"ticket": "a", "frob": 1}, "frob"),
                                 ({"ticket": "a", "area": "x"}, "area"),
                                 ({"ticket": "a", "options": {"urgent": "perhaps"}},
                                  "options.urgent"),
                                 ({"ticket": "a", "options": {"urgent": True, "tags": [1]}},
                                  "options.tags[0]")):
            for stream in (False, True):
                error = self.failed(400, "triage", **arguments, stream=stream)
                self.assertEqual(error["param"], param, error)
        self.assertEqual(self.failed(400, "triage", ticket="a", stream="x")["param"], "stream")
        self.failed(404, "none")
        for body in (b"[]", b"{", b"3", b'"x"'):
            answer, _ = self.server.ask("POST", "/v1/programs/triage", body)
            self.assertEqual(answer.status, 400)

    def test_what_a_program_raises_is_422_with_its_place(self):
        error = self.failed(422, "plain", what="raise")
        self.assertEqual(error["type"], "program_error")
        self.assertEqual(error["message"], "ValueError: no such thing")
        self.assertEqual(error["line"], 6)
        self.assertTrue(error["file"].endswith("plain.sgl"))
        self.assertEqual(self.failed(422, "plain", what="exit")["type"], "program_error")

    def test_many_runs_go_side_by_side(self):
        answers = []
        start = time.monotonic()
        threads = [threading.Thread(target=lambda: answers.append(
            self.done("plain", what="sleep", seconds=0.5))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([a["return"] for a in answers], ["slept"] * 20)
        self.assertLess(time.monotonic() - start, 20 * 0.5)

    def test_a_run_whose_client_goes_ends(self):
        import socket
        body = json.dumps({"what": "long", "stream": True}).encode()
        for wait in (True, False):
            client = socket.create_connection(("127.0.0.1", self.server.port))
            client.sendall(b"POST /v1/programs/plain HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
                           % len(body) + body)
            if wait:
                client.recv(10)
            client.close()
        self.assertTrue(self.server.settle())
        self.assertEqual(self.done("plain", what="x")["return"], ["x", {}])

    def test_a_run_is_aborted_by_its_request_s_id(self):
        statuses = []
        thread = threading.Thread(target=lambda: statuses.append(self.server.post(
            "/v1/programs/plain", {"what": "long"}, headers={"X-Request-Id": "my-run"})[0]))
        thread.start()
        num_aborted = 0
        while thread.is_alive() and num_aborted == 0:
            num_aborted = self.server.post("/abort_request", {"rid": "my-run"})[1]["num_aborted"]
        thread.join()
        self.assertEqual(statuses, [503])

    def test_a_file_is_loaded_again_and_a_broken_one_changes_nothing(self):
        new = TRIAGE.replace("Sorts one ticket.", "Sorts it.")
        self.write("triage", new)
        status, answer = self.server.post("/v1/programs/triage/reload", {})
        self.assertEqual((status, answer["description"]), (200, "Sorts it."), answer)
        for broken in ("def triage(s:\n", "def other(): pass\n", "1/0\ndef triage(): pass\n",
                       "def triage(x: Nope): pass\n"):
            self.write("triage", broken)
            status, answer = self.server.post("/v1/programs/triage/reload", {})
            self.assertEqual(status, 400, answer)
            self.assertTrue(answer["error"]["message"])
            self.assertEqual(self.done("triage", ticket="t")["return"]["loads"], 1)
        self.write("triage", TRIAGE)
        self.assertEqual(self.server.post("/v1/programs/triage/reload", {})[0], 200)
        self.assertEqual(self.server.post("/v1/programs/none/reload", {})[0], 404)

    def test_no_programs_are_taken(self):
        answer, _ = self.server.ask("PUT", "/v1/programs/mine", {"text": "def mine(): pass"})
        self.assertEqual(answer.status, 403)


class Limits(ProgramsTest):
    flags = ("--program-timeout", "1", "--program-max-tokens", "50", "--program-max-steps",
             "3000000", "--program-max-memory-mib", "64", "--program-max-runs", "2")

    def test_a_limit_ends_the_run_and_nothing_else(self):
        for what in ("loop", "memory", "long"):
            with self.subTest(what):
                status, answer = self.call("plain", what=what)
                if what == "long":  # cut where the limit is
                    self.assertEqual((status, answer["usage"]["completion_tokens"]),
                                     (200, 50), answer)
                elif what == "memory":
                    self.assertEqual(status, 422, answer)
                else:
                    self.assertEqual((status, answer["error"]["type"]), (422, "limit"), answer)
        self.assertEqual(self.failed(422, "plain", what="sleep", seconds=30)["type"], "limit")
        self.assertEqual(self.done("plain", what="x")["return"], ["x", {}])

    def test_runs_beyond_the_limit_are_told_to_come_back(self):
        statuses = []

        def ask():
            answer, _ = self.server.ask("POST", "/v1/programs/plain",
                                        {"what": "sleep", "seconds": 0.5})
            statuses.append((answer.status, answer.headers["Retry-After"]))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(statuses), {(200, None), (429, "1")})


class Watch(ProgramsTest):
    flags = ("--watch",)

    def description(self):
        return json.loads(self.server.get("/v1/programs/triage")[1])["description"]

    def test_a_file_that_changes_is_loaded_again(self):
        end = time.monotonic() + 30
        self.write("triage", TRIAGE.replace("Sorts one ticket.", "Sorts them."))
        while self.description() != "Sorts them." and time.monotonic() < end:
            pass
        self.assertEqual(self.description(), "Sorts them.")


class Upload(ServeTest):
    flags = ("--allow-program-upload", "--api-key", "k")
    key = {"Authorization": "Bearer k"}

    def ask(self, method, path, body=None):
        answer, text = self.server.ask(method, path, body, headers=self.key)
        return answer.status, json.loads(text)

    def test_a_program_is_put_run_replaced_and_removed(self):
        self.assertEqual(self.server.ask("PUT", "/v1/programs/f", {"text": ""})[0].status, 401)
        self.assertEqual(self.ask("PUT", "/v1/programs/f", {"text": "def f(x: int): return x + 1"})[0],
                         200)
        self.assertEqual(self.ask("POST", "/v1/programs/f", {"x": 4})[1]["return"], 5)
        self.assertEqual(self.ask("PUT", "/v1/programs/f", {"text": "def f(x"})[0], 400)
        self.assertEqual(self.ask("PUT", "/v1/programs/a%20b", {"text": ""})[0], 400)
        self.assertEqual(self.ask("PUT", "/v1/programs/f", {"text": 3})[0], 400)
        self.assertEqual(self.ask("POST", "/v1/programs/f", {"x": 4})[1]["return"], 5)
        for text in ("import os\ndef f(): return open('/etc/passwd').read()",
                     "import subprocess\ndef f(): return 1"):
            self.ask("PUT", "/v1/programs/g", {"text": text})
            self.assertNotEqual(self.ask("POST", "/v1/programs/g", {})[0], 200)
        self.assertEqual(self.ask("DELETE", "/v1/programs/f")[0], 200)
        self.assertEqual(self.ask("POST", "/v1/programs/f", {"x": 4})[0], 404)


class CommandLine(BinaryTest):
    def test_what_cannot_be_served_is_said_before_anything_is(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.sgl"
            for text, part in (("def p(", "SyntaxError"), ("x = 1\n", "nothing to serve"),
                               ("async def p(): pass\n", "async"),
                               ("raise ValueError('top')\ndef p(): pass\n", "top")):
                path.write_text(text)
                done = espalier("serve", "--model", "tiny", "--port", "0", "--program", str(path))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(part.encode(), done.stderr)
            missing = espalier("serve", "--model", "tiny", "--port", "0", "--program",
                               str(path) + "x")
            self.assertEqual(missing.returncode, 2)
            done = espalier("serve", "--model", "tiny", "--port", "0", "--allow-program-upload")
            self.assert_refused(done, "--api-key")


if __name__ == "__main__":
    unittest.main()
