#!/usr/bin/env python3
"""What is not right yet in the suites, and that it only becomes less.

    tests/conformance/ratchet.py [--data DATA] [--update]

Runs `bench schemas` for each draft and `bench masks`, and compares the tests and files that
are not right with not_right.json beside this script. One more is a failure (exit 1); one less
asks for --update, which takes the new list, if it is no longer. In the required part of the
suite and in MaskBench an invalid instance that is accepted is always a failure, as is a crash.
DATA (default: $ESPALIER_DATA, or data/ below $ESPALIER_SHARED) holds json-schema-test-suite,
maskbench-dev and tokenizers; without it the check is skipped (exit 77).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

EXPECTED = pathlib.Path(__file__).with_name("not_right.json")
DRAFTS = ("4", "6", "7", "2019-09", "2020-12")
NEVER = ("false_positive", "crash")


def run(arguments, *command):
    """The rows of --jsonl."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "rows.jsonl"
        subprocess.run([arguments.binary, "bench", *command, "--json", "--jsonl", str(out)],
                       check=True, stdout=subprocess.DEVNULL)
        return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def schemas_not_right(arguments, draft):
    suite = arguments.data / "json-schema-test-suite"
    found = {}
    for row in run(arguments, "schemas", str(suite), "--draft", draft):
        if row["status"] not in ("right", "quarantined"):
            file = pathlib.Path(row["file"]).relative_to(suite / "tests").as_posix()
            found[f"{file}: {row['case']}: {row['test']}"] = row["status"]
    return found


def masks_not_right(arguments):
    tokenizer = arguments.data / "tokenizers/qwen3/tokenizer.json"
    rows = run(arguments, "masks", str(arguments.data / "maskbench-dev"), "--tokenizer",
               str(tokenizer))
    return {pathlib.Path(row["file"]).name:
            "false_positive" if row.get("false_positives") else row["status"]
            for row in rows if row["status"] != "passed"}


def is_strict(suite, name):
    return suite == "maskbench" or "/optional/" not in name


def compare(suite, expected, found):
    """The complaints, and whether there is an improvement to take."""
    wrong = [f"{suite}: {status}: {name}" for name, status in found.items()
             if name not in expected or status in NEVER and is_strict(suite, name)]
    return wrong, any(name not in found for name in expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=os.environ.get("ESPALIER_BINARY", "build/espalier"))
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="take a list that is shorter")
    parser.add_argument("--only", choices=["maskbench", *DRAFTS], help="one suite")
    arguments = parser.parse_args()
    if arguments.data is None:
        shared = os.environ.get("ESPALIER_SHARED", "")
        named = os.environ.get("ESPALIER_DATA") or (shared and shared + "/data")
        if not named or not pathlib.Path(named).is_dir():
            print("skipped: no data folder; name it with --data or ESPALIER_DATA")
            sys.exit(77)
        arguments.data = pathlib.Path(named)
    expected = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else None
    complaints, better = [], False
    found = {} if expected is None else dict(expected)
    for suite in [arguments.only] if arguments.only else [*DRAFTS, "maskbench"]:
        now = masks_not_right(arguments) if suite == "maskbench" else schemas_not_right(arguments, suite)
        found[suite] = now
        if expected is not None:
            wrong, improved = compare(suite, expected.get(suite, {}), now)
            complaints += wrong
            better |= improved
        print(f"{suite}: {len(now)} not right")
    if complaints:
        sys.exit("\n".join(["worse than not_right.json:", *complaints[:50]]))
    if arguments.update:
        EXPECTED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    elif better:
        print("better than not_right.json: run with --update")


if __name__ == "__main__":
    main()
