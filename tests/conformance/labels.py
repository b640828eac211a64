#!/usr/bin/env python3
"""Labels of the suites that two independent validators contradict: those of doubtful_labels.cc.

    tests/conformance/labels.py [DATA]        # default: $ESPALIER_DATA

Judges every test of json-schema-test-suite and maskbench-dev below DATA with jsonschema and
jsonschema-rs (pip install both), as the benches do: formats are asserted in MaskBench and in
optional/format. Prints each label that both contradict. A validator that fails on a schema
contradicts nothing.
"""

import json
import os
import pathlib
import sys

import jsonschema
import jsonschema_rs
import referencing.jsonschema
from jsonschema.validators import SPECIFICATIONS

DRAFTS = {
    "draft4": (jsonschema.Draft4Validator, jsonschema_rs.Draft4Validator,
               referencing.jsonschema.DRAFT4),
    "draft6": (jsonschema.Draft6Validator, jsonschema_rs.Draft6Validator,
               referencing.jsonschema.DRAFT6),
    "draft7": (jsonschema.Draft7Validator, jsonschema_rs.Draft7Validator,
               referencing.jsonschema.DRAFT7),
    "draft2019-09": (jsonschema.Draft201909Validator, jsonschema_rs.Draft201909Validator,
                     referencing.jsonschema.DRAFT201909),
    "draft2020-12": (jsonschema.Draft202012Validator, jsonschema_rs.Draft202012Validator,
                     referencing.jsonschema.DRAFT202012),
}
PARTS = {"": False, "optional": False, "optional/format": True}


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def remotes(suite, draft):
    found = {}
    for path in (suite / "remotes").rglob("*.json"):
        name = path.relative_to(suite / "remotes").as_posix()
        if not name.startswith("draft") or name.startswith(draft + "/"):
            found["http://localhost:1234/" + name] = load(path)
    return found


def verdict(validator, instance):
    try:
        return validator.is_valid(instance)
    except Exception:
        return None


def make(maker):
    try:
        return maker()
    except Exception:
        return None


def contradicted(first, second, tests):
    for i, test in enumerate(tests):
        verdicts = {verdict(validator, test["data"]) for validator in (first, second)}
        if verdicts == {not test["valid"]}:
            yield i, test


def check_suite(suite):
    for draft, (first, second, specification) in DRAFTS.items():
        known = remotes(suite, draft)
        registry = SPECIFICATIONS.with_resources(
            (uri, referencing.Resource.from_contents(content, default_specification=specification))
            for uri, content in known.items())
        for part, asserts in PARTS.items():
            checker = jsonschema.FormatChecker() if asserts else None
            for path in sorted((suite / "tests" / draft / part).glob("*.json")):
                for case in load(path):
                    judges = [make(lambda: first(case["schema"], registry=registry,
                                                 format_checker=checker)),
                              make(lambda: second(case["schema"], validate_formats=asserts,
                                                  retriever=known.__getitem__))]
                    for _, test in contradicted(*judges, case["tests"]):
                        yield path.relative_to(suite / "tests"), case["description"], test


def check_maskbench(folder):
    for path in sorted(folder.glob("*.json")):
        content = load(path)
        schema = content["schema"]
        judge = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        judges = [make(lambda: judge(schema, format_checker=jsonschema.FormatChecker())),
                  make(lambda: jsonschema_rs.validator_for(schema, validate_formats=True))]
        for i, test in contradicted(*judges, content.get("tests", [])):
            yield path.name, f"test {i}", test


def main():
    data = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ESPALIER_DATA", "")
    if not data:
        sys.exit("name the data folder, or set ESPALIER_DATA")
    root = pathlib.Path(data)
    for found in (check_suite(root / "json-schema-test-suite"), check_maskbench(root / "maskbench-dev")):
        for file, case, test in found:
            print(json.dumps([str(file), case, test["description"], test["valid"]]))


if __name__ == "__main__":
    main()
