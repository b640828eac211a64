"""calendar: which days a month has, and texts of months and years."""
import datetime as _datetime

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
January, February = 1, 2
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
day_abbr = [name[:3] for name in day_name]
month_name = ["", "January", "February", "March", "April", "May", "June", "July", "August",
              "September", "October", "November", "December"]
month_abbr = [name[:3] for name in month_name]
_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class IllegalMonthError(ValueError):
    def __init__(self, month):
        self.month = month

    def __str__(self):
        return f"bad month number {self.month!r}; must be 1-12"


class IllegalWeekdayError(ValueError):
    def __init__(self, weekday):
        self.weekday = weekday

    def __str__(self):
        return f"bad weekday number {self.weekday!r}; must be 0 (Monday) to 6 (Sunday)"


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    y1, y2 = y1 - 1, y2 - 1
    return (y2 // 4 - y1 // 4) - (y2 // 100 - y1 // 100) + (y2 // 400 - y1 // 400)


def weekday(year, month, day):
    if not 1 <= year <= 9999:
        year = 2000 + year % 400
    return _datetime.date(year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return weekday(year, month, 1), _DAYS[month] + (month == 2 and isleap(year))


def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    days = _datetime.date(year, month, 1).toordinal() - _datetime.date(1970, 1, 1).toordinal()
    return (((days + day - 1) * 24 + hour) * 60 + minute) * 60 + second


class Calendar:
    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday

    def getfirstweekday(self):
        return self.firstweekday % 7

    def setfirstweekday(self, firstweekday):
        self.firstweekday = firstweekday

    def iterweekdays(self):
        for i in range(self.firstweekday, self.firstweekday + 7):
            yield i % 7

    def itermonthdays(self, year, month):
        first, count = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        after = (self.firstweekday - first - count) % 7
        yield from [0] * before
        yield from range(1, count + 1)
        yield from [0] * after

    def itermonthdays2(self, year, month):
        for i, day in enumerate(self.itermonthdays(year, month), self.firstweekday):
            yield day, i % 7

    def itermonthdates(self, year, month):
        first, count = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        start = _datetime.date(year, month, 1) - _datetime.timedelta(before)
        for i in range(len(list(self.itermonthdays(year, month)))):
            yield start + _datetime.timedelta(i)

    def _weeks(self, days):
        days = list(days)
        return [days[i:i + 7] for i in range(0, len(days), 7)]

    def monthdayscalendar(self, year, month):
        return self._weeks(self.itermonthdays(year, month))

    def monthdays2calendar(self, year, month):
        return self._weeks(self.itermonthdays2(year, month))

    def monthdatescalendar(self, year, month):
        return self._weeks(self.itermonthdates(year, month))


class TextCalendar(Calendar):
    def formatday(self, day, weekday, width):
        return ("" if day == 0 else f"{day:2}").center(width)

    def formatweek(self, theweek, width):
        return " ".join(self.formatday(day, weekday, width) for day, weekday in theweek)

    def formatweekday(self, day, width):
        return (day_name if width >= 9 else day_abbr)[day][:width].center(width)

    def formatweekheader(self, width):
        return " ".join(self.formatweekday(day, width) for day in self.iterweekdays())

    def formatmonthname(self, theyear, themonth, width, withyear=True):
        name = month_name[themonth]
        return (f"{name} {theyear!r}" if withyear else name).center(width)

    def formatmonth(self, theyear, themonth, w=0, l=0):
        w, l = max(2, w), max(1, l)
        lines = [self.formatmonthname(theyear, themonth, 7 * (w + 1) - 1).rstrip(),
                 self.formatweekheader(w).rstrip()]
        for week in self.monthdays2calendar(theyear, themonth):
            lines.append(self.formatweek(week, w).rstrip())
        return "".join(line + "\n" * l for line in lines)

    def prmonth(self, theyear, themonth, w=0, l=0):
        print(self.formatmonth(theyear, themonth, w, l), end="")


_calendar = TextCalendar()
firstweekday = _calendar.getfirstweekday
monthcalendar = _calendar.monthdayscalendar
month = _calendar.formatmonth
prmonth = _calendar.prmonth


def setfirstweekday(firstweekday):
    if not MONDAY <= firstweekday <= SUNDAY:
        raise IllegalWeekdayError(firstweekday)
    _calendar.firstweekday = firstweekday
