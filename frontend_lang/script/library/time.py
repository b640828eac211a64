"""time: clocks, sleep, and times taken apart. There is one local time: UTC."""
from _clock import (monotonic, monotonic_ns, perf_counter, perf_counter_ns, process_time,
                    process_time_ns, sleep, thread_time, time, time_ns)

timezone = altzone = daylight = 0
tzname = ("UTC", "UTC")
_NAMES = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday",
          "tm_isdst")


def _part(place):
    return property(lambda self: self[place])


class struct_time(tuple):
    (tm_year, tm_mon, tm_mday, tm_hour, tm_min, tm_sec, tm_wday, tm_yday,
     tm_isdst) = [_part(place) for place in range(9)]
    tm_zone = property(lambda self: "UTC")
    tm_gmtoff = property(lambda self: 0)

    def __repr__(self):
        parts = ", ".join(f"{name}={value}" for name, value in zip(_NAMES, self))
        return f"time.struct_time({parts})"


def _moment(parts):
    """The datetime of a struct_time."""
    from datetime import datetime
    return datetime(*tuple(parts)[:6])


def gmtime(secs=None):
    from datetime import datetime
    parts = datetime.utcfromtimestamp(int(time() if secs is None else secs)).timetuple()
    return struct_time(tuple(parts)[:8] + (0,))


localtime = gmtime


def mktime(t):
    return float(int(_moment(t).timestamp()))


def strftime(format, t=None):
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    return _moment(gmtime() if t is None else t).strftime(format)


def strptime(string, format="%a %b %d %H:%M:%S %Y"):
    from datetime import datetime
    return datetime.strptime(string, format).timetuple()


def asctime(t=None):
    return strftime("%a %b %e %H:%M:%S %Y", t)


def ctime(secs=None):
    return asctime(gmtime(secs))
