"""string."""
import re as _re
from _string import (ascii_letters, ascii_lowercase, ascii_uppercase, capwords, digits, hexdigits,
                     octdigits, printable, punctuation, whitespace)

_NAMES = r"(?P<escaped>{mark})|(?P<named>{id})|\{{(?P<braced>{inside})\}}|(?P<invalid>)"


class Template:
    delimiter = "$"
    idpattern = r"(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None
    flags = _re.IGNORECASE

    def __init__(self, template):
        self.template = template

    def _pattern(self):
        mark = _re.escape(self.delimiter)
        names = _NAMES.format(mark=mark, id=self.idpattern,
                              inside=self.braceidpattern or self.idpattern)
        return _re.compile(f"{mark}(?:{names})", self.flags | _re.VERBOSE)

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

    def is_valid(self):
        return all(match.group("invalid") is None
                   for match in self._pattern().finditer(self.template))

    def get_identifiers(self):
        names = [match.group("named") or match.group("braced")
                 for match in self._pattern().finditer(self.template)]
        return list(dict.fromkeys(name for name in names if name is not None))


def _next_field(text, at):
    """The end of the replacement field whose inside begins at `at`: where its "}" is."""
    depth, in_brackets = 1, False
    for place in range(at, len(text)):
        c = text[place]
        if c == "[":
            in_brackets = True
        elif c == "]":
            in_brackets = False
        elif c == "{" and not in_brackets:
            depth += 1
        elif c == "}" and not in_brackets:
            depth -= 1
            if depth == 0:
                return place
    if _ends_in_conversion(text[at:]):
        raise ValueError("end of string while looking for conversion specifier")
    raise ValueError("expected '}' before end of string")


def _ends_in_conversion(field):
    return field.endswith("!") and "[" not in field and ":" not in field


def _split_field(field):
    """(name, spec, conversion) of what stands between the braces."""
    in_brackets = False
    for at, c in enumerate(field):
        if c == "[":
            in_brackets = True
        elif c == "]":
            in_brackets = False
        elif c == "{":
            raise ValueError("unexpected '{' in field name")
        elif c in ":!" and not in_brackets:
            break
    else:
        return field, "", None
    if field[at] == ":":
        return field[:at], field[at + 1:], None
    if at + 1 == len(field):
        raise ValueError("end of string while looking for conversion specifier")
    if at + 2 < len(field) and field[at + 2] != ":":
        raise ValueError("expected ':' after conversion specifier")
    return field[:at], field[at + 3:], field[at + 1]


def _split_name(name):
    """(first, [(is_attribute, key), ...]) of a.b[c]."""
    end = min((at for at in (name.find("."), name.find("[")) if at >= 0), default=len(name))
    first, rest = name[:end], name[end:]
    parts = []
    while rest:
        if rest[0] == ".":
            end = min((at for at in (rest.find(".", 1), rest.find("[", 1)) if at >= 0),
                      default=len(rest))
            key, is_attribute = rest[1:end], True
        elif rest[0] == "[":
            end = rest.find("]") + 1
            if end == 0:
                raise ValueError("Missing ']' in format string")
            key, is_attribute = rest[1:end - 1], False
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        if not key:
            raise ValueError("Empty attribute in format string")
        parts.append((is_attribute, int(key) if key.isdigit() and not is_attribute else key))
        rest = rest[end:]
    return int(first) if first.isdigit() else first, parts


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        text, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return text

    def _vformat(self, format_string, args, kwargs, used_args, recursion_depth, auto_arg_index=0):
        if recursion_depth < 0:
            raise ValueError("Max string recursion exceeded")
        result = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                result.append(literal)
            if name is None:
                continue
            if name == "":
                if auto_arg_index is False:
                    raise ValueError("cannot switch from manual field specification to automatic "
                                     "field numbering")
                name = str(auto_arg_index)
                auto_arg_index += 1
            elif name.isdigit():
                if auto_arg_index:
                    raise ValueError("cannot switch from manual field specification to automatic "
                                     "field numbering")
                auto_arg_index = False
            value, used = self.get_field(name, args, kwargs)
            used_args.add(used)
            value = self.convert_field(value, conversion)
            spec, auto_arg_index = self._vformat(spec, args, kwargs, used_args,
                                                 recursion_depth - 1, auto_arg_index)
            result.append(self.format_field(value, spec))
        return "".join(result), auto_arg_index

    def parse(self, format_string):
        """(literal, name, spec, conversion) for each field, with the text before it."""
        if not isinstance(format_string, str):
            raise TypeError(f"expected str, got {type(format_string).__name__}")
        at = 0
        while at < len(format_string):
            begin = at
            while at < len(format_string) and format_string[at] not in "{}":
                at += 1
            literal, brace = format_string[begin:at], format_string[at:at + 1]
            at += 1
            if not brace:
                yield literal, None, None, None
            elif format_string[at:at + 1] == brace:
                at += 1
                yield literal + brace, None, None, None
            elif brace == "}":
                raise ValueError("Single '}' encountered in format string")
            elif at == len(format_string):
                raise ValueError("Single '{' encountered in format string")
            else:
                end = _next_field(format_string, at)
                yield literal, *_split_field(format_string[at:end])
                at = end + 1

    def get_field(self, field_name, args, kwargs):
        first, rest = _split_name(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = getattr(value, key) if is_attribute else value[key]
        return value, first

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion not in "sra":
            raise ValueError(f"Unknown conversion specifier {conversion}")
        return {"s": str, "r": repr, "a": ascii}[conversion](value)
