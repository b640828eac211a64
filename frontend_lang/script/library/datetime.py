"""Dates, times and the spans between them. There is one local time: UTC."""
import _machine
from _datetime_datetime import datetime
from _datetime_moments import date, time
from _datetime_spans import MAXYEAR, MINYEAR, UTC, timedelta, timezone, tzinfo

for _type in (date, datetime, time, timedelta, timezone, tzinfo):
    _machine.show_module(_type, "datetime")
