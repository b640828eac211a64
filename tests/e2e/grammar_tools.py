"""inspect match, inspect schema, bench masks and bench schemas on small files."""

import json
import pathlib
import tempfile
import unittest

from binary import BinaryTest, espalier, json_lines

PERSON = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}},
          "required": ["age"]}


def case(tests, schema=None):
    return {"description": "a person", "schema": PERSON if schema is None else schema,
            "tests": [{"description": f"test {i}", "data": data, "valid": valid}
                      for i, (data, valid) in enumerate(tests)]}


class Folder(BinaryTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)


class InspectMatch(BinaryTest):
    def ask(self, *lines, code=0):
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n"
                       for line in lines)
        done = espalier("inspect", "match", "--jsonl", "-", stdin=text)
        self.assertEqual(done.returncode, code, done.stderr)
        return json_lines(done.stdout)

    def test_each_kind_of_constraint(self):
        answers = self.ask({"schema": PERSON, "instances": ['{"age": 3}', '{"age": -3}', "{"]},
                           {"regex": "a+", "instances": ["aa", ""]},
                           {"ebnf": 'root ::= "x" root | "y"', "instances": ["xxy", "xx"]},
                           {"choices": ["one", "two"], "instances": ["two", "three"]})
        self.assertEqual([a["accepted"] for a in answers],
                         [[True, False, False], [True, False], [True, False], [True, False]])
        self.assertEqual({a["status"] for a in answers}, {"ok"})

    def test_special_tokens_are_what_grammars_name(self):
        call = ('start: TEXT | <|python_tag|> call\ncall: %json {"type": "integer"}\n'
                "TEXT: /[a-z|]+/")
        token = {"type": "structural_tag", "format": {"type": "token", "token": "<|python_tag|>"}}
        names = ["<|python_tag|>"]
        answers = self.ask(
            {"ebnf": call, "special_tokens": names,
             "instances": ["<|python_tag|>12", "ab", "<|python_tag|>", "12"]},
            {"ebnf": 'root ::= "<" "|python_tag|>"', "special_tokens": names, "instances": names},
            {"structural_tag": token, "special_tokens": names, "instances": names + ["x"]})
        self.assertEqual([a["accepted"] for a in answers],
                         [[True, True, False, False], [False], [True, False]])
        refused = self.ask({"ebnf": "root ::= <|python_tag|>", "instances": names}, code=1)[0]
        self.assertIn("no token of this vocabulary", refused["error"]["message"])

    def test_structural_tags_in_both_shapes(self):
        call = {"begin": "<call>", "schema": {"type": "integer"}, "end": "</call>"}
        tag = {"begin": "<call>", "end": "</call>",
               "content": {"type": "json_schema", "json_schema": {"type": "integer"}}}
        shapes = [{"structures": [call], "triggers": ["<call"]},
                  {"type": "structural_tag", "structures": [call], "triggers": ["<call"]},
                  {"type": "structural_tag", "format": {"type": "triggered_tags",
                                                        "triggers": ["<call"], "tags": [tag]}}]
        texts = ["just text", "say <call>12</call> done", "<call>x</call>", "<call>1", "<call"]
        expected = [True, True, False, False, False]
        for shape in shapes:
            for spelled in (shape, json.dumps(shape)):
                answer = self.ask({"structural_tag": spelled, "instances": texts})[0]
                self.assertEqual(answer["accepted"], expected, shape)
        must = {**shapes[0], "at_least_one": True}
        answer = self.ask({"structural_tag": must, "instances": texts})[0]
        self.assertEqual(answer["accepted"], [False] + expected[1:])

    def test_what_structural_tags_do_not_support_is_named(self):
        for wrong, part in (({"type": "structural_tag", "format": {"type": "exclude_token"}}, "exclude_token"),
                            ({"structures": [], "triggers": ["<"], "style": "x"}, "style"),
                            ({"structures": [{"begin": "a", "schema": {}, "end": ""}],
                              "triggers": ["b"]}, "trigger"), ({"format": {}}, "type")):
            answer = self.ask({"structural_tag": wrong, "instances": ["a"]}, code=1)[0]
            self.assertEqual(answer["status"], "refused")
            self.assertIn(part, answer["error"]["message"])

    def test_an_unknown_member_is_named_with_what_was_meant(self):
        answers = self.ask({"shema": {}, "instances": []}, code=1)
        self.assertIn("line 1: unknown member 'shema'; did you mean 'schema'?",
                      answers[0]["error"]["message"])

    def test_numbers_of_a_schema_keep_their_digits(self):
        number = "123456789012345678901234567890.25"
        line = f'{{"schema": {{"const": {number}}}, "instances": ["{number}", "1.2345678901234568e29"]}}'
        self.assertEqual(self.ask(line)[0]["accepted"], [True, False])

    def test_members_come_in_any_order_and_with_whitespace(self):
        both = {"properties": {"a": {}, "b": {}}, "required": ["a", "b"], "type": "object"}
        answer = self.ask({"schema": both, "instances": ['{"b":1,"a":2}', '{ "a" :\n  1 , "b": 2}']})
        self.assertEqual(answer[0]["accepted"], [True, True])

    def test_a_wrong_line_is_an_error_and_the_next_is_answered(self):
        answers = self.ask('{"schema": 7', {"instances": []}, {"regex": "a", "instances": [1]},
                           {"regex": "a", "ebnf": "b", "instances": []},
                           {"choices": ["x"], "instances": ["x"]}, code=1)
        self.assertEqual([a.get("error", {}).get("code") for a in answers],
                         ["invalid_argument"] * 4 + [None])

    def test_what_is_refused_says_so(self):
        (answer,) = self.ask({"regex": r"(a)\1", "instances": ["aa"]}, code=1)
        self.assertEqual((answer["status"], answer["accepted"]), ("refused", []))


