"""os.path: paths as texts; and of files what the run grants (see open)."""
import _os
from _os.path import (basename, dirname, exists, isabs, isdir, isfile, join, normpath, sep, split,
                      splitext)

curdir, pardir, extsep, pathsep, altsep = ".", "..", ".", ":", None
lexists = exists


def abspath(path):
    text = _text_of(path)
    return normpath(text if isabs(text) else join(_os.getcwd(), text))


realpath = abspath


def _text_of(path):
    return path if isinstance(path, str) else join(path)


def expanduser(path):
    """There is no user, so a "~" stays."""
    return _text_of(path)


def expandvars(path):
    return _text_of(path)


def normcase(s):
    return _text_of(s)


def relpath(path, start="."):
    if not path:
        raise ValueError("no path specified")
    here = [name for name in abspath(start).split("/") if name]
    there = [name for name in abspath(path).split("/") if name]
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:]) or "."


def commonprefix(m):
    if not m:
        return ""
    low, high = min(m), max(m)
    for at, item in enumerate(low):
        if item != high[at]:
            return low[:at]
    return low


def commonpath(paths):
    paths = [_text_of(path) for path in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    if len({isabs(path) for path in paths}) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    parts = [[name for name in path.split("/") if name and name != "."] for path in paths]
    return ("/" if isabs(paths[0]) else "") + "/".join(commonprefix(parts))


def splitdrive(p):
    return "", _text_of(p)


def _refused(name):
    def refuse(*args, **kwargs):
        raise PermissionError(f"os.path.{name}() is not in the language: programs read texts only")
    return refuse


getsize, getmtime, getctime = _refused("getsize"), _refused("getmtime"), _refused("getctime")


def islink(path):
    return False


ismount = islink
