"""concurrent.futures: calls that run beside their caller, each in a strand of its own."""
import _machine
import threading as _threading
import time as _time
from collections import deque as _deque, namedtuple as _namedtuple

FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = (
    "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED")
DoneAndNotDoneFutures = _namedtuple("DoneAndNotDoneFutures", "done not_done")
_MOST_WORKERS = 32


class Error(Exception):
    pass


class CancelledError(Error):
    pass


class InvalidStateError(Error):
    pass


TimeoutError = TimeoutError


class BrokenExecutor(RuntimeError):
    pass


class Future:
    def __init__(self):
        self._state, self._result, self._error = "pending", None, None
        self._ended, self._callbacks = _machine.Signal(), []

    def done(self):
        return self._state in ("cancelled", "finished")

    def running(self):
        return self._state == "running"

    def cancelled(self):
        return self._state == "cancelled"

    def cancel(self):
        if self._state in ("running", "finished"):
            return False
        self._end("cancelled")
        return True

    def _wait(self, timeout):
        end = None if timeout is None else _time.monotonic() + timeout
        while not self.done():
            left = None if end is None else max(end - _time.monotonic(), 0)
            if not self._ended.wait(left) and not self.done():
                raise TimeoutError()
        if self._state == "cancelled":
            raise CancelledError()

    def result(self, timeout=None):
        self._wait(timeout)
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self, timeout=None):
        self._wait(timeout)
        return self._error

    def add_done_callback(self, function):
        if self.done():
            function(self)
        else:
            self._callbacks.append(function)

    def set_running_or_notify_cancel(self):
        if self._state == "cancelled":
            return False
        self._state = "running"
        return True

    def set_result(self, result):
        self._result = result
        self._end("finished")

    def set_exception(self, error):
        self._error = error
        self._end("finished")

    def _end(self, state):
        if self.done():
            return
        self._state = state
        self._ended.wake(-1)
        for callback in self._callbacks:
            callback(self)

    def __repr__(self):
        detail = ""
        if self._state == "finished":
            detail = (f" returned {type(self._result).__name__}" if self._error is None
                      else f" raised {type(self._error).__name__}")
        return f"<Future at 0x7f0000000000 state={self._state}{detail}>"


class Executor:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.shutdown(wait=True)
        return False

    def map(self, function, *iterables, timeout=None, chunksize=1):
        end = None if timeout is None else _time.monotonic() + timeout
        futures = [self.submit(function, *args) for args in zip(*iterables)]

        def results():
            try:
                for future in futures:
                    yield future.result(None if end is None else max(end - _time.monotonic(), 0))
            finally:
                for future in futures:
                    future.cancel()
        return results()


class ThreadPoolExecutor(Executor):
    _num_pools = 0

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._max_workers = max_workers or _MOST_WORKERS
        self._name = thread_name_prefix or f"ThreadPoolExecutor-{ThreadPoolExecutor._num_pools}"
        ThreadPoolExecutor._num_pools += 1
        self._initializer, self._initargs = initializer, initargs
        self._calls = _deque()
        self._has_calls = _machine.Signal()
        self._workers, self._num_idle, self._is_shut = [], 0, False

    def submit(self, function, /, *args, **kwargs):
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        self._calls.append((future, function, args, kwargs))
        if self._num_idle > 0:
            self._num_idle -= 1
            self._has_calls.wake(1)
        elif len(self._workers) < self._max_workers:
            worker = _threading.Thread(target=self._work, daemon=True,
                                       name=f"{self._name}_{len(self._workers)}")
            self._workers.append(worker)
            worker.start()
        return future

    def _work(self):
        if self._initializer is not None:
            self._initializer(*self._initargs)
        while True:
            while not self._calls:
                if self._is_shut:
                    return
                self._num_idle += 1
                self._has_calls.wait(None)
            self._call(*self._calls.popleft())

    def _call(self, future, function, args, kwargs):
        if not future.set_running_or_notify_cancel():
            return
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._is_shut = True
        if cancel_futures:
            while self._calls:
                self._calls.popleft()[0].cancel()
        self._has_calls.wake(-1)
        if wait:
            for worker in self._workers:
                worker.join()


class ProcessPoolExecutor(ThreadPoolExecutor):
    pass


class _Watch:
    """Hears of the futures that end, in that order."""

    def __init__(self, futures):
        self.ended, self.signal = _deque(), _machine.Signal()
        for future in futures:
            future.add_done_callback(self._hear)

    def _hear(self, future):
        self.ended.append(future)
        self.signal.wake(-1)


def as_completed(fs, timeout=None):
    end = None if timeout is None else _time.monotonic() + timeout
    futures = list(dict.fromkeys(fs))
    watch = _Watch(futures)
    for number in range(len(futures)):
        while not watch.ended:
            left = None if end is None else max(end - _time.monotonic(), 0)
            if not watch.signal.wait(left) and not watch.ended:
                raise TimeoutError(f"{len(futures) - number} (of {len(futures)}) futures unfinished")
        yield watch.ended.popleft()


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    end = None if timeout is None else _time.monotonic() + timeout
    futures = set(fs)
    watch = _Watch(futures)

    def is_enough():
        done = [future for future in futures if future.done()]
        if len(done) == len(futures) or return_when == FIRST_COMPLETED and done:
            return True
        return return_when == FIRST_EXCEPTION and any(
            not future.cancelled() and future.exception() is not None for future in done)

    while not is_enough():
        left = None if end is None else max(end - _time.monotonic(), 0)
        if not watch.signal.wait(left):
            break
    done = {future for future in futures if future.done()}
    return DoneAndNotDoneFutures(done, futures - done)
