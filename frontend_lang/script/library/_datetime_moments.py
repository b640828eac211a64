"""Of datetime: date, time, and what datetime shares with them."""
import _datetime_text as _text
import time as _clock
from _datetime_spans import (MAX_ORDINAL, check_date, check_time, check_zone, date_of,
                             days_before_year, index, missing, ordinal_of, span, timedelta,
                             timezone)
from collections import namedtuple as _namedtuple

EPOCH = 719163  # the ordinal of 1 January 1970
IsoCalendarDate = _namedtuple("IsoCalendarDate", "year week weekday")


def bad_iso(text):
    return ValueError(f"Invalid isoformat string: {text!r}")


def _week_date(year, week, weekday):
    if not 1 <= week <= 53:
        raise ValueError(f"Invalid week: {week}")
    if not 1 <= weekday <= 7:
        raise ValueError(f"Invalid weekday: {weekday} (range is [1, 7])")
    first = ordinal_of(year, 1, 4)
    ordinal = first - (first - 1) % 7 + (week - 1) * 7 + weekday - 1
    if week == 53 and date.fromordinal(ordinal).isocalendar()[0] != year:
        raise ValueError(f"Invalid week: {week}")
    return date_of(ordinal)


def read_date(text):
    """The date that a text begins with, and where it ends; None where there is none."""
    found = _text.parse_iso_date(text)
    if found is None or len(found[0]) == 3:
        return found
    return _week_date(*found[0][:3]), found[1]


