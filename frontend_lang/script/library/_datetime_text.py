"""Texts of dates and times: ISO 8601, and the codes of strftime and strptime."""
import re as _re

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")


def offset_text(microseconds, between):
    sign = "-" if microseconds < 0 else "+"
    seconds, rest = divmod(abs(microseconds), 10**6)
    text = f"{sign}{seconds // 3600:02}{between}{seconds // 60 % 60:02}"
    if seconds % 60 or rest:
        text += f"{between}{seconds % 60:02}"
    return text + (f".{rest:06}" if rest else "")


def iso_time(moment, timespec):
    hour, minute, second, us = moment.hour, moment.minute, moment.second, moment.microsecond
    if timespec == "auto":
        timespec = "microseconds" if us else "seconds"
    forms = {"hours": f"{hour:02}", "minutes": f"{hour:02}:{minute:02}",
             "seconds": f"{hour:02}:{minute:02}:{second:02}",
             "milliseconds": f"{hour:02}:{minute:02}:{second:02}.{us // 1000:03}",
             "microseconds": f"{hour:02}:{minute:02}:{second:02}.{us:06}"}
    if timespec not in forms:
        raise ValueError("Unknown timespec value")
    return forms[timespec]


def _week_number(moment, first):
    """Of the year, where weeks begin on that weekday (0 is Monday) and the rest is week 0."""
    day_of_year = moment.timetuple().tm_yday
    return (day_of_year + 6 - (moment.weekday() - first) % 7) // 7


def _offset(moment, between):
    offset = moment.utcoffset() if hasattr(moment, "utcoffset") else None
    return "" if offset is None else offset_text(offset._us, between)


def _zone(moment):
    name = moment.tzname() if hasattr(moment, "tzname") else None
    return name or ""


def _of_time(moment, name):
    return getattr(moment, name, 0)


