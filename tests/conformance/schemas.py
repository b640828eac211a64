#!/usr/bin/env python3
"""Random schemas and instances: `espalier inspect match` against two JSON Schema validators.

    tests/conformance/schemas.py --count 5000 [--draft 7] [--seed 1]

Schemas combine all assertion keywords; instances are drawn from the schema, mutated, and at
random. jsonschema and jsonschema-rs (pip install both) judge each instance; where they
contradict each other nobody is judged. A disagreement is printed with the schema cut down to
what still shows it. Refused schemas are counted by reason. Exit 1: a disagreement or a crash.
"""

import argparse
import collections
import copy
import json
import random
import sys

import jsonschema
import jsonschema_rs
from match_process import MatchProcess

PATTERNS = ["a", "^a", "b$", "^[a-c]+$", "^a.c$", "^(ab|c)*$", "[0-9]{2}", "^\\d+$", "^x",
            "^.{2,4}$", "^[^a]*$", "\\.", "^(?!a)", "é"]
FORMATS = ["date", "ipv4", "uuid", "date-time", "email"]
TEXTS = ["", "a", "b", "ab", "abc", "aXc", "x", "xy", "12", "a1", "é", "日本", "\U0001f600", "a\nb",
         'q"\\/', "2024-02-29", "2023-02-29", "127.0.0.1", "256.0.0.1", "a@b.co",
         "123e4567-e89b-12d3-a456-426614174000", "2024-01-01T00:00:00Z"]
NUMBERS = [0, 1, -1, 2, 3, 5, 7, 10, 100, 0.5, 1.5, -2.5, 0.1, 0.3, 1e3, 1.0, 12345678901234567890]
NAMES = ["a", "b", "c", "x", "xy", "foo", "ab", "é", ""]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


class Schemas:
    """Draws schemas of one draft, in the words of that draft."""

    def __init__(self, rng, draft):
        self.rng = rng
        self.draft = draft

    def value(self, depth=2):
        kind = self.rng.randrange(7 if depth > 0 else 5)
        if kind == 0:
            return None
        if kind == 1:
            return self.rng.random() < 0.5
        if kind == 2:
            return self.rng.choice(NUMBERS)
        if kind in (3, 4):
            return self.rng.choice(TEXTS)
        if kind == 5:
            return [self.value(depth - 1) for _ in range(self.rng.randrange(4))]
        return {self.rng.choice(NAMES): self.value(depth - 1) for _ in range(self.rng.randrange(4))}

    def small(self, most=4):
        return self.rng.randrange(most)

    def names(self):
        return self.rng.sample(NAMES, self.rng.randrange(1, 4))

    def schema(self, depth):
        if self.rng.random() < 0.07:
            return self.rng.random() < 0.7
        if depth > 0 and self.rng.random() < 0.06:
            return {"$ref": "#/definitions/d" if self.draft == 7 else "#/$defs/d"}
        result = {}
        if self.rng.random() < 0.7:
            result["type"] = self.rng.choice(TYPES)
            if self.rng.random() < 0.15:
                result["type"] = sorted(self.rng.sample(TYPES, 2))
        groups = [self.numbers, self.strings, self.arrays, self.objects, self.combined, self.values]
        chosen = self.rng.sample(groups, self.rng.choice([0, 1, 1, 2]))
        of_type = {"integer": self.numbers, "number": self.numbers, "string": self.strings,
                   "array": self.arrays, "object": self.objects}.get(str(result.get("type")))
        if of_type is not None and self.rng.random() < 0.8:
            chosen.append(of_type)
        for group in chosen:
            result.update(group(depth))
        return result

    def pick(self, makers, most=3):
        keys = self.rng.sample(sorted(makers), self.rng.randrange(1, min(most, len(makers)) + 1))
        return {key: makers[key]() for key in keys}

    def numbers(self, depth):
        number = lambda: self.rng.choice([0, 1, 2.5, -3, 10, 0.1, 100])
        return self.pick({"minimum": number, "maximum": number, "exclusiveMinimum": number,
                          "exclusiveMaximum": number,
                          "multipleOf": lambda: self.rng.choice([1, 2, 3, 0.5, 0.1, 7, 2.5])})

    def strings(self, depth):
        return self.pick({"minLength": self.small, "maxLength": lambda: self.small(6),
                          "pattern": lambda: self.rng.choice(PATTERNS),
                          "format": lambda: self.rng.choice(FORMATS)})

    def arrays(self, depth):
        if depth == 0:
            return {"minItems": self.small(), "maxItems": self.small(6)}
        sub = lambda: self.schema(depth - 1)
        subs = lambda: [sub() for _ in range(self.rng.randrange(1, 3))]
        makers = {"minItems": self.small, "maxItems": lambda: self.small(6), "contains": sub,
                  "uniqueItems": lambda: self.rng.random() < 0.8, "items": sub}
        if self.draft == 7:
            makers.update({"additionalItems": sub,
                           "items": lambda: subs() if self.rng.random() < 0.4 else sub()})
        else:
            makers.update({"prefixItems": subs, "unevaluatedItems": sub})
        result = self.pick(makers)
        if self.draft != 7 and "contains" in result and self.rng.random() < 0.5:
            result.update(self.pick({"minContains": self.small, "maxContains": self.small}))
        return result

    def objects(self, depth):
        if depth == 0:
            return {"required": self.names(), "maxProperties": self.small(5)}
        sub = lambda: self.schema(depth - 1)
        named = lambda: {name: sub() for name in self.names()}
        makers = {"properties": named, "required": self.names, "additionalProperties": sub,
                  "patternProperties": lambda: {self.rng.choice(PATTERNS): sub()
                                                for _ in range(self.rng.randrange(1, 3))},
                  "propertyNames": lambda: self.strings(0), "minProperties": self.small,
                  "maxProperties": lambda: self.small(5)}
        if self.draft == 7:
            makers["dependencies"] = lambda: {
                name: self.names() if self.rng.random() < 0.5 else sub() for name in self.names()}
        else:
            makers.update({"dependentRequired": lambda: {n: self.names() for n in self.names()},
                           "dependentSchemas": named, "unevaluatedProperties": sub})
        return self.pick(makers, most=4)

    def combined(self, depth):
        if depth == 0:
            return {}
        sub = lambda: self.schema(depth - 1)
        subs = lambda: [sub() for _ in range(self.rng.randrange(1, 4))]
        makers = {"allOf": subs, "anyOf": subs, "oneOf": subs, "not": sub, "if": sub}
        result = self.pick(makers, most=2)
        if "if" in result:
            result.update(self.pick({"then": sub, "else": sub}, most=2))
        return result

    def values(self, depth):
        return self.pick({"enum": lambda: [self.value() for _ in range(self.rng.randrange(1, 4))],
                          "const": self.value}, most=1)

    def root(self):
        result = self.schema(self.rng.choice([1, 2, 2, 3]))
        if not isinstance(result, dict):
            return result
        if self.draft == 7:
            return {"$schema": "http://json-schema.org/draft-07/schema#", **result,
                    "definitions": {"d": self.schema(1)}}
        return {**result, "$defs": {"d": self.schema(1)}}


