"""pprint: values laid out over lines, as wide as wanted."""
import _machine
import io as _io
import re as _re
import sys as _sys
from collections import (ChainMap as _ChainMap, Counter as _Counter, OrderedDict as _OrderedDict,
                         UserDict as _UserDict, UserList as _UserList, defaultdict as _defaultdict,
                         deque as _deque)
from dataclasses import fields as _fields, is_dataclass as _is_dataclass
from types import MappingProxyType as _MappingProxyType, SimpleNamespace as _SimpleNamespace

_SCALARS = (str, bytes, float, bool, type(None))


class _Key:
    """Orders values of any types: what cannot be compared goes by type and identity."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            return (str(type(self.value)), id(self.value)) < (str(type(other.value)),
                                                              id(other.value))


def _pair_key(pair):
    return _Key(pair[0]), _Key(pair[1])


def _has_own_repr(cls):
    return any("__repr__" in vars(at) and not _machine.is_made(vars(at)["__repr__"])
               for at in _machine.ancestors_of(cls))


def _shows_fields(value):
    return (_is_dataclass(value) and not isinstance(value, type)
            and not _has_own_repr(type(value)))


def _recursion(value):
    return f"<Recursion on {type(value).__name__} with id={id(value)}>"


def _byte_pieces(value, width, allowance):
    current = b""
    last = len(value) // 4 * 4
    for i in range(0, len(value), 4):
        part = value[i:i + 4]
        if i == last:
            width -= allowance
        if len(repr(current + part)) > width:
            if current:
                yield repr(current)
            current = part
        else:
            current += part
    if current:
        yield repr(current)


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False,
                 sort_dicts=True, underscore_numbers=False):
        indent, width = int(indent), int(width)
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._indent_per_level, self._width, self._depth = indent, width, depth
        self._stream = _sys.stdout if stream is None else stream
        self._compact, self._sort_dicts = bool(compact), sort_dicts
        self._underscore_numbers = underscore_numbers

    def pprint(self, object):
        self._stream.write(self.pformat(object) + "\n")

    def pformat(self, object):
        out = _io.StringIO()
        self._format(object, out, 0, 0, {}, 0)
        return out.getvalue()

    def isrecursive(self, object):
        return self.format(object, {}, 0, 0)[2]

    def isreadable(self, object):
        _, readable, recursive = self.format(object, {}, 0, 0)
        return readable and not recursive

    def format(self, object, context, maxlevels, level):
        """(text, whether eval would read it, whether it contains itself) on one line."""
        cls = type(object)
        if cls in _SCALARS:
            return repr(object), True, False
        if isinstance(object, int) and not _has_own_repr(cls):
            return f"{object:_d}" if self._underscore_numbers else repr(object), True, False
        if isinstance(object, (dict, list, tuple)) and self._layout_of(cls) in _PLAIN_LAYOUTS:
            return self._format_container(object, context, maxlevels, level)
        text = repr(object)
        return text, bool(text) and not text.startswith("<"), False

    def _format_container(self, object, context, maxlevels, level):
        is_dict = isinstance(object, dict)
        shape = "{%s}" if is_dict else "[%s]" if isinstance(object, list) else \
            "(%s,)" if len(object) == 1 else "(%s)"
        if not object:
            return shape % "", True, False
        key = id(object)
        if maxlevels and level >= maxlevels:
            return shape % "...", False, key in context
        if key in context:
            return _recursion(object), False, True
        context[key] = 1
        parts, readable, recursive = [], True, False
        for item in self._sorted_items(object) if is_dict else object:
            texts = []
            for value in item if is_dict else (item,):
                text, is_readable, is_recursive = self.format(value, context, maxlevels, level + 1)
                texts.append(text)
                readable = readable and is_readable
                recursive = recursive or is_recursive
            parts.append(": ".join(texts))
        del context[key]
        return shape % ", ".join(parts), readable, recursive

    def _repr(self, object, context, level):
        text, readable, recursive = self.format(object, context.copy(), self._depth, level)
        return text

    def _sorted_items(self, mapping):
        return sorted(mapping.items(), key=_pair_key) if self._sort_dicts else mapping.items()

    def _layout_of(self, cls):
        """The method that lays values of the class out; None: they stay on one line."""
        layout = _LAYOUTS.get(cls)
        if layout is None and not _has_own_repr(cls):
            for known in _LAYOUTS:
                if issubclass(cls, known):
                    return _LAYOUTS[known]
        return layout

    def _format(self, object, stream, indent, allowance, context, level):
        key = id(object)
        if key in context:
            stream.write(_recursion(object))
            return
        text = self._repr(object, context, level)
        if len(text) <= self._width - indent - allowance:
            stream.write(text)
            return
        layout = self._layout_of(type(object))
        if layout is None and _shows_fields(object):
            layout = PrettyPrinter._lay_out_fields
        if layout is None or (not object and layout in _UNLESS_EMPTY):
            stream.write(text)
            return
        context[key] = 1
        layout(self, object, stream, indent, allowance, context, level + 1)
        del context[key]

    def _pad(self, stream):
        if self._indent_per_level > 1:
            stream.write((self._indent_per_level - 1) * " ")

    def _format_pairs(self, items, stream, indent, allowance, context, level):
        indent += self._indent_per_level
        last = len(items) - 1
        for i, (key, value) in enumerate(items):
            text = self._repr(key, context, level)
            stream.write(text + ": ")
            self._format(value, stream, indent + len(text) + 2, allowance if i == last else 1,
                         context, level)
            if i != last:
                stream.write(",\n" + " " * indent)

    def _format_names(self, items, stream, indent, allowance, context, level):
        last = len(items) - 1
        for i, (name, value) in enumerate(items):
            stream.write(name + "=")
            if id(value) in context:
                stream.write("...")
            else:
                self._format(value, stream, indent + len(name) + 1, allowance if i == last else 1,
                             context, level)
            if i != last:
                stream.write(",\n" + " " * indent)

    def _format_items(self, items, stream, indent, allowance, context, level):
        indent += self._indent_per_level
        self._pad(stream)
        newline, between = ",\n" + " " * indent, ""
        room = width = self._width - indent + 1
        items = list(items)
        for i, item in enumerate(items):
            last = i == len(items) - 1
            if last:
                width -= allowance
                room -= allowance
            if self._compact:
                text = self._repr(item, context, level)
                if room < len(text) + 2:
                    room = width
                    between = between and newline
                if room >= len(text) + 2:
                    room -= len(text) + 2
                    stream.write(between + text)
                    between = ", "
                    continue
            stream.write(between)
            between = newline
            self._format(item, stream, indent, allowance if last else 1, context, level)

    def _lay_out_dict(self, object, stream, indent, allowance, context, level):
        stream.write("{")
        self._pad(stream)
        if object:
            self._format_pairs(list(self._sorted_items(object)), stream, indent, allowance + 1,
                               context, level)
        stream.write("}")

    def _lay_out_ordered(self, object, stream, indent, allowance, context, level):
        name = type(object).__name__
        stream.write(name + "(")
        self._format(list(object.items()), stream, indent + len(name) + 1, allowance + 1, context,
                     level)
        stream.write(")")

    def _lay_out_default(self, object, stream, indent, allowance, context, level):
        factory = self._repr(object.default_factory, context, level)
        name = type(object).__name__
        indent += len(name) + 1
        stream.write(f"{name}({factory},\n{' ' * indent}")
        self._lay_out_dict(object, stream, indent, allowance + 1, context, level)
        stream.write(")")

    def _lay_out_counter(self, object, stream, indent, allowance, context, level):
        name = type(object).__name__
        stream.write(name + "({")
        self._pad(stream)
        self._format_pairs(object.most_common(), stream, indent + len(name) + 1, allowance + 2,
                           context, level)
        stream.write("})")

    def _lay_out_list(self, object, stream, indent, allowance, context, level):
        stream.write("[")
        self._format_items(object, stream, indent, allowance + 1, context, level)
        stream.write("]")

    def _lay_out_tuple(self, object, stream, indent, allowance, context, level):
        end = ",)" if len(object) == 1 else ")"
        stream.write("(")
        self._format_items(object, stream, indent, allowance + len(end), context, level)
        stream.write(end)

    def _lay_out_set(self, object, stream, indent, allowance, context, level):
        name = type(object).__name__
        begin, end = ("{", "}") if type(object) is set else (name + "({", "})")
        if begin != "{":
            indent += len(name) + 1
        stream.write(begin)
        self._format_items(sorted(object, key=_Key), stream, indent, allowance + len(end), context,
                           level)
        stream.write(end)

    def _lay_out_deque(self, object, stream, indent, allowance, context, level):
        name = type(object).__name__
        indent += len(name) + 1
        stream.write(name + "([")
        if object.maxlen is None:
            self._format_items(object, stream, indent, allowance + 2, context, level)
            stream.write("])")
            return
        self._format_items(object, stream, indent, 2, context, level)
        stream.write(f"],\n{' ' * indent}maxlen={object.maxlen})")

    def _lay_out_chain(self, object, stream, indent, allowance, context, level):
        name = type(object).__name__
        indent += len(name) + 1
        stream.write(name + "(")
        for i, mapping in enumerate(object.maps):
            if i > 0:
                stream.write(",\n" + " " * indent)
            last = i == len(object.maps) - 1
            self._format(mapping, stream, indent, allowance + 1 if last else 1, context, level)
        stream.write(")")

    def _lay_out_str(self, object, stream, indent, allowance, context, level):
        if level == 1:
            indent += 1
            allowance += 1
        pieces, text = [], ""
        lines = object.splitlines(True)
        for i, line in enumerate(lines):
            text = repr(line)
            last = i == len(lines) - 1
            width = self._width - indent
            if len(text) <= width - (allowance if last else 0):
                pieces.append(text)
                continue
            current = ""
            words = _re.findall(r"\S*\s*", line)[:-1]
            for j, word in enumerate(words):
                if last and j == len(words) - 1:
                    width -= allowance
                if len(repr(current + word)) > width:
                    if current:
                        pieces.append(repr(current))
                    current = word
                else:
                    current += word
            if current:
                pieces.append(repr(current))
        if len(pieces) == 1:
            stream.write(text)
            return
        inside = ("\n" + " " * indent).join(pieces)
        stream.write(f"({inside})" if level == 1 else inside)

    def _lay_out_bytes(self, object, stream, indent, allowance, context, level):
        if len(object) <= 4:
            stream.write(repr(object))
            return
        if level == 1:
            indent += 1
            allowance += 1
        pieces = _byte_pieces(object, self._width - indent, allowance)
        inside = ("\n" + " " * indent).join(pieces)
        stream.write(f"({inside})" if level == 1 else inside)

    def _lay_out_proxy(self, object, stream, indent, allowance, context, level):
        stream.write("mappingproxy(")
        self._format(object.copy(), stream, indent + 13, allowance + 1, context, level)
        stream.write(")")

    def _lay_out_namespace(self, object, stream, indent, allowance, context, level):
        name = "namespace" if type(object) is _SimpleNamespace else type(object).__name__
        stream.write(name + "(")
        self._format_names(list(vars(object).items()), stream, indent + len(name) + 1, allowance,
                           context, level)
        stream.write(")")

    def _lay_out_fields(self, object, stream, indent, allowance, context, level):
        name = type(object).__name__
        items = [(field.name, getattr(object, field.name)) for field in _fields(object)
                 if field.repr]
        stream.write(name + "(")
        self._format_names(items, stream, indent + len(name) + 1, allowance, context, level)
        stream.write(")")

    def _lay_out_data(self, object, stream, indent, allowance, context, level):
        self._format(object.data, stream, indent, allowance, context, level - 1)


_LAYOUTS = {
    _OrderedDict: PrettyPrinter._lay_out_ordered,
    _defaultdict: PrettyPrinter._lay_out_default,
    _Counter: PrettyPrinter._lay_out_counter,
    dict: PrettyPrinter._lay_out_dict,
    list: PrettyPrinter._lay_out_list,
    tuple: PrettyPrinter._lay_out_tuple,
    set: PrettyPrinter._lay_out_set,
    frozenset: PrettyPrinter._lay_out_set,
    str: PrettyPrinter._lay_out_str,
    bytes: PrettyPrinter._lay_out_bytes,
    _deque: PrettyPrinter._lay_out_deque,
    _ChainMap: PrettyPrinter._lay_out_chain,
    _UserDict: PrettyPrinter._lay_out_data,
    _UserList: PrettyPrinter._lay_out_data,
    _MappingProxyType: PrettyPrinter._lay_out_proxy,
    _SimpleNamespace: PrettyPrinter._lay_out_namespace,
}
_UNLESS_EMPTY = (PrettyPrinter._lay_out_ordered, PrettyPrinter._lay_out_default,
                 PrettyPrinter._lay_out_counter, PrettyPrinter._lay_out_set,
                 PrettyPrinter._lay_out_deque, PrettyPrinter._lay_out_str)
_PLAIN_LAYOUTS = (PrettyPrinter._lay_out_dict, PrettyPrinter._lay_out_list,
                  PrettyPrinter._lay_out_tuple)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
           underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
            underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter().format(object, {}, None, 0)[0]


def isreadable(object):
    return PrettyPrinter().isreadable(object)


def isrecursive(object):
    return PrettyPrinter().isrecursive(object)
