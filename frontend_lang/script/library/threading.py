"""threading: functions that run beside their callers. One runs at a time, until it waits."""
import _machine

TIMEOUT_MAX = 9223372036.0
_num_threads = 0
_alive = []  # threads, in the order in which they began


class ThreadError(RuntimeError):
    pass


class Lock:
    def __init__(self):
        self._held = False
        self._signal = _machine.Signal()

    def acquire(self, blocking=True, timeout=-1):
        while self._held:
            if not blocking or not self._signal.wait(None if timeout < 0 else timeout):
                return False
        self._held = True
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        self._signal.wake(1)

    def locked(self):
        return self._held

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()


class RLock:
    def __init__(self):
        self._lock = Lock()
        self._owner, self._depth = None, 0

    def acquire(self, blocking=True, timeout=-1):
        if self._owner != _machine.strand_number():
            if not self._lock.acquire(blocking, timeout):
                return False
            self._owner = _machine.strand_number()
        self._depth += 1
        return True

    def release(self):
        if self._owner != _machine.strand_number():
            raise RuntimeError("cannot release un-acquired lock")
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            self._lock.release()

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()


class Condition:
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self._signal = _machine.Signal()
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.acquire()

    def __exit__(self, kind, error, trace):
        self._lock.release()

    def wait(self, timeout=None):
        self._lock.release()
        try:
            return self._signal.wait(timeout)
        finally:
            self._lock.acquire()

    def wait_for(self, predicate, timeout=None):
        while not predicate():
            if not self.wait(timeout):
                return predicate()
        return True

    def notify(self, n=1):
        self._signal.wake(n)

    def notify_all(self):
        self._signal.wake(-1)


class Event:
    def __init__(self):
        self._is_set = False
        self._signal = _machine.Signal()

    def is_set(self):
        return self._is_set

    def set(self):
        self._is_set = True
        self._signal.wake(-1)

    def clear(self):
        self._is_set = False

    def wait(self, timeout=None):
        while not self._is_set:
            if not self._signal.wait(timeout):
                return self._is_set
        return True


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value
        self._signal = _machine.Signal()

    def acquire(self, blocking=True, timeout=None):
        while self._value == 0:
            if not blocking or not self._signal.wait(timeout):
                return False
        self._value -= 1
        return True

    def release(self, n=1):
        self._value += n
        self._signal.wake(n)

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._most = value

    def release(self, n=1):
        if self._value + n > self._most:
            raise ValueError("Semaphore released too many times")
        super().release(n)


class Barrier:
    def __init__(self, parties):
        self.parties, self.n_waiting = parties, 0
        self._signal = _machine.Signal()

    def wait(self, timeout=None):
        place = self.n_waiting
        self.n_waiting += 1
        if self.n_waiting < self.parties:
            self._signal.wait(timeout)
        else:
            self.n_waiting = 0
            self._signal.wake(-1)
        return self.parties - 1 - place


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _num_threads
        if name is None:
            _num_threads += 1
            name = f"Thread-{_num_threads}"
            if target is not None and hasattr(target, "__name__"):
                name += f" ({target.__name__})"
        self.name, self.daemon = name, bool(daemon)
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self._started, self._ended = False, Event()

    @property
    def ident(self):
        return self._number if self._started else None

    def start(self):
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._started = True
        _machine.start(self._run_all)

    def _run_all(self):
        self._number = _machine.strand_number()
        _alive.append(self)
        try:
            self.run()
        except SystemExit:
            pass
        except BaseException as error:
            _machine.tell_error(f"Exception in thread {self.name}:\n", error)
        finally:
            _alive.remove(self)
            self._ended.set()

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")
        self._ended.wait(timeout)

    def is_alive(self):
        return self._started and not self._ended.is_set()

    def __repr__(self):
        state = "initial" if not self._started else "stopped" if self._ended.is_set() else "started"
        return f"<{type(self).__name__}({self.name}, {state})>"


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self.interval, self.finished = interval, Event()

    def cancel(self):
        self.finished.set()

    def run(self):
        if not self.finished.wait(self.interval):
            super().run()
        self.finished.set()


class _MainThread(Thread):
    def __init__(self):
        super().__init__(name="MainThread", daemon=False)
        self._started, self._number = True, _machine.strand_number()


class local:
    """Its attributes are those of the thread that asks."""

    def _own(self):
        values = vars(current_thread()).setdefault("_local_values", {})
        return values.setdefault(id(self), {})

    def __getattr__(self, name):
        own = self._own()
        if name not in own:
            kind = "_thread._local" if type(self) is local else type(self).__name__
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")
        return own[name]

    def __setattr__(self, name, value):
        self._own()[name] = value

    def __delattr__(self, name):
        if name not in self._own():
            raise AttributeError(name)
        del self._own()[name]


_main = _MainThread()


def main_thread():
    return _main


def current_thread():
    for thread in _alive:
        if thread._number == _machine.strand_number():
            return thread
    return _main


def get_ident():
    return _machine.strand_number()


def active_count():
    return len(_alive) + 1


def enumerate():
    return [_main] + _alive