class InspectSchema(Folder):
    def test_a_schema_that_is_enforced(self):
        file = self.write("person.json", PERSON)
        report = json.loads(self.assert_done(espalier("inspect", "schema", file, "--json")))
        self.assertEqual((report["file"], report["status"], report["refused"]), (file, "ok", []))
        self.assertIn({"pointer": "/properties/age/minimum", "keyword": "minimum"},
                      report["enforced"])

    def test_all_problems_are_listed_at_once_and_make_exit_code_2(self):
        file = self.write("wrong.json", {"properties": {"a": {"minimum": "x"}, "b": {"type": 3}},
                                         "$ref": "#/nowhere"})
        done = espalier("inspect", "schema", file, "--json")
        self.assertEqual(done.returncode, 2)
        report = json.loads(done.stdout)
        self.assertEqual(report["status"], "refused")
        self.assertEqual({p["pointer"] for p in report["refused"]},
                         {"/properties/a/minimum", "/properties/b/type", "/$ref"})

    def test_an_unknown_format_is_listed(self):
        file = self.write("format.json", {"properties": {"a": {"format": "colour"}}})
        report = json.loads(self.assert_done(espalier("inspect", "schema", file, "--json")))
        self.assertEqual(report["not_asserted"], ["/properties/a/format"])

    def test_which_formats_are_asserted_is_asked_for(self):
        file = self.write("format.json", {"properties": {"a": {"format": "colour"},
                                                         "b": {"format": "date"}}})
        report = json.loads(self.assert_done(
            espalier("inspect", "schema", file, "--json", "--json-formats", "none")))
        self.assertEqual(sorted(report["not_asserted"]),
                         ["/properties/a/format", "/properties/b/format"])
        done = espalier("inspect", "schema", file, "--json", "--json-formats", "all")
        self.assertEqual((done.returncode, json.loads(done.stdout)["refused"][0]["pointer"]),
                         (2, "/properties/a/format"))

    def test_several_files_and_a_table(self):
        files = [self.write("a.json", {"type": "integer"}), self.write("b.json", {"minimum": 1})]
        text = self.assert_done(espalier("inspect", "schema", *files)).decode()
        for part in (*files, "/type", "/minimum"):
            self.assertIn(part, text)

    def test_a_file_that_is_not_there(self):
        self.assert_refused(espalier("inspect", "schema", "nowhere.json"), "nowhere.json")