class date:
    _has_time = False

    def __init__(self, year=None, month=None, day=None):
        missing(("year", "month", "day"), (year, month, day))
        self._year, self._month, self._day = check_date(year, month, day)

    @property
    def year(self):
        return self._year

    @property
    def month(self):
        return self._month

    @property
    def day(self):
        return self._day

    @classmethod
    def fromordinal(cls, ordinal):
        if index(ordinal) < 1:
            raise ValueError("ordinal must be >= 1")
        if ordinal > MAX_ORDINAL:
            raise ValueError(f"year {ordinal * 400 // 146097 + 1} is out of range")
        return cls(*date_of(ordinal))

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_clock.time())

    @classmethod
    def fromtimestamp(cls, seconds):
        return cls(*date_of(EPOCH + int(seconds // 86400)))

    @classmethod
    def fromisoformat(cls, text):
        if not isinstance(text, str):
            raise TypeError("fromisoformat: argument must be str")
        found = read_date(text)
        if found is None or found[1] != len(text):
            raise bad_iso(text)
        return cls(*found[0])

    @classmethod
    def fromisocalendar(cls, year, week, day):
        return cls(*_week_date(year, week, day))

    def toordinal(self):
        return ordinal_of(self._year, self._month, self._day)

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year,
                          self._month if month is None else month,
                          self._day if day is None else day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        thursday = self.toordinal() + 3 - self.weekday()
        year = date_of(thursday)[0]
        return IsoCalendarDate(year, (thursday - days_before_year(year) - 1) // 7 + 1,
                               self.isoweekday())

    def isoformat(self):
        return f"{self._year:04}-{self._month:02}-{self._day:02}"

    def ctime(self):
        return _text.format_moment(self, "%c")

    def strftime(self, format):
        if not isinstance(format, str):
            raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
        return _text.format_moment(self, format)

    def timetuple(self):
        return time_tuple(self, 0, 0, 0, -1)

    def __format__(self, form):
        return self.strftime(form) if form else str(self)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.date({self._year}, {self._month}, {self._day})"

    def __hash__(self):
        return hash((self._year, self._month, self._day))

    def _key(self, other):
        """What to compare by with another date; NotImplemented for anything else."""
        if isinstance(other, date) and not other._has_time:
            return other.toordinal()
        return NotImplemented

    def __eq__(self, other):
        key = self._key(other)
        return key if key is NotImplemented else self.toordinal() == key

    def __lt__(self, other):
        key = self._key(other)
        return key if key is NotImplemented else self.toordinal() < key

    def __le__(self, other):
        key = self._key(other)
        return key if key is NotImplemented else self.toordinal() <= key

    def __gt__(self, other):
        key = self._key(other)
        return key if key is NotImplemented else self.toordinal() > key

    def __ge__(self, other):
        key = self._key(other)
        return key if key is NotImplemented else self.toordinal() >= key

    def __add__(self, other):
        return self._moved(other.days) if isinstance(other, timedelta) else NotImplemented

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self._moved(-other.days)
        if isinstance(other, date) and not other._has_time:
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def _moved(self, days):
        ordinal = self.toordinal() + days
        if not 1 <= ordinal <= MAX_ORDINAL:
            raise OverflowError("date value out of range")
        return type(self)(*date_of(ordinal))


def time_tuple(moment, hour, minute, second, dst):
    day_of_year = moment.toordinal() - days_before_year(moment.year)
    return _clock.struct_time((moment.year, moment.month, moment.day, hour, minute, second,
                               moment.weekday(), day_of_year, dst))


class Clocked:
    """What time and datetime share: the parts of the day, and a zone."""

    @property
    def hour(self):
        return self._hour

    @property
    def minute(self):
        return self._minute

    @property
    def second(self):
        return self._second

    @property
    def microsecond(self):
        return self._microsecond

    @property
    def tzinfo(self):
        return self._zone

    @property
    def fold(self):
        return self._fold

    def _set_clock(self, hour, minute, second, microsecond, zone, fold):
        (self._hour, self._minute, self._second, self._microsecond,
         self._fold) = check_time(hour, minute, second, microsecond, fold)
        self._zone = check_zone(zone)

    def _us_of_day(self):
        return ((self._hour * 60 + self._minute) * 60 + self._second) * 10**6 + self._microsecond

    def utcoffset(self):
        return None if self._zone is None else self._zone.utcoffset(self._moment())

    def tzname(self):
        return None if self._zone is None else self._zone.tzname(self._moment())

    def dst(self):
        return None if self._zone is None else self._zone.dst(self._moment())

    def _iso_offset(self):
        offset = self.utcoffset()
        return "" if offset is None else _text.offset_text(offset._us, ":")

    def _clock_repr(self):
        parts = [self._hour, self._minute]
        if self._second or self._microsecond:
            parts.append(self._second)
        if self._microsecond:
            parts.append(self._microsecond)
        text = ", ".join(str(part) for part in parts)
        if self._zone is not None:
            text += f", tzinfo={self._zone!r}"
        return text + (", fold=1" if self._fold else "")


class time(Clocked):
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        self._set_clock(hour, minute, second, microsecond, tzinfo, fold)

    @classmethod
    def fromisoformat(cls, text):
        if not isinstance(text, str):
            raise TypeError("fromisoformat: argument must be str")
        found = _text.parse_iso_time(text.removeprefix("T"))
        if found is None:
            raise bad_iso(text)
        return cls(*found[0], zone_of(found[1]))

    def _moment(self):
        return None

    def isoformat(self, timespec="auto"):
        return _text.iso_time(self, timespec) + self._iso_offset()

    def strftime(self, format):
        from _datetime_datetime import datetime
        return datetime.combine(date(1900, 1, 1), self).strftime(format)

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *,
                fold=None):
        return type(self)(self._hour if hour is None else hour,
                          self._minute if minute is None else minute,
                          self._second if second is None else second,
                          self._microsecond if microsecond is None else microsecond,
                          self._zone if tzinfo is True else tzinfo,
                          fold=self._fold if fold is None else fold)

    def __format__(self, form):
        return self.strftime(form) if form else str(self)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.time({self._clock_repr()})"

    def __hash__(self):
        return hash(self._in_utc())

    def _in_utc(self):
        offset = self.utcoffset()
        return self._us_of_day() - (0 if offset is None else offset._us)

    def _compare(self, other):
        """Less than 0, 0, or more than 0; None for what is no time."""
        if not isinstance(other, time):
            return None
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't compare offset-naive and offset-aware times")
        return self._in_utc() - other._in_utc()

    def __eq__(self, other):
        if isinstance(other, time) and (self.utcoffset() is None) != (other.utcoffset() is None):
            return False
        order = self._compare(other)
        return NotImplemented if order is None else order == 0

    def __lt__(self, other):
        order = self._compare(other)
        return NotImplemented if order is None else order < 0

    def __le__(self, other):
        order = self._compare(other)
        return NotImplemented if order is None else order <= 0

    def __gt__(self, other):
        order = self._compare(other)
        return NotImplemented if order is None else order > 0

    def __ge__(self, other):
        order = self._compare(other)
        return NotImplemented if order is None else order >= 0


def zone_of(offset_us, name=None):
    if offset_us is None:
        return None
    if offset_us == 0 and name is None:
        return timezone.utc
    return timezone(span(offset_us)) if name is None else timezone(span(offset_us), name)


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(1)
time.min, time.max = time(0), time(23, 59, 59, 999999)
time.resolution = timedelta(microseconds=1)