class Instances:
    """Draws instances that come near to what a schema asks for."""

    def __init__(self, rng, schemas):
        self.rng = rng
        self.schemas = schemas

    def near(self, schema, depth=3):
        if not isinstance(schema, dict) or depth == 0 or self.rng.random() < 0.1:
            return self.schemas.value()
        parts = [sub for key in ("allOf", "anyOf", "oneOf") for sub in schema.get(key, [])]
        parts += [schema[key] for key in ("then", "else", "if") if key in schema]
        if parts and self.rng.random() < 0.5:
            return self.near(self.rng.choice(parts), depth - 1)
        if "const" in schema and self.rng.random() < 0.8:
            return schema["const"]
        if "enum" in schema and self.rng.random() < 0.8:
            return self.rng.choice(schema["enum"])
        kind = schema.get("type", self.rng.choice(TYPES))
        if isinstance(kind, list):
            kind = self.rng.choice(kind)
        makers = {"null": lambda: None, "boolean": lambda: self.rng.random() < 0.5,
                  "string": lambda: self.rng.choice(TEXTS), "array": lambda: self.array(schema, depth),
                  "object": lambda: self.object(schema, depth)}
        return makers.get(kind, lambda: self.number(schema))()

    def number(self, schema):
        near = [schema[key] for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                                        "multipleOf") if key in schema]
        if near and self.rng.random() < 0.6:
            return self.rng.choice(near) + self.rng.choice([0, 0, 1, -1, 0.5])
        return self.rng.choice(NUMBERS)

    def array(self, schema, depth):
        first = schema.get("prefixItems", schema.get("items"))
        first = first if isinstance(first, list) else []
        rest = schema.get("items", schema.get("contains", schema.get("unevaluatedItems")))
        size = self.rng.choice([0, 1, 1, 2, 2, 3, 4])
        result = [self.near(first[i] if i < len(first) else rest, depth - 1) for i in range(size)]
        if result and self.rng.random() < 0.2:
            result.append(copy.deepcopy(self.rng.choice(result)))
        return result

    def object(self, schema, depth):
        known = {**schema.get("properties", {}), **schema.get("dependentSchemas", {})}
        names = list(known) + schema.get("required", []) + [self.rng.choice(NAMES)]
        chosen = {name for name in names if self.rng.random() < 0.7}
        rest = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        members = [(name, self.near(known.get(name, rest), depth - 1)) for name in chosen]
        self.rng.shuffle(members)
        return dict(members)


