"""Of pydantic: dates, times, spans, UUIDs and paths from texts and numbers, and back.

read(kind, value) gives (value, None, None), or (None, type, message) of the error.
"""
from datetime import date, datetime, time, timedelta, timezone, tzinfo


class TzInfo(tzinfo):
    def __init__(self, seconds=0):
        self._seconds = seconds

    def utcoffset(self, moment):
        return timedelta(seconds=self._seconds)

    def dst(self, moment):
        return None

    def tzname(self, moment):
        return str(self)

    def __repr__(self):
        return f"TzInfo({self._seconds})"

    def __str__(self):
        if not self._seconds:
            return "UTC"
        sign, rest = ("-", -self._seconds) if self._seconds < 0 else ("+", self._seconds)
        return f"{sign}{rest // 3600:02d}:{rest // 60 % 60:02d}"

    def __eq__(self, other):
        return isinstance(other, TzInfo) and other._seconds == self._seconds

    def __hash__(self):
        return hash(self._seconds)


def _number(text, begin, count, what):
    digits = text[begin:begin + count]
    if len(digits) < count:
        raise ValueError("input is too short")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("invalid character in " + what)
    return int(digits)


def _date(text):
    """The date that the text begins with; it is ten characters long."""
    if len(text) < 10:
        raise ValueError("input is too short")
    year = _number(text, 0, 4, "year")
    if text[4] != "-":
        raise ValueError("invalid date separator, expected `-`")
    month = _number(text, 5, 2, "month")
    if text[7] != "-":
        raise ValueError("invalid date separator, expected `-`")
    day = _number(text, 8, 2, "day")
    if not 1 <= month <= 12:
        raise ValueError("month value is outside expected range of 1-12")
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError("day value is outside expected range") from None


def _zone(text):
    """The zone that is all of the text."""
    if not text:
        return None
    if text in ("Z", "z"):
        return TzInfo()
    if text[0] not in "+-":
        raise ValueError("unexpected extra characters at the end of the input")
    digits = text[1:].replace(":", "", 1)
    if len(digits) < 4:
        raise ValueError("input is too short")
    hour, minute = _number(digits, 0, 2, "timezone offset"), _number(digits, 2, 2,
                                                                     "timezone offset")
    if len(digits) > 4:
        raise ValueError("unexpected extra characters at the end of the input")
    if minute > 59:
        raise ValueError("timezone offset minute value is outside expected range of 0-59")
    if hour > 23:
        raise ValueError("timezone offset must be less than 24 hours")
    seconds = hour * 3600 + minute * 60
    return TzInfo(seconds if text[0] == "+" else -seconds)


def _time(text):
    hour = _number(text, 0, 2, "hour")
    if len(text) < 5:
        raise ValueError("input is too short")
    if text[2] != ":":
        raise ValueError("invalid time separator, expected `:`")
    minute = _number(text, 3, 2, "minute")
    second = micro = 0
    rest = text[5:]
    if rest.startswith(":"):
        second = _number(rest, 1, 2, "second")
        rest = rest[3:]
        if rest[:1] in (".", ","):
            digits = rest[1:len(rest) - len(rest[1:].lstrip("0123456789"))]
            if not digits:
                raise ValueError("second fraction value is outside expected range")
            micro = int(digits[:6].ljust(6, "0"))
            rest = rest[1 + len(digits):]
    for value, most, what in ((hour, 23, "hour"), (minute, 59, "minute"), (second, 59, "second")):
        if value > most:
            raise ValueError(f"{what} value is outside expected range of 0-{most}")
    return time(hour, minute, second, micro, _zone(rest))


def _of_number(number):
    """A moment in seconds after the epoch, or milliseconds where those would be too many."""
    if number != number:
        raise ValueError("NaN values not permitted")
    if abs(number) > 20_000_000_000:
        number /= 1000
    try:
        return datetime(1970, 1, 1, tzinfo=TzInfo()) + timedelta(microseconds=round(number * 10**6))
    except OverflowError:
        raise ValueError("dates after 9999 are not supported as unix timestamps") from None


def _as_number(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    text = value.strip() if isinstance(value, str) else ""
    digits = text.removeprefix("-").removeprefix("+").replace(".", "", 1)
    return float(text) if digits.isascii() and digits.isdigit() else None


def _datetime(text):
    if len(text) > 10 and text[10] in "Tt_ ":
        try:
            day, clock = _date(text), _time(text[11:])
        except ValueError:
            day = None
        if day is not None:
            return datetime.combine(day, clock)
    day = _date(text)
    if len(text) > 10:
        raise ValueError("unexpected extra characters at the end of the input")
    return datetime(day.year, day.month, day.day)


def _read_datetime(value):
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    number = _as_number(value)
    try:
        if number is not None:
            return _of_number(number)
        if isinstance(value, str):
            return _datetime(value.strip())
    except ValueError as error:
        return "datetime_from_date_parsing", f"Input should be a valid datetime or date, {error}"
    return "datetime_type", "Input should be a valid datetime"


def _read_date(value):
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, datetime):
        number = _as_number(value)
        if number is None and not isinstance(value, str):
            return "date_type", "Input should be a valid date"
        try:
            value = _of_number(number) if number is not None else _datetime(value.strip())
        except ValueError as error:
            return "date_from_datetime_parsing", f"Input should be a valid date or datetime, {error}"
    if (value.hour, value.minute, value.second, value.microsecond) != (0, 0, 0, 0):
        return ("date_from_datetime_inexact",
                "Datetimes provided to dates should have zero time - e.g. be exact dates")
    return value.date()


