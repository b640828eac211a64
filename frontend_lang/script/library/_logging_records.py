"""Of logging: levels, records, and how they become texts."""
import time as _time
import traceback as _traceback
from string import Template as _Template

CRITICAL = FATAL = 50
ERROR, WARNING, INFO, DEBUG, NOTSET = 40, 30, 20, 10, 0
WARN = WARNING

_names = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
_levels = {"CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARN": 30, "WARNING": 30, "INFO": 20,
           "DEBUG": 10, "NOTSET": 0}
_began = _time.time()


def getLevelName(level):
    if level in _names:
        return _names[level]
    return _levels[level] if level in _levels else f"Level {level}"


def addLevelName(level, levelName):
    _names[level], _levels[levelName] = levelName, level


def getLevelNamesMapping():
    return dict(_levels)


def check_level(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    if level not in _levels:
        raise ValueError(f"Unknown level: {level!r}")
    return _levels[level]


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None):
        self.name, self.msg, self.args = name, msg, args
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            self.args = args[0]
        self.levelname, self.levelno = getLevelName(level), level
        self.pathname, self.filename, self.module = pathname, pathname.split("/")[-1], "main"
        self.exc_info, self.exc_text, self.stack_info = exc_info, None, sinfo
        self.lineno, self.funcName = lineno, func
        self.created = _time.time()
        self.msecs = int((self.created - int(self.created)) * 1000) + 0.0
        self.relativeCreated = (self.created - _began) * 1000
        self.thread, self.threadName = 1, "MainThread"
        self.process, self.processName = 1, "MainProcess"

    def getMessage(self):
        message = str(self.msg)
        return message % self.args if self.args else message

    def __repr__(self):
        return (f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, '
                f'"{self.msg}">')


def makeLogRecord(dict):
    record = LogRecord(None, 0, "", 0, "", (), None)
    for name, value in dict.items():
        setattr(record, name, value)
    return record


class Formatter:
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s,%03d"
    converter = _time.localtime

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        default = {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._fmt, self.datefmt, self._style = fmt or default, datefmt, style
        self._defaults = defaults or {}

    def usesTime(self):
        return {"%": "%(asctime)", "{": "{asctime", "$": "${asctime}"}[self._style] in self._fmt

    def formatTime(self, record, datefmt=None):
        moment = _time.gmtime(record.created)
        if datefmt:
            return _time.strftime(datefmt, moment)
        text = _time.strftime(self.default_time_format, moment)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, ei):
        return "".join(_traceback.format_exception(ei[1])).rstrip("\n")

    def formatMessage(self, record):
        values = {**self._defaults, **vars(record)}
        if self._style == "%":
            return self._fmt % values
        if self._style == "{":
            return self._fmt.format(**values)
        return _Template(self._fmt).substitute(**values)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info):
            if more:
                text += ("" if text.endswith("\n") else "\n") + more
        return text


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or (record.name + ".").startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for one in self.filters:
            if not (one.filter(record) if hasattr(one, "filter") else one(record)):
                return False
        return True