class Judges:
    """The verdict of two validators; None where they contradict each other or fail."""

    def __init__(self, draft):
        self.first = {7: jsonschema.Draft7Validator, 2020: jsonschema.Draft202012Validator}[draft]
        self.second = {7: jsonschema_rs.Draft7Validator, 2020: jsonschema_rs.Draft202012Validator}[draft]

    def verdicts(self, schema, instances):
        checker = jsonschema.FormatChecker()
        try:
            first = self.first(schema, format_checker=checker)
            second = self.second(schema, validate_formats=True)
        except Exception:
            return [None] * len(instances)
        return [self.verdict(first, second, instance) for instance in instances]

    @staticmethod
    def verdict(first, second, instance):
        try:
            a, b = first.is_valid(instance), second.is_valid(instance)
        except Exception:
            return None
        return a if a == b else None


def spell(rng, instance):
    separators = rng.choice([(",", ":"), (", ", ": "), (" ,\n ", " : ")])
    return json.dumps(instance, ensure_ascii=rng.random() < 0.3, separators=separators)


def smaller(schema):
    """Schemas with one thing less, at any depth."""
    if isinstance(schema, dict):
        for key in schema:
            yield {k: v for k, v in schema.items() if k != key}
        for key, value in schema.items():
            for part in smaller(value):
                yield {**schema, key: part}
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            if len(schema) > 1:
                yield schema[:i] + schema[i + 1:]
            for part in smaller(value):
                yield schema[:i] + [part] + schema[i + 1:]


def disagrees(ours, judges, schema, instance, text):
    expected = judges.verdicts(schema, [instance])[0]
    answer = ours.ask({"schema": schema, "instances": [text]})
    return expected is not None and answer["status"] == "ok" and answer["accepted"] != [expected]


def minimise(ours, judges, schema, instance, text):
    found = True
    while found:
        found = False
        for candidate in smaller(schema):
            if disagrees(ours, judges, candidate, instance, text):
                schema, found = candidate, True
                break
    return schema


def shorten(reason):
    return " ".join(word for word in reason.split() if not word.startswith(("/", "schema:")))[:90]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="build/espalier")
    parser.add_argument("--count", type=int, default=2000, help="schemas")
    parser.add_argument("--instances", type=int, default=12, help="of each schema")
    parser.add_argument("--draft", type=int, default=2020, choices=[7, 2020])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=20, help="disagreements to print")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    schemas = Schemas(rng, arguments.draft)
    draws = Instances(rng, schemas)
    ours, judges = MatchProcess(arguments.binary), Judges(arguments.draft)
    counts, reasons = collections.Counter(), collections.Counter()
    for _ in range(arguments.count):
        schema = schemas.root()
        instances = [draws.near(schema) for _ in range(arguments.instances)]
        expected = judges.verdicts(schema, instances)
        texts = [spell(rng, instance) for instance in instances]
        answer = ours.ask({"schema": schema, "instances": texts})
        counts["schema " + answer["status"]] += 1
        if answer["status"] != "ok":
            satisfied = [text for text, verdict in zip(texts, expected) if verdict]
            reason = answer["error"]["message"]
            reasons[answer["status"] + ": " + shorten(reason)] += 1
            if answer["status"] == "crash" or ("no value" in reason and satisfied):
                counts["wrong"] += 1
                print(f"{answer['status']}: {json.dumps(schema)} with {satisfied[:1] or texts}: {reason}")
            continue
        for instance, text, right, said in zip(instances, texts, expected, answer["accepted"]):
            counts["not judged" if right is None else "valid" if right else "invalid"] += 1
            if right is None or right == said:
                continue
            what = "false negative" if right else "false positive"
            counts[what] += 1
            counts["wrong"] += 1
            if counts["wrong"] <= arguments.show:
                cut = minimise(ours, judges, schema, instance, text)
                print(f"{what}: {json.dumps(cut, ensure_ascii=False)}  instance {text!r}")
    print(dict(counts))
    for reason, count in reasons.most_common(25):
        print(f"{count:6} {reason}")
    sys.exit(1 if counts["wrong"] or ours.crashes else 0)


if __name__ == "__main__":
    main()
