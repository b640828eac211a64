"""logging."""
import sys as _sys
import traceback as _traceback
from _logging_records import (CRITICAL, DEBUG, ERROR, FATAL, INFO, NOTSET, WARN, WARNING, Filter,
                              Filterer, Formatter, LogRecord, addLevelName, getLevelName,
                              getLevelNamesMapping, makeLogRecord)
from _logging_records import check_level as _check_level

raiseExceptions = True
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        Filterer.__init__(self)
        self.level, self.formatter, self.name = _check_level(level), None, None

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def setLevel(self, level):
        self.level = _check_level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _default_formatter).format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        if not self.filter(record):
            return False
        self.emit(record)
        return record

    def handleError(self, record):
        _sys.stderr.write("--- Logging error ---\n" + _traceback.format_exc())

    def acquire(self):
        pass

    release = flush = close = acquire

    def __repr__(self):
        return f"<{type(self).__name__} ({getLevelName(self.level)})>"


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        Handler.__init__(self)
        self.stream = _sys.stderr if stream is None else stream

    def flush(self):
        if self.stream and hasattr(self.stream, "flush"):
            self.stream.flush()

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        before, self.stream = self.stream, stream
        return None if stream is before else before

    def __repr__(self):
        name = str(getattr(self.stream, "name", ""))
        shown = f"{name} " if name else ""
        return f"<{type(self).__name__} {shown}({getLevelName(self.level)})>"


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        raise PermissionError(f"logging to {filename!r}: programs may not write files")


class NullHandler(Handler):
    def handle(self, record):
        pass

    emit = handle


class _LastResort(StreamHandler):
    def __init__(self, level):
        Handler.__init__(self, level)

    @property
    def stream(self):
        return _sys.stderr


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name, self.level = name, _check_level(level)
        self.parent, self.propagate, self.handlers, self.disabled = None, True, [], False

    def setLevel(self, level):
        self.level = _check_level(level)

    def getEffectiveLevel(self):
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled and level >= self.getEffectiveLevel()

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger is not None:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def getChild(self, suffix):
        return getLogger(suffix if self is root else f"{self.name}.{suffix}")

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None,
                   sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, value in (extra or {}).items():
            if key in ("message", "asctime") or key in vars(record):
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            setattr(record, key, value)
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if exc_info and not isinstance(exc_info, tuple):
            error = exc_info if isinstance(exc_info, BaseException) else _sys.exc_info()[1]
            exc_info = (type(error), error, None) if error is not None else None
        self.handle(self.makeRecord(self.name, level, _sys.argv[0], 0, msg, args, exc_info, None,
                                    extra))

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        logger, found = self, 0
        while logger is not None:
            for handler in logger.handlers:
                found += 1
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if not found and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


class RootLogger(Logger):
    pass


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.logger.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    @property
    def name(self):
        return self.logger.name


_default_formatter = Formatter()
lastResort = _LastResort(WARNING)
_disabled = NOTSET
root = RootLogger("root", WARNING)
_loggers = {}


def getLogger(name=None):
    if name is None or name == "root":
        return root
    if not isinstance(name, str):
        raise TypeError("A logger name must be a string")
    if name not in _loggers:
        made = Logger(name)
        above = name.rpartition(".")[0]
        while above and above not in _loggers:
            above = above.rpartition(".")[0]
        made.parent = _loggers.get(above, root)
        for other in _loggers.values():  # the nearest one above is the parent
            if other.parent is made.parent and other.name.startswith(name + "."):
                other.parent = made
        _loggers[name] = made
        return made
    return _loggers[name]


def basicConfig(*, level=None, format=None, datefmt=None, style="%", stream=None, handlers=None,
                force=False, filename=None, filemode="a", encoding=None, errors=None):
    if force:
        root.handlers.clear()
    if root.handlers:
        return
    if filename is not None:
        handlers = [FileHandler(filename, filemode)]
    elif handlers is None:
        handlers = [StreamHandler(stream)]
    basic = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}",
             "$": "${levelname}:${name}:${message}"}
    formatter = Formatter(format or basic[style], datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    global _disabled
    _disabled = _check_level(level)


def shutdown():
    pass


def captureWarnings(capture):
    pass


def _with_handler(log):
    def call(*args, **kwargs):
        if not root.handlers:
            basicConfig()
        log(*args, **kwargs)
    return call


debug, info, warning, error = map(_with_handler, (root.debug, root.info, root.warning, root.error))
critical, exception, log = map(_with_handler, (root.critical, root.exception, root.log))
warn, fatal = warning, critical
