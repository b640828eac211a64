"""`complete`: a constrained output ends whole inside its budget, whatever forces its tokens."""

import itertools
import json
import unittest

from binary import BinaryTest, espalier, json_lines

SCHEMAS = {
    "open members": {"type": "object", "properties": {"a": {"type": "integer"}}},
    "optional members": {"type": "object", "additionalProperties": False,
                         "properties": {n: {"type": "string"} for n in ("name", "city", "note")}},
    "nested": {"type": "object", "required": ["who", "tags"], "properties": {
        "who": {"type": "object", "required": ["age"], "properties": {"age": {"type": "integer"}}},
        "tags": {"type": "array", "items": {"enum": ["red", "green", "blue"]}}}},
    "different strings": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
    "literals": {"anyOf": [{"const": "a long literal that is forced"}, {"const": {"k": [1, 2]}}]},
}
BUDGETS = (45, 60, 90)


def fits(name, value):
    if name == "different strings":
        return isinstance(value, list) and len({*value}) == len(value)
    if name == "nested":
        return isinstance(value["who"]["age"], (int, float)) and {*value["tags"]} <= {
            "red", "green", "blue"}
    if name == "literals":
        return value in [option["const"] for option in SCHEMAS[name]["anyOf"]]
    return isinstance(value, dict)


class Complete(BinaryTest):
    def check(self, *flags):
        rows = [(name, {"prompt": "Go: ", "json_schema": schema, "complete": True, "seed": seed,
                        "max_new_tokens": budget, "json_whitespace": whitespace, "temperature": 1.5})
                for (name, schema), whitespace, budget, seed in itertools.product(
                    SCHEMAS.items(), ("fixed", "compact", "flexible"), BUDGETS, range(8))]
        text = "".join(json.dumps(row) + "\n" for _, row in rows)
        done = espalier("generate", "--model", "tiny", *flags, "--jsonl", "-", stdin=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        for (name, row), answer in zip(rows, json_lines(done.stdout), strict=True):
            with self.subTest(name=name, row=row, answer=answer):
                self.assertEqual(answer["finish_reason"], "stop")
                self.assertLessEqual(len(answer["ids"]), row["max_new_tokens"])
                self.assertTrue(fits(name, json.loads(answer["text"])))

    def test_with_tokens_that_are_forced(self):
        self.check()

    def test_without(self):
        self.check("--no-jump-forward")


if __name__ == "__main__":
    unittest.main()
