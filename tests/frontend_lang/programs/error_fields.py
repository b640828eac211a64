error = OSError(2, "No such file", "a.txt")
print(repr(error), str(error), error.args, error.errno, error.strerror, error.filename)
error = PermissionError(13, "denied")
print(repr(error), str(error), error.errno, error.filename)
print(OSError("text").errno, str(OSError("text")), str(OSError(5, "io", "a", None, "b")))


class Missing(OSError):
    pass


print(repr(Missing(2, "gone", "f")), Missing(2, "gone", "f").filename)
#---
import json
import re


def told(function, *names):
    try:
        function()
    except Exception as error:
        print(type(error).__name__, error, [getattr(error, name) for name in names])


told(lambda: undefined_name, "name")
told(lambda: [].nothing, "name")
told(lambda: int.nothing, "name")
told(lambda: __import__, "name") if False else None
told(lambda: b"\xff".decode("utf-8"), "encoding", "start", "end", "reason")
told(lambda: "a\xe9".encode("ascii"), "encoding", "start", "end", "reason")
told(lambda: json.loads("[1,"), "msg", "pos", "lineno", "colno", "doc")
try:
    import no_such_module
except ImportError as error:
    print(error.name, error.msg)
try:
    from math import nothing
except ImportError as error:
    print(error.name)
print(ImportError("m", name="n", path="p").path, NameError("x", name="y").name)
print(UnicodeDecodeError("utf8", b"a\xff", 1, 2, "bad"))
print(UnicodeEncodeError("ascii", "a\u20ac", 1, 2, "bad"), SyntaxError("m").msg)
print(SyntaxError("m", ("f.py", 3, 1, "x", 3, 2)), SyntaxError("m", ("f.py", 3, 1, "x")).lineno)
#---
import json


class Reply(json.JSONDecodeError):
    pass


error = json.JSONDecodeError("Expecting value", "a\nbc", 3)
print(error, error.lineno, error.colno, error.pos, error.msg, error.args, repr(error.doc))
print(Reply("m", "x", 0), isinstance(Reply("m", "x", 0), ValueError))
try:
    json.JSONDecodeError("only")
except TypeError as error:
    print(error)
#---
import enum
import types


class Color(enum.Enum):
    RED = 1


for lookup in (lambda: Color["X"], lambda: types.MappingProxyType({})["k"]):
    try:
        lookup()
    except KeyError as error:
        print(repr(error), error.args)
