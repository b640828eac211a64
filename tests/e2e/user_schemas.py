"""Schemas as the libraries make them that users send us: each compiles and means what
validators say. Where jsonschema is installed (pip install jsonschema) it must agree with
the labels below.
"""

import json
import unittest

from binary import BinaryTest, espalier, json_lines

try:
    import jsonschema
except ImportError:
    jsonschema = None

DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"


def strict(**properties):
    """An object as OpenAI's strict mode wants it: all required, nothing else."""
    return {"type": "object", "properties": properties, "required": list(properties),
            "additionalProperties": False}


TEXT, WHOLE, NUMBER, FLAG = ({"type": t} for t in ("string", "integer", "number", "boolean"))

# (who makes such schemas, schema, valid instances, invalid instances)
ROWS = [
    ("OpenAI, strict tool call",
     {"$schema": DRAFT_7, "description": "Get the weather.",
      **strict(location={**TEXT, "description": "City and country"},
               unit={"type": ["string", "null"], "enum": ["c", "f", None]})},
     [{"location": "Paris", "unit": "c"}, {"location": "", "unit": None}],
     [{"location": "Paris"}, {"location": "Paris", "unit": "k"},
      {"location": "Paris", "unit": "c", "x": 1}, {"location": 3, "unit": "c"}]),
    ("OpenAI, recursion to the root",
     {"$defs": {}, **strict(label=TEXT, children={"type": "array", "items": {"$ref": "#"}})},
     [{"label": "a", "children": [{"label": "b", "children": []}]}],
     [{"label": "a", "children": [{"label": "b"}]}, {"label": "a", "children": [1]}]),
    ("OpenAI, steps of reasoning",
     {"$defs": {"step": strict(explanation=TEXT, output=TEXT)},
      **strict(steps={"type": "array", "items": {"$ref": "#/$defs/step"}}, final_answer=TEXT)},
     [{"steps": [{"explanation": "e", "output": "o"}], "final_answer": "42"},
      {"steps": [], "final_answer": ""}],
     [{"steps": [{"explanation": "e"}], "final_answer": "42"}, {"steps": []}]),
    ("pydantic, optional fields and defaults",
     {"$defs": {"Address": {"properties": {"street": {"title": "Street", **TEXT},
                                           "zip": {"anyOf": [TEXT, {"type": "null"}],
                                                   "default": None, "title": "Zip"}},
                            "required": ["street"], "title": "Address", "type": "object"}},
      "properties": {"name": {"title": "Name", "minLength": 1, **TEXT},
                     "age": {"anyOf": [{"minimum": 0, **WHOLE}, {"type": "null"}], "default": None},
                     "address": {"$ref": "#/$defs/Address"},
                     "tags": {"default": [], "items": TEXT, "type": "array", "uniqueItems": True}},
      "required": ["name", "address"], "title": "Person", "type": "object"},
     [{"name": "a", "address": {"street": "b"}},
      {"name": "a", "age": None, "address": {"street": "b", "zip": None}, "tags": ["x", "y"]},
      {"name": "a", "age": 3, "address": {"street": "b", "more": 1}, "extra": [1]}],
     [{"name": "", "address": {"street": "b"}}, {"name": "a", "address": {}},
      {"name": "a", "age": -1, "address": {"street": "b"}},
      {"name": "a", "address": {"street": "b"}, "tags": ["x", "x"]}]),
    ("pydantic, discriminated union",
     {"$defs": {"Cat": {"properties": {"kind": {"const": "cat", "type": "string"}, "lives": WHOLE},
                        "required": ["kind", "lives"], "type": "object"},
                "Dog": {"properties": {"kind": {"enum": ["dog", "puppy"], "type": "string"},
                                       "barks": FLAG},
                        "required": ["kind", "barks"], "type": "object"}},
      "properties": {"pet": {"discriminator": {"mapping": {"cat": "#/$defs/Cat",
                                                           "dog": "#/$defs/Dog"},
                                               "propertyName": "kind"},
                             "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}},
      "required": ["pet"], "type": "object"},
     [{"pet": {"kind": "cat", "lives": 9}}, {"pet": {"kind": "puppy", "barks": True}}],
     [{"pet": {"kind": "cat", "barks": True}}, {"pet": {"kind": "bird"}}, {}]),
    ("pydantic, decimals, dates, tuples and maps",
     {"properties": {"price": {"anyOf": [NUMBER, {"type": "string",
                                                  "pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}]},
                     "day": {"type": "string", "format": "date"},
                     "point": {"type": "array", "minItems": 2, "maxItems": 2,
                               "prefixItems": [NUMBER, NUMBER]},
                     "scores": {"type": "object", "additionalProperties": {"type": "number"}}},
      "required": ["price", "day", "point", "scores"], "type": "object"},
     [{"price": "+1.50", "day": "2024-02-29", "point": [1, 2.5], "scores": {"a": 1}},
      {"price": 1.5, "day": "2023-01-31", "point": [0, 0], "scores": {}}],
     [{"price": "-", "day": "2024-02-29", "point": [1, 2], "scores": {}},
      {"price": 1, "day": "2023-02-29", "point": [1, 2], "scores": {}},
      {"price": 1, "day": "2024-02-29", "point": [1, 2, 3], "scores": {}},
      {"price": 1, "day": "2024-02-29", "point": [1, 2], "scores": {"a": "1"}}]),
    ("pydantic, recursive JSON value",
     {"$defs": {"Json": {"anyOf": [TEXT, NUMBER, FLAG, {"type": "null"},
                                   {"type": "array", "items": {"$ref": "#/$defs/Json"}},
                                   {"type": "object",
                                    "additionalProperties": {"$ref": "#/$defs/Json"}}]}},
      "$ref": "#/$defs/Json"},
     [None, [1, {"a": [[]]}], {"": {"b": False}}], []),
    ("zod, union and literals",
     {"$schema": DRAFT_2020, **strict(
         type={"type": "string", "const": "event"},
         at={"type": "string", "format": "date-time"},
         who={"anyOf": [{"type": "string", "format": "email"}, {"type": "string", "format": "uuid"}]},
         level={"type": ["string", "number"]},
         count={"type": "integer", "exclusiveMinimum": 0, "maximum": 9007199254740991})},
     [{"type": "event", "at": "2024-01-01T00:00:00Z", "who": "a@b.co", "level": 1, "count": 1},
      {"type": "event", "at": "2024-01-01T00:00:00.5+01:00",
       "who": "123e4567-e89b-12d3-a456-426614174000", "level": "x", "count": 9007199254740991}],
     [{"type": "other", "at": "2024-01-01T00:00:00Z", "who": "a@b.co", "level": 1, "count": 1},
      {"type": "event", "at": "2024-01-01T00:00:00Z", "who": "a@b.co", "level": 1, "count": 0},
      {"type": "event", "at": "2024-01-01T00:00:00Z", "who": "nobody", "level": 1, "count": 1},
      {"type": "event", "at": "2024-01-01T00:00:00Z", "who": "a@b.co", "level": None, "count": 1}]),
    ("zod, intersection and records",
     {"$schema": DRAFT_7, "allOf": [
         {"type": "object", "properties": {"id": TEXT}, "required": ["id"]},
         {"type": "object", "properties": {"data": {"type": "object",
                                                    "propertyNames": {"pattern": "^[a-z]+$"},
                                                    "additionalProperties": NUMBER}},
          "required": ["data"]}]},
     [{"id": "a", "data": {}}, {"data": {"ab": 1}, "id": ""}],
     [{"id": "a"}, {"id": "a", "data": {"A": 1}}, {"id": "a", "data": {"a": "1"}}]),
    ("OpenAPI, nullable and numeric formats are annotations",
     {"type": "object", "properties": {"id": {"type": "integer", "format": "int64", "example": 3},
                                       "name": {"type": "string", "nullable": True},
                                       "kind": {"type": "string", "format": "made-up", "xml": {}}},
      "required": ["id"], "externalDocs": {"url": "u"}},
     [{"id": 12345678901234567890}, {"id": 1, "name": "a", "kind": "anything"}],
     [{"id": 1, "name": None}, {"id": 1.5}, {"id": "1"}]),
    ("draft 4, booleans beside bounds",
     {"$schema": DRAFT_4, "type": "object",
      "properties": {"n": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
                     "m": {"type": "number", "maximum": 1, "exclusiveMaximum": False}},
      "required": ["n"], "additionalProperties": False},
     [{"n": 0.5}, {"n": 1, "m": 1}], [{"n": 0}, {"m": 1}, {"n": 1, "m": 1.5}]),
    ("boolean subschemas",
     {"$schema": DRAFT_2020, "properties": {"any": True, "never": False}, "items": False,
      "type": ["object", "array"]},
     [{"any": [1, {"x": None}]}, [], {}], [{"never": 1}, [1], 3]),
    ("hand-written, conditions",
     {"$schema": DRAFT_2020, "type": "object",
      "properties": {"country": {"enum": ["US", "NL"]}, "zip": TEXT},
      "required": ["country", "zip"],
      "if": {"properties": {"country": {"const": "US"}}},
      "then": {"properties": {"zip": {"pattern": "^[0-9]{5}$"}}},
      "else": {"properties": {"zip": {"pattern": "^[0-9]{4} [A-Z]{2}$"}}}},
     [{"country": "US", "zip": "12345"}, {"country": "NL", "zip": "1234 AB"}],
     [{"country": "US", "zip": "1234 AB"}, {"country": "NL", "zip": "12345"}, {"zip": "12345"}]),
    ("hand-written, pattern with lengths",
     strict(words={"type": "string", "pattern": "^(?:\\S+\\s+){0,4}\\S+$", "minLength": 2,
                   "maxLength": 40}),
     [{"words": "one two  three"}, {"words": "ab"}],
     [{"words": "a"}, {"words": "a "}, {"words": "a b c d e f"}, {"words": "x" * 41}]),
    ("agents, a list of calls",
     {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [
         strict(name={"const": "search"}, arguments=strict(query=TEXT)),
         strict(name={"const": "open"}, arguments=strict(url={"type": "string", "format": "uri"}))]}},
     [[{"name": "search", "arguments": {"query": "x"}}],
      [{"name": "open", "arguments": {"url": "https://a.b/c?d#e"}}] * 3],
     [[], [{"name": "open", "arguments": {"query": "x"}}],
      [{"name": "open", "arguments": {"url": "no uri"}}],
      [{"name": "search", "arguments": {"query": "x"}}] * 4]),
]


class UserSchemas(BinaryTest):
    def test_each_means_what_validators_say(self):
        lines = [json.dumps({"schema": schema, "instances": [json.dumps(x) for x in good + bad]})
                 for _, schema, good, bad in ROWS]
        done = espalier("inspect", "match", "--jsonl", "-", stdin="\n".join(lines) + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = json_lines(done.stdout)
        self.assertEqual(len(answers), len(ROWS))
        for (who, _, good, bad), answer in zip(ROWS, answers):
            with self.subTest(who):
                self.assertEqual(answer["status"], "ok", answer)
                self.assertEqual(answer["accepted"], [True] * len(good) + [False] * len(bad))

    @unittest.skipIf(jsonschema is None, "jsonschema is not installed")
    def test_a_validator_agrees_with_the_labels(self):
        for who, schema, good, bad in ROWS:
            default = jsonschema.Draft202012Validator
            kind = jsonschema.validators.validator_for(schema, default)
            validator = kind(schema, format_checker=kind.FORMAT_CHECKER)
            with self.subTest(who):
                self.assertEqual([validator.is_valid(x) for x in good], [True] * len(good))
                # Formats are judged only where jsonschema has what it needs for them.
                wrong = [x for x in bad if validator.is_valid(x) and "no uri" not in str(x)]
                self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
