"""traceback: the texts of errors."""
import re as _re
from _traceback import (format_exc, format_exception, format_exception_only, print_exc,
                        print_exception)


class FrameSummary:
    def __init__(self, filename, lineno, name, *, line=""):
        self.filename, self.lineno, self.name, self.line = filename, lineno, name, line

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __getitem__(self, at):
        return tuple(self)[at]

    def __len__(self):
        return 4

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class StackSummary(list):
    def format(self):
        return [f'  File "{one.filename}", line {one.lineno}, in {one.name}\n'
                + (f"    {one.line}\n" if one.line else "") for one in self]


class TracebackException:
    def __init__(self, exc_type, exc_value, exc_traceback=None, **options):
        self.exc_type, self._error = exc_type, exc_value
        self.stack = extract_tb(exc_value)

    @classmethod
    def from_exception(cls, exc, *args, **kwargs):
        return cls(type(exc), exc)

    def format(self, *, chain=True):
        yield from format_exception(self._error)

    def format_exception_only(self):
        yield from format_exception_only(self._error)

    def __str__(self):
        return str(self._error)


def extract_tb(tb, limit=None):
    """The frames of the error that `tb` is of; it stands for its own traceback."""
    frames = StackSummary()
    if tb is None:
        return frames
    for piece in format_exception(tb):
        match = _re.match(r'  File "(.*)", line (\d+), in (.*)\n(?:    (.*)\n)?', piece)
        if match is not None:
            frames.append(FrameSummary(match[1], int(match[2]), match[3], line=match[4] or ""))
    return frames[:limit] if limit is not None else frames


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format() if tb is not None else []


def print_tb(tb, limit=None, file=None):
    import sys
    print("".join(format_tb(tb, limit)), end="", file=sys.stderr if file is None else file)


def format_list(extracted_list):
    return StackSummary(extracted_list).format()


def format_stack(f=None, limit=None):
    return []


def extract_stack(f=None, limit=None):
    return StackSummary()


def print_stack(f=None, limit=None, file=None):
    pass