class BenchMasks(Folder):
    def test_verdicts_are_counted_and_written_a_line_a_file(self):
        self.write("in/good.json", case([({"age": 1}, True), ({"age": "x"}, False), ({}, False)]))
        self.write("in/mislabelled.json", case([({"age": 1}, False), ({"age": -1}, True)]))
        self.write("in/refused.json", case([({}, True)], schema={"$ref": "#/nowhere"}))
        out = self.root / "out.jsonl"
        done = espalier("bench", "masks", str(self.root / "in"), "--tokenizer", "tiny", "--json",
                        "--jsonl", str(out))
        report = json.loads(self.assert_done(done))
        expected = {"files": 3, "compiled": 2, "passed": 1, "refused": 1, "false_positives": 1,
                    "false_negatives": 1, "limit_hits": 0, "crashes": 0, "mask_mismatches": 0}
        self.assertEqual({key: report[key] for key in expected}, expected)
        forced = report["forced"]  # of {"age": 1}, byte by byte: all up to the number
        self.assertEqual((forced["num_tokens"], forced["forced_tokens"]), (10, 8))
        self.assertAlmostEqual(forced["share"], 0.8)
        for times in (report, report["schema_order"]):
            for key in ("compile_us", "first_mask_us", "mask_us"):
                self.assertLessEqual(0, times[key]["p50"])
                self.assertLessEqual(times[key]["p50"], times[key]["max"])
        rows = json_lines(out.read_bytes())
        self.assertEqual([row["status"] for row in rows], ["passed", "wrong", "refused"])
        self.assertIn("nowhere", rows[2]["reason"])

    def test_a_tokenizer_json_stands_for_a_model(self):
        printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
        others = [byte for byte in range(256) if byte not in printable]
        letters = {byte: chr(byte) for byte in printable}
        letters.update({byte: chr(256 + i) for i, byte in enumerate(others)})
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
        path = self.write("tokenizer.json", {
            "pre_tokenizer": byte_level, "decoder": byte_level, "added_tokens": [],
            "model": {"type": "BPE", "merges": [],
                      "vocab": {letters[byte]: byte for byte in range(256)}}})
        done = espalier("inspect", "tokens", "--tokenizer", path, "--json", "a \u00e9")
        self.assertEqual(json.loads(self.assert_done(done)),
                         {"ids": [97, 32, 195, 169], "decoded": "a \u00e9"})
        self.write("in/good.json", case([({"age": 1}, True)]))
        done = espalier("bench", "masks", str(self.root / "in"), "--tokenizer", path, "--json")
        self.assertEqual(json.loads(self.assert_done(done))["passed"], 1)
        self.assert_refused(espalier("inspect", "tokens", "--tokenizer", "no.json", "a"), "no.json")

    def test_a_folder_without_files(self):
        self.assert_refused(espalier("bench", "masks", str(self.root), "--tokenizer", "tiny"),
                            str(self.root))


class BenchSchemas(Folder):
    def test_parts_formats_remotes_and_the_draft(self):
        self.write("remotes/number.json", {"type": "integer"})
        date = [("2024-02-29", True), ("2023-02-29", True)]
        tests = {"age.json": [case([({"age": 1}, True), ({"age": 1.5}, False), ({}, False)])],
                 "remote.json": [case([(1, True), ("x", False)],
                                      {"$ref": "http://localhost:1234/number.json"})],
                 "format.json": [case(date, {"format": "date"})],
                 "never.json": [case([(1, False)], {"not": {}})],
                 "draft.json": [case([(3, False), (4, True)],
                                     {"minimum": 3, "exclusiveMinimum": True})],
                 "optional/format/date.json": [case([date[0], ("2023-02-29", False)],
                                                    {"format": "date"})],
                 "optional/wrong.json": [case([(1, True), (1, False)], {"type": "integer"})]}
        for name, content in tests.items():
            self.write(f"tests/draft4/{name}", content)
        done = espalier("bench", "schemas", str(self.root), "--draft", "4", "--json")
        report = json.loads(self.assert_done(done))
        self.assertEqual((report["draft"], report["tests"], report["right"]), ("4", 10, 10))
        self.assertEqual(report["optional_format"]["right"], 2)
        self.assertEqual((report["optional"]["right"], report["optional"]["false_positives"]),
                         (1, 1))

    def test_a_folder_that_is_no_suite(self):
        self.assert_refused(espalier("bench", "schemas", str(self.root)), "draft2020-12")


if __name__ == "__main__":
    unittest.main()
