"""What users of other engines reported, asked of `inspect match`: one row a report.

The reports are those of xgrammar, vLLM, SGLang, TGI, llguidance, guidance, lm-format-enforcer,
outlines and llama.cpp that are named in each row. Three are about tokens and batches and not
about texts; they stand with the engine's tests: SGLang #2045 (jump-forward), SGLang #1296 (a
mask row affects its own request only) and guidance #1352 (several tokenizations of a text).
"""

import json
import unittest

from binary import BinaryTest, espalier, json_lines


def schema(value):
    return {"schema": value}


def nested(keyword, depth):
    inner = {"type": "integer"}
    for i in range(depth):
        other = {"type": "object", "properties": {f"p{i}": {"type": "integer"}}}
        inner = {keyword: [inner, other]}
    return inner


NAMED = {"a": {"type": "integer"}, "b": {"type": "string"}}
MANY = [f"choice {i}" for i in range(2001)]
TAB = "\t"

# (report, constraint, texts that it accepts, texts that it refuses)
REPORTS = [
    ("xgrammar #800: escapes count as one character, raw control bytes never stand",
     schema({"type": "string", "maxLength": 5}),
     [r'"ab\ncd"', r'"\ud83d\ude00abcd"', r'"\u0061\u0062cde"', '"\U0001f600abcd"', '""'],
     [r'"ab\ncde"', r'"\ud83d\ude00abcde"', f'"a{TAB}b"', '"a\nb"', '"\U0001f600abcde"']),
    ("xgrammar #826: propertyNames beside the schema of values",
     schema({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"},
             "additionalProperties": {"type": "integer"}}),
     ['{"a": 1}', "{}", '{"a": 1, "bc": 2}'], ['{"a": "x"}', '{"A": 1}']),
    ("xgrammar #208: a declared property does not come back as an additional one",
     schema({"type": "object", "properties": {"a": {"type": "integer"}},
             "additionalProperties": True}),
     ['{"a": 1}', '{"b": "x"}', '{"b": "x", "a": 1}'],
     ['{"a": "x"}', '{"b": 1, "a": "x"}', '{"a": 1, "a": 2}', r'{"\u0061": "x"}']),
    ("xgrammar #487: properties and patternProperties in one closed object",
     schema({"type": "object", "properties": {"a": {"type": "integer"}},
             "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False}),
     ['{"a": 1, "xy": "s"}', '{"xy": "s", "a": 1}', '{"x": ""}'], ['{"xy": 1}', '{"b": 1}']),
    ("xgrammar #104: lower bounds without items or properties, arrays",
     schema({"type": "array", "minItems": 1}), ["[1]", '["x", {}]'], ["[]", "{}"]),
    ("xgrammar #104: lower bounds without items or properties, objects",
     schema({"type": "object", "minProperties": 1}), ['{"q": null}'], ["{}"]),
    ("vLLM #56556: allOf of two objects",
     schema({"allOf": [{"type": "object", "properties": NAMED, "required": ["a"]},
                       {"type": "object", "properties": NAMED, "required": ["b"]}]}),
     ['{"a": 1, "b": "x"}', '{"b": "x", "a": 1}'], ['{"a": 1}', '{"b": "x"}', "{}", "1"]),
    ("vLLM #38696: whitespace is bounded",
     schema({"type": "object", "properties": NAMED, "required": ["a"]}),
     ['{"a": 1}', '{\n  "a" : 1 }', '{"a":1}'],
     ['{"a":' + "\n" * 2 + "1}", '{"a":' + " " * 22 + "1}", "{" + "\n" * 100]),
    ("vLLM #54003: anyOf nested 14 deep", schema(nested("anyOf", 14)),
     ["1", '{"p13": 1}'], ['"x"', "[]"]),
    ("vLLM #45172: oneOf nested 12 deep", schema(nested("oneOf", 12)), ["1"],
     ['"x"', '{"p0": 1}', "{}"]),
    ("llguidance #265: a pattern matches a required, declared name too",
     schema({"type": "object", "properties": {"foo": {"type": "integer"}}, "required": ["foo"],
             "patternProperties": {"^f": {"minimum": 5}}}),
     ['{"foo": 7}', '{"foo": 5, "far": 6}'], ['{"foo": 3}', '{"foo": "x"}', "{}"]),
    ("guidance #1320: 2,001 choices", {"choices": MANY}, [MANY[0], MANY[1000], MANY[2000]],
     ["choice 2001", "choice", ""]),
    ("guidance #1320: an enum of 2,001", schema({"enum": MANY}), ['"choice 0"', '"choice 2000"'],
     ['"choice 2001"', "choice 0"]),
    ("lm-format-enforcer #102: several elements of an enum of numbers",
     schema({"type": "array", "items": {"enum": [1, 2, 3]}}), ["[1, 2, 3]", "[3]", "[]"],
     ["[4]", "[1, 4]"]),
    ("lm-format-enforcer #178: bounds and multiples of integers",
     schema({"type": "integer", "multipleOf": 5, "minimum": 0, "maximum": 20}),
     ["0", "5", "20", "10"], ["7", "-5", "25", "21"]),
    ("llama.cpp #7703: properties beside oneOf of required sets",
     schema({"type": "object", "properties": NAMED,
             "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
     ['{"a": 1}', '{"b": "x"}'], ["{}", '{"a": 1, "b": "x"}', '{"a": "x"}']),
    ("llama.cpp #25923: no properties", schema({"type": "object", "properties": {}}),
     ["{}", '{"a": 1}'], ["[]"]),
    ("llama.cpp #26930, #26939: a pattern without anchors searches",
     schema({"type": "string", "pattern": "b[0-9]"}), ['"b1"', '"abc b2 d"'], ['"b"', '"1b"']),
    ("llama.cpp #6492: left recursion", {"ebnf": 'root ::= root "+" n | n\nn ::= [0-9]'},
     ["1", "1+2", "1+2+3"], ["", "+", "1+", "1+2+"]),
    ("llama.cpp #3801: a loop of what may be empty", {"ebnf": 'root ::= ("a" | "")*'},
     ["", "a", "aaaa"], ["b", "ab"]),
    ("llama.cpp #27087: maxLength 2000", schema({"type": "string", "maxLength": 2000}),
     ['"' + "x" * 2000 + '"'], ['"' + "x" * 2001 + '"']),
    ("llama.cpp #27859, xgrammar #852: maxLength 100000",
     schema({"type": "string", "maxLength": 100000}), ['"' + "x" * 2001 + '"'], ["x"]),
    ("xgrammar #418, outlines #1092: an enum of Chinese and accented text",
     schema({"enum": ["日本語", "café"]}), ['"日本語"', '"café"', r'"caf\u00e9"'],
     ['"日本"', '"cafe"', "日本語"]),
    ("outlines #1118: negative lookahead", {"regex": "(?!foo)[a-z]+"}, ["fox", "bar", "fo"],
     ["foo", "foobar"]),
    ("outlines #1118: negative lookahead in a pattern",
     schema({"type": "string", "pattern": "^(?!foo)[a-z]+$"}), ['"fox"'], ['"foox"', '"foo"']),
]

# (report, constraint, what the error must name)
REFUSED = [
    ("xgrammar PR #774: a reference without '#'", schema({"$ref": "/$defs/N"}), "/$ref"),
    ("xgrammar PR #774: a name that is missing",
     schema({"properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {}}), "/properties/a/$ref"),
    ("vLLM #47312: a schema that is none", schema({"type": 7}), "/type"),
    ("SGLang #4574, #7639: a regex that is none", {"regex": "a(b"}, ""),
    ("TGI #2280: a grammar that is none", {"ebnf": "root ::= ("}, ""),
]


class UserReports(BinaryTest):
    def ask(self, questions):
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        return json_lines(espalier("inspect", "match", "--jsonl", "-", stdin=lines).stdout)

    def test_texts_are_accepted_and_refused_as_they_should_be(self):
        questions = [{**constraint, "instances": good + bad}
                     for _, constraint, good, bad in REPORTS]
        answers = self.ask(questions)
        for (report, _, good, bad), answer in zip(REPORTS, answers, strict=True):
            with self.subTest(report):
                self.assertEqual(answer["status"], "ok", answer)
                verdicts = dict(zip(good + bad, answer["accepted"], strict=True))
                self.assertEqual([t for t in good if not verdicts[t]], [], "accepted by right")
                self.assertEqual([t for t in bad if verdicts[t]], [], "refused by right")

    def test_what_cannot_be_compiled_is_refused_by_its_place_and_spares_the_next_line(self):
        for report, constraint, place in REFUSED:
            with self.subTest(report):
                refused, next_line = self.ask([{**constraint, "instances": ["1"]},
                                               {**schema({"type": "integer"}), "instances": ["1"]}])
                self.assertEqual(refused["status"], "refused")
                self.assertIn(place, refused["error"]["message"])
                self.assertEqual(next_line, {"status": "ok", "accepted": [True]})


if __name__ == "__main__":
    unittest.main()
