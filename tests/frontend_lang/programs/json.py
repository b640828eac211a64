import json

print(json.dumps({"a": [1, 2, {"b": None}], "c": 1.5, "é": "ü\n\x01\x7f😀", "t": (True, False)}))
print(json.dumps({"a": [1, [], {}], "b": {"c": []}}, indent=2))
print(json.dumps([1, {"a": 2}], indent="--"), json.dumps([1, 2], indent=0), json.dumps([], indent=4))
print(json.dumps({1: 2, None: 3, True: 4, 1.5: 5}), json.dumps({"b": 1, "a": 2}, sort_keys=True))
print(json.dumps("é/\"\\", ensure_ascii=False), json.dumps([1, 2], separators=(",", ":")))
print(json.dumps([1], indent=1, separators=(" ; ", "=")), json.dumps(float("inf")), json.dumps(-0.0), json.dumps(1e100))
#---
import json

def plain(value):
    if isinstance(value, set):
        return sorted(value)
    raise TypeError(f"no {value!r}")

print(json.dumps({"s": {3, 1, 2}}, default=plain), json.dumps({(1, 2): 1, "a": 2}, skipkeys=True))
for value, options in [({1, 2}, {}), ({(1,): 2}, {}), (float("nan"), {"allow_nan": False}), ({"a": 1, 2: 3}, {"sort_keys": True}),
                       (len, {"default": lambda x: x})]:
    try:
        print(json.dumps(value, **options))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
loop = []
loop.append(loop)
try:
    json.dumps(loop)
except ValueError as e:
    print(e)
#---
import json

print(json.loads(' {"a": [1, -2.5e3, true, null, "x\\u00e9\\n\\ud83d\\ude00"]} '), json.loads("NaN"), json.loads('"\\/"'))
print(json.loads('{"a": 1, "a": 2}'), json.loads("[]"), json.loads("-0"), json.loads("1E2"), json.loads('{"a":{}}', object_hook=lambda d: len(d)))
print(json.loads('{"b": 1, "a": 2}', object_pairs_hook=lambda pairs: pairs), json.loads("1.5", parse_float=str), json.loads('"a\tb"', strict=False))
#---
import json

for text in ["", " ", "{", "[", "[1,", "[1,]", "[1 2]", '{"a"}', '{"a":}', '{"a":1,}', "{a:1}", '"abc', '"a\nb"', '"\\x"', '"\\u12"', "tru",
             "1 2", "{'a': 1}", '{"a": 1', "[1", "01", "-", "1.", ".5", "\n\n  x", "é x", '{"é": x}', "nul", '["a", ]', '"\\ud800"x']:
    try:
        print(repr(text), json.loads(text))
    except json.JSONDecodeError as e:
        print(repr(text), "->", e, "|", e.msg, e.pos, e.lineno, e.colno, e.doc == text)
#---
import json

try:
    json.loads("{bad")
except ValueError as e:
    print(type(e), isinstance(e, json.JSONDecodeError))
for call in [lambda: json.loads(None), lambda: json.loads(5), lambda: json.dumps(), lambda: json.loads()]:
    try:
        call()
    except TypeError as e:
        print(e)
