from datetime import date, datetime, time, timedelta, timezone
print(date(2024, 2, 29) + timedelta(366), repr(date(2024, 2, 29)), str(datetime(2024, 3, 5, 1, 2)))
print(timedelta(days=1.5, seconds=3.25, microseconds=0.5), repr(timedelta(hours=-1)), timedelta(-1, 5))
print(timedelta(1) / 3, timedelta(1) / timedelta(hours=7), timedelta(1) // timedelta(hours=7))
print(timedelta(1) % timedelta(hours=7), timedelta(1) * 1.1, 3 * timedelta(1), -timedelta(1, 2, 3))
print(abs(timedelta(-1)), timedelta(1) // 7, bool(timedelta()), timedelta(1).total_seconds())
print(repr(datetime(2024, 3, 5, 10, 20, 30, 5)), repr(datetime(2024, 3, 5, 1, 2, 3, 4, timezone.utc)))
print(datetime(2024, 3, 5, 1, 2, 3, 4, timezone(timedelta(hours=5, minutes=30))))
print(datetime(2024, 3, 5, tzinfo=timezone.utc).astimezone(timezone(timedelta(hours=-8), "PST")))
print(repr(timezone(timedelta(hours=1))), timezone(timedelta(hours=-3, minutes=-30)), timezone.utc)
print(sum([timedelta(1), timedelta(2)], timedelta()), max(date(2024, 1, 1), date(2024, 1, 2)))
print({date(2024, 1, 1): 1}[date(2024, 1, 1)], hash(timedelta(1)) == hash(timedelta(hours=24)))
print(isinstance(datetime(2024, 1, 1), date), type(date(2024, 1, 1)), type(timedelta()).__name__)
#---
from datetime import date, datetime, time
for text in ("2024-03-05T10:20:30.123456+02:00", "2024-03-05", "2024-03-05 10:20", "20240305T102030Z",
             "2024-W10-2", "x", "2024-03-05T25:00:00", "2024-13-01"):
    try:
        print(repr(datetime.fromisoformat(text)))
    except ValueError as error:
        print("ValueError:", error)
for text in ("2024-03-05", "20240305", "2024-W10-2", "2024-3-5", "2024-02-30"):
    try:
        print(repr(date.fromisoformat(text)))
    except ValueError as error:
        print("ValueError:", error)
print(repr(time.fromisoformat("04:05:06.1")), time(3, 4), time(3, 4, 5, 6), repr(time(3, 4, 5)))
#---
from datetime import date, datetime
d = datetime(2024, 3, 5, 13, 4, 5)
print(d.strftime("%Y-%m-%d %H:%M:%S %A %a %B %b %j %U %W %V %G %u %w %p %I %y"))
print(d.strftime("%c|%x|%X|%%|%f|%z|%Z|%D|%T|%F|%R|%e|%-d|%C"))
print(f"{d:%d.%m.%Y} {date(2024, 1, 2)} {d:%H}h", "{:%B}".format(d))
print(date(2024, 12, 30).isocalendar()[1], date(2024, 1, 1).ctime(), d.ctime())
print(d.isoformat(sep=" ", timespec="milliseconds"), d.isoformat(timespec="hours"))
print(d.timetuple().tm_yday, d.weekday(), d.isoweekday(), d.toordinal(), d.date(), d.time())
#---
from datetime import datetime
for text, form in (("2024-03-05 10:20:30", "%Y-%m-%d %H:%M:%S"), ("Mar 5 2024 01:20 pm", "%b %d %Y %I:%M %p"),
                   ("x", "%Y"), ("2024 1", "%Y"), ("2024", "%Q"), ("31/02/2024", "%d/%m/%Y"),
                   ("Tuesday, March 05, 24", "%A, %B %d, %y"), ("2024 060", "%Y %j"),
                   ("2024-03-05T01:02:03.5+0230", "%Y-%m-%dT%H:%M:%S.%f%z")):
    try:
        print(repr(datetime.strptime(text, form)))
    except ValueError as error:
        print("ValueError:", error)
#---
from datetime import date, datetime, timedelta, timezone
def tell(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__ + ":", error)
tell(lambda: date(2023, 2, 29))
tell(lambda: date(0, 1, 1))
tell(lambda: date(2023, 13, 1))
tell(lambda: date(2024))
tell(lambda: date("a", 1, 1))
tell(lambda: date(1.5, 1, 1))
tell(lambda: timedelta("a"))
tell(lambda: date(2024, 1, 1) < "a")
tell(lambda: date(2024, 1, 1) + 1)
tell(lambda: timedelta(1) + 1)
tell(lambda: datetime(2024, 1, 1) < date(2024, 1, 1))
tell(lambda: datetime(2024, 1, 1, tzinfo=timezone.utc) - datetime(2024, 1, 1))
tell(lambda: datetime(2024, 1, 1, tzinfo=timezone.utc) < datetime(2024, 1, 1))
tell(lambda: datetime(2024, 1, 1, 25))
tell(lambda: date.max + timedelta(1))
tell(lambda: datetime.min - timedelta(1))
tell(lambda: timezone(timedelta(days=2)))
tell(lambda: datetime(2024, 1, 2).isoformat(timespec="x"))
tell(lambda: datetime(2024, 1, 2, tzinfo="x"))
tell(lambda: datetime(2024, 1, 1) - date(2024, 1, 1))
tell(lambda: date.fromisoformat(5))
#---
from datetime import datetime, timedelta
import time
start = datetime.now()
assert timedelta(0) <= datetime.now() - start < timedelta(minutes=1)
born = datetime(1990, 5, 17)
print((datetime(2024, 1, 1) - born).days // 365)
print(time.strftime("%Y-%m-%d", time.gmtime(0)), time.gmtime(86400 * 59))
print(sorted([born, datetime(1980, 1, 1)])[0].year, born.replace(year=2000, month=2, day=29))
day = born
for _ in range(3):
    day += timedelta(weeks=1)
    print(day.strftime("%a %d %b"), end="; ")
print()
