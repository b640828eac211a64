"""Of datetime: datetime itself."""
import _datetime_text as _text
import time as _clock
from _datetime_moments import (EPOCH, Clocked, bad_iso, date, read_date, time, time_tuple,
                               zone_of)
from _datetime_spans import (DAY_US, MAX_ORDINAL, check_date, check_zone, date_of, missing, span,
                             timedelta, timezone)


def _midnight_us(moment):
    return (moment.toordinal() - EPOCH) * DAY_US


class datetime(date, Clocked):
    _has_time = True

    def __init__(self, year=None, month=None, day=None, hour=0, minute=0, second=0,
                 microsecond=0, tzinfo=None, *, fold=0):
        missing(("year", "month", "day"), (year, month, day))
        self._year, self._month, self._day = check_date(year, month, day)
        self._set_clock(hour, minute, second, microsecond, tzinfo, fold)

    @classmethod
    def now(cls, tz=None):
        return cls._at(round(_clock.time() * 10**6), check_zone(tz))

    @classmethod
    def utcnow(cls):
        return cls.now()

    @classmethod
    def today(cls):
        return cls.now()

    @classmethod
    def _at(cls, microseconds, zone):
        """That many microseconds after the epoch, as the zone (None: UTC) has it."""
        days, rest = divmod(microseconds, DAY_US)
        if not 1 <= EPOCH + days <= MAX_ORDINAL:
            raise ValueError(f"year {1970 + days * 400 // 146097} is out of range")
        seconds, us = divmod(rest, 10**6)
        moment = cls(*date_of(EPOCH + days), seconds // 3600, seconds // 60 % 60, seconds % 60, us)
        return moment if zone is None else zone.fromutc(moment.replace(tzinfo=zone))

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        return cls._at(round(timestamp * 10**6), check_zone(tz))

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return cls._at(round(timestamp * 10**6), None)

    @classmethod
    def combine(cls, day, clock, tzinfo=True):
        if not isinstance(day, date):
            raise TypeError("combine() argument 1 must be datetime.date, not "
                            f"{type(day).__name__}")
        if not isinstance(clock, time):
            raise TypeError("combine() argument 2 must be datetime.time, not "
                            f"{type(clock).__name__}")
        return cls(day.year, day.month, day.day, clock.hour, clock.minute, clock.second,
                   clock.microsecond, clock.tzinfo if tzinfo is True else tzinfo, fold=clock.fold)

    @classmethod
    def fromisoformat(cls, text):
        if not isinstance(text, str):
            raise TypeError("fromisoformat: argument must be str")
        found = read_date(text)
        if found is None:
            raise bad_iso(text)
        day, end = found
        if end == len(text):
            return cls(*day)
        clock = _text.parse_iso_time(text[end + 1:])
        if clock is None:
            raise bad_iso(text)
        return cls(*day, *clock[0], zone_of(clock[1]))

    @classmethod
    def strptime(cls, text, format):
        parts, day_of_year, offset, zone = _text.parse_moment(text, format)
        moment = cls(*parts, zone_of(offset, zone))
        if day_of_year is not None:
            moment = moment.replace(month=1, day=1) + timedelta(day_of_year - 1)
        return moment

    def _moment(self):
        return self

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return time(self._hour, self._minute, self._second, self._microsecond, fold=self._fold)

    def timetz(self):
        return self.time().replace(tzinfo=self._zone)

    def timestamp(self):
        return self._in_utc() / 10**6

    def timetuple(self):
        dst = self.dst()
        return time_tuple(self, self._hour, self._minute, self._second,
                          -1 if dst is None else int(bool(dst)))

    def utctimetuple(self):
        offset = self.utcoffset()
        moment = self if offset is None else self.replace(tzinfo=None) - offset
        return time_tuple(moment, moment.hour, moment.minute, moment.second, 0)

    def astimezone(self, tz=None):
        zone = timezone.utc if tz is None else check_zone(tz)
        offset = self.utcoffset()
        naive = self.replace(tzinfo=None)
        return zone.fromutc((naive if offset is None else naive - offset).replace(tzinfo=zone))

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None,
                microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(self._year if year is None else year,
                          self._month if month is None else month,
                          self._day if day is None else day,
                          self._hour if hour is None else hour,
                          self._minute if minute is None else minute,
                          self._second if second is None else second,
                          self._microsecond if microsecond is None else microsecond,
                          self._zone if tzinfo is True else tzinfo,
                          fold=self._fold if fold is None else fold)

    def isoformat(self, sep="T", timespec="auto"):
        return (f"{self._year:04}-{self._month:02}-{self._day:02}{sep}"
                f"{_text.iso_time(self, timespec)}{self._iso_offset()}")

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        return (f"datetime.datetime({self._year}, {self._month}, {self._day}, "
                f"{self._clock_repr()})")

    def __hash__(self):
        return hash((self.toordinal(), self._in_utc()))

    def _us(self):
        """Microseconds since the epoch, by the clock on its own wall."""
        return _midnight_us(self) + self._us_of_day()

    def _in_utc(self):
        offset = self.utcoffset()
        return self._us() - (0 if offset is None else offset._us)

    def _difference(self, other, doing):
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError(f"can't {doing} offset-naive and offset-aware datetimes")
        if self._zone is other._zone:
            return self._us() - other._us()
        return self._in_utc() - other._in_utc()

    def _compare(self, other):
        """Less than 0, 0, or more than 0; None for what is no datetime."""
        if isinstance(other, datetime):
            return self._difference(other, "compare")
        if isinstance(other, date):
            raise TypeError("can't compare datetime.datetime to datetime.date")
        return None

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return False if isinstance(other, date) else NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            return False
        return self._difference(other, "compare") == 0

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

    def __add__(self, other):
        return self._shifted(other._us) if isinstance(other, timedelta) else NotImplemented

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self._shifted(-other._us)
        if isinstance(other, datetime):
            return span(self._difference(other, "subtract"))
        return NotImplemented

    def _shifted(self, microseconds):
        days, us = divmod(self._us() + microseconds, DAY_US)
        if not 1 <= EPOCH + days <= MAX_ORDINAL:
            raise OverflowError("date value out of range")
        year, month, day = date_of(EPOCH + days)
        return self.replace(year, month, day, us // 3600000000, us // 60000000 % 60,
                            us // 1000000 % 60, us % 1000000)


datetime.min = datetime(1, 1, 1)
datetime.max = datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)
