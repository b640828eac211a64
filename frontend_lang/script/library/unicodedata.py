"""unicodedata: what is known of characters without their names."""
from _string import category, combining, normalize, width as _width

unidata_version = "14.0.0"


def is_normalized(form, unistr):
    return normalize(form, unistr) == unistr


def east_asian_width(chr):
    wide = _width(chr) == 2
    if wide:
        return "F" if "\uff01" <= chr <= "\uff60" or "\uffe0" <= chr <= "\uffe6" else "W"
    if chr < "\x7f" and chr >= " ":
        return "Na"
    return "H" if "\uff61" <= chr <= "\uffdc" else "N"


def decimal(chr, *default):
    if chr.isdecimal():
        return int(chr)
    if default:
        return default[0]
    raise ValueError("not a decimal")


def digit(chr, *default):
    if chr.isdecimal():
        return int(chr)
    folded = normalize("NFKC", chr)
    if chr.isdigit() and folded.isdecimal():
        return int(folded)
    if default:
        return default[0]
    raise ValueError("not a digit")


def numeric(chr, *default):
    folded = normalize("NFKC", chr)
    if folded.isdecimal():
        return float(folded)
    above, slash, below = folded.partition("\u2044")
    if slash and above.isdecimal() and below.isdecimal():
        return int(above) / int(below)
    if default:
        return default[0]
    raise ValueError("not a numeric character")


def _refused(what):
    def refuse(*args):
        raise NotImplementedError(f"unicodedata.{what}() is not in the language")
    return refuse


name, lookup, bidirectional = _refused("name"), _refused("lookup"), _refused("bidirectional")
decomposition, mirrored = _refused("decomposition"), _refused("mirrored")
