import json

decoder = json.JSONDecoder()
text = 'Sure! {"a": [1, 2], "é": "ü"} and {"b": 3} end'
at = text.find("{")
while at >= 0:
    try:
        value, end = decoder.raw_decode(text, at)
        print(value, at, end, text[end:end + 4])
        at = text.find("{", end)
    except json.JSONDecodeError as error:
        print(error)
        at = text.find("{", at + 1)
print(decoder.raw_decode("12 rest"), decoder.decode(" [1] "))
for wrong in (" 1", "{x", "", "[1, 2"):
    try:
        print(decoder.raw_decode(wrong))
    except json.JSONDecodeError as error:
        print(error, error.pos)
print(json.JSONDecoder(object_hook=lambda d: sorted(d)).decode('{"b": 1, "a": 2}'))
try:
    decoder.raw_decode("1", -1)
except ValueError as error:
    print(error)
#---
import json
from dataclasses import asdict, dataclass


@dataclass
class Point:
    x: int
    y: int


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Point):
            return asdict(o)
        if isinstance(o, set):
            return sorted(o)
        return super().default(o)


print(json.dumps({"p": Point(1, 2), "s": {3, 1}}, cls=Encoder))
print(json.dumps([Point(1, 2)], cls=Encoder, indent=1, sort_keys=True))
print(Encoder().encode([Point(0, 0)]), "".join(Encoder(separators=(",", ":")).iterencode([1, 2])))
try:
    json.dumps(object, cls=Encoder)
except TypeError as error:
    print(error)


class Tagged(json.JSONEncoder):
    def __init__(self, *args, tag="t", **kwargs):
        super().__init__(*args, **kwargs)
        self.tag = tag

    def default(self, o):
        return f"{self.tag}:{type(o).__name__}"


print(json.dumps([Point(1, 2), {1}], cls=Tagged, tag="q"), json.dumps({1}, cls=Tagged))
print(json.JSONEncoder(default=lambda o: "x").encode([Point]), json.JSONEncoder(sort_keys=True).encode({"b": 1, "a": 2}))
#---
from enum import Enum


class Color(str, Enum):
    RED = "red"


class Plain(str):
    pass


class Loud(str):
    def __str__(self):
        return self.upper()


print("%s" % Color.RED, "%s-%s" % (Color.RED, Color.RED), "%r" % Color.RED)
print("%s" % Plain("a"), "%s" % Loud("a"), "%5s|" % Loud("b"), f"{Color.RED}")
