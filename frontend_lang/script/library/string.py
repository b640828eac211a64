"""string."""
import re as _re
from _string import (ascii_letters, ascii_lowercase, ascii_uppercase, capwords, digits, hexdigits,
                     octdigits, printable, punctuation, whitespace)

_NAMES = r"(?P<escaped>\$)|(?P<named>{id})|\{{(?P<braced>{id})\}}|(?P<invalid>)"


class Template:
    delimiter = "$"
    idpattern = r"(?a:[_a-z][_a-z0-9]*)"
    flags = _re.IGNORECASE

    def __init__(self, template):
        self.template = template

    def _pattern(self):
        return _re.compile(_re.escape(self.delimiter) + "(?:" + _NAMES.format(id=self.idpattern)
                           + ")", self.flags)

    def _fail(self, match):
        before = self.template[:match.start("invalid")].splitlines(keepends=True) or [""]
        line, column = len(before), match.start("invalid") - len("".join(before[:-1]))
        raise ValueError(f"Invalid placeholder in string: line {line}, col {column}")

    def substitute(self, mapping={}, /, **kws):
        def replace(match):
            name = match.group("named") or match.group("braced")
            if name is not None:
                return str(kws[name] if name in kws else mapping[name])
            if match.group("escaped") is not None:
                return self.delimiter
            self._fail(match)
        return self._pattern().sub(replace, self.template)

    def safe_substitute(self, mapping={}, /, **kws):
        def replace(match):
            name = match.group("named") or match.group("braced")
            if name is not None:
                known = kws if name in kws else mapping
                return str(known[name]) if name in known else match.group()
            return self.delimiter if match.group("escaped") is not None else match.group()
        return self._pattern().sub(replace, self.template)

    def get_identifiers(self):
        names = [match.group("named") or match.group("braced")
                 for match in self._pattern().finditer(self.template)]
        return list(dict.fromkeys(name for name in names if name is not None))


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return format_string.format(*args, **kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
