"""Of unittest: what with statements of a test take."""
import logging as _logging
import re as _re
import warnings as _warnings


class SkipTest(Exception):
    pass


class Raises:
    def __init__(self, case, expected, pattern=None, msg=None):
        self._case, self.expected, self._pattern, self._msg = case, expected, pattern, msg

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None:
            names = (", ".join(one.__name__ for one in self.expected)
                     if isinstance(self.expected, tuple) else self.expected.__name__)
            self._case.fail(self._case._formatMessage(self._msg, f"{names} not raised"))
        if not isinstance(error, self.expected):
            return False
        self.exception = error
        if self._pattern is not None and not _re.search(self._pattern, str(error)):
            pattern = getattr(self._pattern, "pattern", self._pattern)
            self._case.fail(f'"{pattern}" does not match "{error}"')
        return True


class Warns(Raises):
    def __enter__(self):
        self._catcher = _warnings.catch_warnings(record=True)
        self.warnings = self._catcher.__enter__()
        _warnings.simplefilter("always")
        return self

    def __exit__(self, kind, error, trace):
        self._catcher.__exit__(kind, error, trace)
        if error is not None:
            return False
        for found in self.warnings:
            if isinstance(found.message, self.expected) and (
                    self._pattern is None or _re.search(self._pattern, str(found.message))):
                self.warning = found.message
                return True
        self._case.fail(f"{self.expected.__name__} not triggered")


class Logs(_logging.Handler):
    def __init__(self, case, logger, level):
        super().__init__()
        self._case, self._logger = case, logger
        self._level = _logging.getLevelName(level) if isinstance(level, str) else level or 20
        self.records, self.output = [], []
        self.setFormatter(_logging.Formatter("%(levelname)s:%(name)s:%(message)s"))

    def emit(self, record):
        self.records.append(record)
        self.output.append(self.format(record))

    def __enter__(self):
        logger = self._logger
        self._before = logger.handlers, logger.level, logger.propagate
        logger.handlers, logger.level, logger.propagate = [self], self._level, False
        return self

    def __exit__(self, kind, error, trace):
        self._logger.handlers, self._logger.level, self._logger.propagate = self._before
        if error is None and not self.records:
            name, level = self._logger.name, _logging.getLevelName(self._level)
            self._case.fail(f"no logs of level {level} or higher triggered on {name}")


class SubTest:
    def __init__(self, case, message, params):
        self._case, self._message, self._params = case, message, params

    def __str__(self):
        shown = [f"[{self._message}]"] if self._message is not None else []
        if self._params:
            shown.append("(" + ", ".join(f"{key}={value!r}"
                                         for key, value in self._params.items()) + ")")
        return f"{self._case} {' '.join(shown) or '(<subtest>)'}"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None or not isinstance(error, Exception) or isinstance(error, SkipTest):
            return False
        self._case._sub_failures.append((self, error))
        return True