_CODES = {
    "a": lambda m: DAYS[m.weekday()][:3],
    "A": lambda m: DAYS[m.weekday()],
    "w": lambda m: str(m.isoweekday() % 7),
    "u": lambda m: str(m.isoweekday()),
    "d": lambda m: f"{m.day:02}",
    "e": lambda m: f"{m.day:2}",
    "b": lambda m: MONTHS[m.month - 1][:3],
    "h": lambda m: MONTHS[m.month - 1][:3],
    "B": lambda m: MONTHS[m.month - 1],
    "m": lambda m: f"{m.month:02}",
    "y": lambda m: f"{m.year % 100:02}",
    "Y": lambda m: str(m.year),
    "C": lambda m: f"{m.year // 100:02}",
    "G": lambda m: str(m.isocalendar()[0]),
    "V": lambda m: f"{m.isocalendar()[1]:02}",
    "U": lambda m: f"{_week_number(m, 6):02}",
    "W": lambda m: f"{_week_number(m, 0):02}",
    "j": lambda m: f"{m.timetuple().tm_yday:03}",
    "H": lambda m: f"{_of_time(m, 'hour'):02}",
    "k": lambda m: f"{_of_time(m, 'hour'):2}",
    "I": lambda m: f"{(_of_time(m, 'hour') + 11) % 12 + 1:02}",
    "l": lambda m: f"{(_of_time(m, 'hour') + 11) % 12 + 1:2}",
    "p": lambda m: "PM" if _of_time(m, "hour") >= 12 else "AM",
    "P": lambda m: "pm" if _of_time(m, "hour") >= 12 else "am",
    "M": lambda m: f"{_of_time(m, 'minute'):02}",
    "S": lambda m: f"{_of_time(m, 'second'):02}",
    "f": lambda m: f"{_of_time(m, 'microsecond'):06}",
    "z": lambda m: _offset(m, ""),
    "Z": _zone,
    "s": lambda m: str(int(m.timestamp())),
    "n": lambda m: "\n",
    "t": lambda m: "\t",
    "%": lambda m: "%",
}
_SHORTHANDS = {"c": "%a %b %e %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S", "D": "%m/%d/%y",
               "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "r": "%I:%M:%S %p"}


def format_moment(moment, form):
    out = []
    at = 0
    while at < len(form):
        letter = form[at]
        at += 1
        if letter != "%" or at == len(form):
            out.append(letter)
            continue
        code = form[at]
        at += 1
        if code == "-" and at < len(form) and form[at] in _CODES:
            out.append(_CODES[form[at]](moment).lstrip("0 ") or "0")
            at += 1
        elif code in _SHORTHANDS:
            out.append(format_moment(moment, _SHORTHANDS[code]))
        else:
            out.append(_CODES[code](moment) if code in _CODES else "%" + code)
    return "".join(out)


def _names(names):
    return "|".join(sorted(names, key=len, reverse=True))


_PATTERNS = {
    "d": r"3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]",
    "f": r"[0-9]{1,6}",
    "H": r"2[0-3]|[0-1]\d|\d",
    "I": r"1[0-2]|0[1-9]|[1-9]",
    "j": r"36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9]",
    "m": r"1[0-2]|0[1-9]|[1-9]",
    "M": r"[0-5]\d|\d",
    "S": r"6[0-1]|[0-5]\d|\d",
    "w": r"[0-6]",
    "y": r"\d\d",
    "Y": r"\d\d\d\d",
    "z": r"[+-]\d\d:?[0-5]\d(?::?[0-5]\d(?:\.\d{1,6})?)?|(?-i:Z)",
    "Z": r"utc|gmt",
    "A": _names(DAYS),
    "a": _names(day[:3] for day in DAYS),
    "B": _names(MONTHS),
    "b": _names(month[:3] for month in MONTHS),
    "p": "am|pm",
}
_PATTERN_SHORTHANDS = {"c": "%a %b %d %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S",
                       "D": "%m/%d/%y", "T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d"}


def _pattern_of(form):
    for code, long in _PATTERN_SHORTHANDS.items():
        form = form.replace("%" + code, long)
    escaped = _re.sub(r"([\\.^$*+?\(\){}\[\]|])", r"\\\1", form)
    escaped = _re.sub(r"\s+", r"\\s+", escaped)
    out = []
    at = 0
    while at < len(escaped):
        if escaped[at] != "%":
            out.append(escaped[at])
            at += 1
            continue
        code = escaped[at + 1:at + 2]
        if not code:
            raise ValueError(f"stray %% in format '{form}'".replace("%%", "%"))
        if code == "%":
            out.append("%")
        elif code in _PATTERNS:
            out.append(f"(?P<{code}>{_PATTERNS[code]})")
        else:
            raise ValueError(f"'{code}' is a bad directive in format '{form}'")
        at += 2
    return "".join(out)


def _offset_us(text):
    if text == "Z":
        return 0
    digits = text[1:].replace(":", "")
    whole, _, rest = digits.partition(".")
    seconds = int(whole[:2]) * 3600 + int(whole[2:4]) * 60 + int(whole[4:6] or "0")
    return (-1 if text[0] == "-" else 1) * (seconds * 10**6 + int((rest + "000000")[:6]))


def _year_of(found):
    if "y" not in found:
        return int(found.get("Y", "1900"))
    year = int(found["y"])
    return year + (2000 if year <= 68 else 1900)


def _month_of(found):
    for code, length in (("B", None), ("b", 3)):
        if code in found:
            names = [month[:length].lower() for month in MONTHS]
            return names.index(found[code].lower()) + 1
    return int(found.get("m", "1"))


def parse_moment(text, form):
    """(year, month, day, hour, minute, second, microsecond), day of the year or None, offset
    in microseconds or None, name of the zone or None."""
    for argument, number in ((text, 0), (form, 1)):
        if not isinstance(argument, str):
            raise TypeError(f"strptime() argument {number} must be str, not "
                            f"{type(argument).__name__}")
    match = _re.match(_pattern_of(form), text, _re.IGNORECASE)
    if match is None:
        raise ValueError(f"time data {text!r} does not match format {form!r}")
    if match.end() != len(text):
        raise ValueError(f"unconverted data remains: {text[match.end():]}")
    found = match.groupdict()
    hour = int(found.get("H", "0"))
    if "I" in found:
        hour = int(found["I"]) % 12 + (12 if found.get("p", "").lower() == "pm" else 0)
    offset = _offset_us(found["z"]) if "z" in found else None
    if "Z" in found and offset is None and found["Z"].lower() in ("utc", "gmt"):
        zone = None
    else:
        zone = found.get("Z")
    day_of_year = int(found["j"]) if "j" in found and "d" not in found else None
    return ((_year_of(found), _month_of(found), int(found.get("d", "1")), hour,
             int(found.get("M", "0")), int(found.get("S", "0")),
             int((found.get("f", "") + "000000")[:6])), day_of_year, offset, zone)


_ISO_DATE = _re.compile(r"(\d{4})-(\d{2})-(\d{2})|(\d{4})(\d{2})(\d{2})|"
                        r"(\d{4})-?W(\d{2})(?:-?(\d))?")
_ISO_TIME = _re.compile(r"(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?"
                        r"(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2}(?:\.\d+)?)?)?)?")


def parse_iso_date(text):
    """(year, month, day), or (year, week, day, "week"), and where it ends; or None."""
    match = _ISO_DATE.match(text)
    if match is None:
        return None
    groups = match.groups()
    for first in (0, 3):
        if groups[first] is not None:
            return tuple(int(group) for group in groups[first:first + 3]), match.end()
    return (int(groups[6]), int(groups[7]), int(groups[8] or "1"), "week"), match.end()


def parse_iso_time(text):
    """(hour, minute, second, microsecond), offset in microseconds or None; or None."""
    match = _ISO_TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute, second, rest, offset = match.groups()
    parts = (int(hour), int(minute or "0"), int(second or "0"),
             int(((rest or "") + "000000")[:6]))
    if offset is None:
        return parts, None
    if offset != "Z" and len(offset) == 3:
        offset += "00"
    return parts, _offset_us(offset)
