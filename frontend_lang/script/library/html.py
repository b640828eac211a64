"""html: escape and unescape."""
import re as _re

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\xa0",
          "copy": "\xa9", "reg": "\xae", "trade": "\u2122", "hellip": "\u2026",
          "mdash": "\u2014", "ndash": "\u2013", "lsquo": "\u2018", "rsquo": "\u2019",
          "ldquo": "\u201c", "rdquo": "\u201d", "bull": "\u2022", "middot": "\xb7",
          "euro": "\u20ac", "pound": "\xa3", "yen": "\xa5", "cent": "\xa2", "deg": "\xb0",
          "plusmn": "\xb1", "times": "\xd7", "divide": "\xf7", "frac12": "\xbd",
          "eacute": "\xe9", "egrave": "\xe8", "agrave": "\xe0", "aacute": "\xe1",
          "ouml": "\xf6", "uuml": "\xfc", "auml": "\xe4", "szlig": "\xdf", "ccedil": "\xe7",
          "ntilde": "\xf1", "laquo": "\xab", "raquo": "\xbb", "sect": "\xa7", "para": "\xb6",
          "larr": "\u2190", "rarr": "\u2192", "uarr": "\u2191", "darr": "\u2193",
          "le": "\u2264", "ge": "\u2265", "ne": "\u2260", "infin": "\u221e"}

_OLD = ("amp", "lt", "gt", "quot", "nbsp", "copy", "reg", "cent", "pound", "yen", "sect", "deg",
        "plusmn", "laquo", "raquo", "para", "middot", "times", "divide", "eacute", "egrave",
        "agrave", "aacute", "ouml", "uuml", "auml", "szlig", "ccedil", "ntilde", "frac12")


def escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return s.replace('"', "&quot;").replace("'", "&#x27;") if quote else s


def _character(match):
    name = match.group(1)
    if not name.startswith("#"):
        known = name.rstrip(";") in _NAMED and (name.endswith(";") or name in _OLD)
        return _NAMED[name.rstrip(";")] if known else match.group(0)
    number = int(name[2:].rstrip(";"), 16) if name[1] in "xX" else int(name[1:].rstrip(";"))
    if number == 0 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return "\ufffd"
    return chr(number)


def unescape(s):
    return _re.sub(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*;?)", _character, s)
