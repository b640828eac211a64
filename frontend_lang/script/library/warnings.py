"""warnings: each goes to stderr, unless a filter ignores it, makes an error of it, or somebody
records it."""
import sys as _sys

filters = []
_seen = set()
_records = []  # lists of those who record, the newest last


class WarningMessage:
    def __init__(self, message, category, filename="", lineno=0, file=None, line=None, source=None):
        self.message, self.category = message, category
        self.filename, self.lineno = filename, lineno
        self.file, self.line, self.source = file, line, source

    def __str__(self):
        return (f"{{message : {self.message!r}, category : {self.category.__name__!r}, "
                f"filename : {self.filename!r}, lineno : {self.lineno}, line : {self.line!r}}}")


def _action_for(category, text):
    for action, known, message in filters:
        if issubclass(category, known) and text.lower().startswith(message.lower()):
            return action
    quiet = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
    return "ignore" if not _records and issubclass(category, quiet) else "default"


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    if not isinstance(message, Warning):
        message = category(message)
    action = _action_for(category, str(message))
    if action == "error":
        raise message
    key = (str(message), category)
    if action == "ignore" or action in ("default", "once", "module") and key in _seen:
        return
    _seen.add(key)
    showwarning(message, category, "", 0)


def warn_explicit(message, category, filename, lineno, module=None, registry=None):
    warn(message, category)


def showwarning(message, category, filename, lineno, file=None, line=None):
    if _records:
        _records[-1].append(WarningMessage(message, category, filename, lineno))
    else:
        _sys.stderr.write(f"{category.__name__}: {message}\n")


def formatwarning(message, category, filename, lineno, line=None):
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


def _check(action):
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise AssertionError(f"invalid action: {action!r}")


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _check(action)
    filters.insert(len(filters) if append else 0, (action, category, message))
    _seen.clear()


def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action, "", category, append=append)


def resetwarnings():
    filters.clear()


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0,
                 append=False):
        self._record, self._action, self._category = record, action, category

    def __enter__(self):
        self._filters, self._log = filters[:], [] if self._record else None
        if self._record:
            _records.append(self._log)
        if self._action is not None:
            simplefilter(self._action, self._category)
        _seen.clear()
        return self._log

    def __exit__(self, kind, error, trace):
        filters[:] = self._filters
        if self._record:
            _records.remove(self._log)
        _seen.clear()