def _read_time(value):
    if isinstance(value, time):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < 0:
            return "time_parsing", "Input should be in a valid time format, time in seconds should be positive"
        if value >= 86400:
            return ("time_parsing", "Input should be in a valid time format, numeric times may not "
                    "exceed 86,399 seconds")
        return _of_number(value).timetz()
    if not isinstance(value, str):
        return "time_type", "Input should be a valid time"
    try:
        if len(value) < 5:
            raise ValueError("input is too short")
        return _time(value)
    except ValueError as error:
        return "time_parsing", f"Input should be in a valid time format, {error}"


def _duration(text):
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("+-")
    if text[:1] in ("P", "p"):
        return sign * _iso_duration(text[1:])
    days = 0
    words = text.split(None, 2)
    if len(words) > 1 and words[1].rstrip(",").lower() in ("d", "day", "days"):
        if not words[0].isdigit():
            raise ValueError("invalid digit in duration")
        days, text = int(words[0]), words[2] if len(words) > 2 else ""
        if not text:
            return sign * timedelta(days=days)
    parts = text.split(":")
    whole, _, fraction = parts[-1].partition(".")
    digits = parts[:-1] + [whole] + ([fraction] if fraction else [])
    if not all(part.isascii() and part.isdigit() for part in digits):
        raise ValueError("invalid digit in duration")
    if len(parts) not in (2, 3):
        raise ValueError("input is too short")
    hours, minutes = int(parts[0]), int(parts[1])
    seconds = int(parts[2].partition(".")[0]) if len(parts) == 3 else 0
    micro = int(fraction[:6].ljust(6, "0")) if fraction else 0
    return sign * timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds,
                            microseconds=micro)


def _iso_duration(text):
    units = {"Y": 365 * 86400, "W": 7 * 86400, "D": 86400, "TH": 3600, "TM": 60, "TS": 1,
             "M": 30 * 86400}
    total, number, clock = 0.0, "", ""
    if not text:
        raise ValueError("input is too short")
    for mark in text.upper():
        if mark == "T" and not number:
            clock = "T"
        elif mark.isdigit() or mark == ".":
            number += mark
        elif clock + mark not in units or not number:
            raise ValueError("invalid digit in duration")
        else:
            total, number = total + float(number) * units[clock + mark], ""
    if number:
        raise ValueError("input is too short")
    return timedelta(seconds=total)


def _read_timedelta(value):
    if isinstance(value, timedelta):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return timedelta(seconds=value)
    if not isinstance(value, str):
        return "time_delta_type", "Input should be a valid timedelta"
    number = _as_number(value)
    try:
        return timedelta(seconds=number) if number is not None else _duration(value)
    except ValueError as error:
        return "time_delta_parsing", f"Input should be a valid timedelta, {error}"


def _read_uuid(value):
    from uuid import UUID
    if isinstance(value, UUID):
        return value
    if not isinstance(value, str):
        return "uuid_type", "UUID input should be a string, bytes or UUID object"
    try:
        return UUID(value)
    except ValueError:
        pass
    plain = value.removeprefix("urn:uuid:").strip("{}")
    for i, mark in enumerate(plain):
        if mark not in "0123456789abcdefABCDEF-":
            return "uuid_parsing", ("Input should be a valid UUID, invalid character: found "
                                    f"`{mark}` at {i + 1}")
    size = len(plain.replace("-", ""))
    return "uuid_parsing", f"Input should be a valid UUID, invalid length: expected length 32 for simple format, found {size}"


def _read_path(value):
    from pathlib import Path
    if isinstance(value, Path):
        return value
    if isinstance(value, str):
        return Path(value)
    return "path_type", "Input is not a valid path for <class 'pathlib.Path'>"


_READERS = {"datetime": _read_datetime, "date": _read_date, "time": _read_time,
            "timedelta": _read_timedelta, "UUID": _read_uuid, "Path": _read_path,
            "PosixPath": _read_path}


def read(kind, value):
    made = _READERS[kind](value)
    return (None, *made) if isinstance(made, tuple) else (made, None, None)


def _span_text(span):
    sign = "-" if span < timedelta(0) else ""
    span = abs(span)
    minutes, seconds = divmod(span.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}H" * (hours > 0) + f"{minutes}M" * (minutes > 0)
    if seconds or span.microseconds:
        fraction = f".{span.microseconds:06d}".rstrip("0") if span.microseconds else ""
        clock += f"{seconds}{fraction}S"
    days = f"{span.days}D" if span.days else ""
    return f"{sign}P{days}" + ("T" + clock if clock else "" if days else "T0S")


def show(value):
    if isinstance(value, timedelta):
        return _span_text(value)
    if isinstance(value, (date, time)):
        text = value.isoformat()
        return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
    return str(value)
