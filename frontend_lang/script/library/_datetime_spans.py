"""Of datetime: timedelta, the zones, and the calendar.

A span is kept in microseconds. A date counts as the number of days from 1 January of the
year 1, which is day 1.
"""
import _datetime_text as _text
import math as _math

MINYEAR = 1
MAXYEAR = 9999

_DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAY_US = 86400 * 10**6
MAX_ORDINAL = 3652059


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_before_year(year):
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400


def days_in_month(year, month):
    return 29 if month == 2 and is_leap(year) else _DAYS_IN_MONTH[month - 1]


def ordinal_of(year, month, day):
    days = days_before_year(year) + day
    for other in range(1, month):
        days += days_in_month(year, other)
    return days


def date_of(ordinal):
    year = ordinal * 400 // 146097 + 1
    while days_before_year(year) >= ordinal:
        year -= 1
    day = ordinal - days_before_year(year)
    month = 1
    while day > days_in_month(year, month):
        day -= days_in_month(year, month)
        month += 1
    return year, month, day


def index(value):
    if isinstance(value, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if not isinstance(value, int):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
    return int(value)


def check_date(year, month, day):
    year, month, day = index(year), index(month), index(day)
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= days_in_month(year, month):
        raise ValueError("day is out of range for month")
    return year, month, day


def check_time(hour, minute, second, microsecond, fold):
    parts = [index(part) for part in (hour, minute, second, microsecond, fold)]
    for part, name, most in zip(parts, ("hour", "minute", "second", "microsecond"),
                                (23, 59, 59, 999999)):
        if not 0 <= part <= most:
            raise ValueError(f"{name} must be in 0..{most}")
    if parts[4] not in (0, 1):
        raise ValueError("fold must be either 0 or 1")
    return parts


def check_zone(zone):
    if zone is not None and not isinstance(zone, tzinfo):
        raise TypeError("tzinfo argument must be None or of a tzinfo subclass, not type "
                        f"'{type(zone).__name__}'")
    return zone


def missing(names, values):
    for number, (name, value) in enumerate(zip(names, values), 1):
        if value is None:
            raise TypeError(f"function missing required argument '{name}' (pos {number})")


def _nearest(a, b):
    """a / b to the nearest whole number, ties to even."""
    quotient, rest = divmod(a, b)
    rest *= 2
    beyond = rest > b if b > 0 else rest < b
    return quotient + 1 if beyond or (rest == b and quotient % 2 == 1) else quotient


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0,
                 weeks=0):
        total, left = 0, 0.0
        for name, value, unit in (("microseconds", microseconds, 1),
                                  ("milliseconds", milliseconds, 1000),
                                  ("seconds", seconds, 10**6), ("minutes", minutes, 60 * 10**6),
                                  ("hours", hours, 3600 * 10**6), ("days", days, DAY_US),
                                  ("weeks", weeks, 7 * DAY_US)):
            if isinstance(value, int):
                total += value * unit
            elif isinstance(value, float):
                part, whole = _math.modf(value)
                rest, more = _math.modf(part * unit)
                total += int(whole) * unit + int(more)
                left += rest
            else:
                raise TypeError(f"unsupported type for timedelta {name} component: "
                                f"{type(value).__name__}")
        odd = total % 2
        self._set(total + round(left + odd) - odd)

    def _set(self, microseconds):
        self._us = microseconds
        days = microseconds // DAY_US
        if not -999999999 <= days <= 999999999:
            raise OverflowError(f"days={days}; must have magnitude <= 999999999")

    @property
    def days(self):
        return self._us // DAY_US

    @property
    def seconds(self):
        return self._us % DAY_US // 10**6

    @property
    def microseconds(self):
        return self._us % 10**6

    def total_seconds(self):
        return self._us / 10**6

    def __repr__(self):
        parts = [f"{name}={value}" for name, value in (("days", self.days),
                                                       ("seconds", self.seconds),
                                                       ("microseconds", self.microseconds)) if value]
        return f"datetime.timedelta({', '.join(parts) or '0'})"

    def __str__(self):
        minutes, second = divmod(self.seconds, 60)
        text = f"{minutes // 60}:{minutes % 60:02}:{second:02}"
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return text + (f".{self.microseconds:06}" if self.microseconds else "")

    def __add__(self, other):
        return span(self._us + other._us) if isinstance(other, timedelta) else NotImplemented

    def __sub__(self, other):
        return span(self._us - other._us) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return span(-self._us)

    def __pos__(self):
        return self

    def __abs__(self):
        return span(abs(self._us))

    def __mul__(self, factor):
        if isinstance(factor, int):
            return span(self._us * factor)
        if isinstance(factor, float):
            a, b = factor.as_integer_ratio()
            return span(_nearest(self._us * a, b))
        return NotImplemented

    def __rmul__(self, factor):
        return self.__mul__(factor)

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._us / other._us
        if isinstance(other, int):
            return span(_nearest(self._us, other))
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return span(_nearest(self._us * b, a))
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._us // other._us
        return span(self._us // other) if isinstance(other, int) else NotImplemented

    def __mod__(self, other):
        return span(self._us % other._us) if isinstance(other, timedelta) else NotImplemented

    def __eq__(self, other):
        return self._us == other._us if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._us < other._us if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._us <= other._us if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._us > other._us if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._us >= other._us if isinstance(other, timedelta) else NotImplemented

    def __bool__(self):
        return self._us != 0

    def __hash__(self):
        return hash((self.days, self.seconds, self.microseconds))


def span(microseconds):
    made = timedelta()
    made._set(microseconds)
    return made


timedelta.min = timedelta(-999999999)
timedelta.max = timedelta(days=999999999, hours=23, minutes=59, seconds=59, microseconds=999999)
timedelta.resolution = timedelta(microseconds=1)


class tzinfo:
    def utcoffset(self, moment):
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def tzname(self, moment):
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def dst(self, moment):
        raise NotImplementedError("a tzinfo subclass must implement dst()")

    def fromutc(self, moment):
        return moment + self.utcoffset(moment)


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not "
                            f"{type(offset).__name__}")
        if not -DAY_US < offset._us < DAY_US:
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) "
                             f"and timedelta(hours=24), not {offset!r}.")
        self._offset, self._name = offset, name

    def utcoffset(self, moment):
        return self._offset

    def dst(self, moment):
        return None

    def tzname(self, moment):
        if self._name is not None:
            return self._name
        return "UTC" + (_text.offset_text(self._offset._us, ":") if self._offset else "")

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        name = "" if self._name is None else f", {self._name!r}"
        return f"datetime.timezone({self._offset!r}{name})"


timezone.utc = UTC = timezone(timedelta(0))
timezone.min = timezone(-timedelta(hours=23, minutes=59))
timezone.max = timezone(timedelta(hours=23, minutes=59))
