"""asyncio: what is written in the language itself, beside _asyncio."""
from _asyncio import (ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, BoundedSemaphore,
                      CancelledError, Event, Future, InvalidStateError, LifoQueue, Lock,
                      PriorityQueue, Queue, QueueEmpty, QueueFull, Semaphore, Task, TimeoutError,
                      all_tasks, as_completed, create_task, current_task, ensure_future, gather,
                      get_event_loop, get_running_loop, iscoroutine, iscoroutinefunction, isfuture,
                      new_event_loop, run, set_event_loop, shield, sleep, timeout, to_thread, wait,
                      wait_for)
from collections import deque as _deque


class BrokenBarrierError(RuntimeError):
    pass


class Condition:
    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self._waiting = _deque()
        self.locked, self.acquire, self.release = (self._lock.locked, self._lock.acquire,
                                                   self._lock.release)

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        notice = get_running_loop().create_future()
        self.release()
        try:
            self._waiting.append(notice)
            try:
                await notice
            finally:
                self._waiting.remove(notice)
            return True
        finally:
            await self._acquire_surely()

    async def _acquire_surely(self):
        """Acquires the lock whatever cancels it meanwhile, and raises that only then."""
        cancelled = None
        while True:
            try:
                await self.acquire()
                break
            except CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled

    async def wait_for(self, predicate):
        while not (result := predicate()):
            await self.wait()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for notice in self._waiting:
            if n == 0:
                break
            if not notice.done():
                notice.set_result(False)
                n -= 1

    def notify_all(self):
        self.notify(len(self._waiting))


class Barrier:
    def __init__(self, parties):
        if parties < 1:
            raise ValueError("parties must be > 0")
        self.parties, self.n_waiting, self.broken = parties, 0, False
        self._event = Event()

    async def wait(self):
        place = self.n_waiting
        self.n_waiting += 1
        event = self._event
        if self.n_waiting == self.parties:
            self.n_waiting, self._event = 0, Event()
            event.set()
        else:
            await event.wait()
        return place

    async def __aenter__(self):
        return await self.wait()

    async def __aexit__(self, kind, error, trace):
        pass


class TaskGroup:
    def __init__(self):
        self._tasks, self._errors = set(), []
        self._parent = self._all_done = None
        self._is_leaving = self._is_aborting = self._has_cancelled_parent = False

    def __repr__(self):
        return "<TaskGroup" + (" entered" if self._parent is not None else "") + ">"

    async def __aenter__(self):
        if self._parent is not None:
            raise RuntimeError(f"TaskGroup {self!r} has been already entered")
        self._parent = current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._parent is None:
            raise RuntimeError(f"TaskGroup {self!r} has not been entered")
        if self._is_leaving and not self._tasks:
            raise RuntimeError(f"TaskGroup {self!r} is finished")
        if self._is_aborting:
            raise RuntimeError(f"TaskGroup {self!r} is shutting down")
        task = create_task(coro, name=name)
        task.add_done_callback(self._on_done)
        self._tasks.add(task)
        return task

    def _abort(self):
        self._is_aborting = True
        for task in self._tasks:
            if not task.done():
                task.cancel()

    def _on_done(self, task):
        self._tasks.discard(task)
        if self._all_done is not None and not self._tasks and not self._all_done.done():
            self._all_done.set_result(True)
        if task.cancelled() or task.exception() is None:
            return
        self._errors.append(task.exception())
        if not self._is_aborting and not self._parent.done():
            self._abort()
            if not self._is_leaving or self._all_done is not None:
                self._has_cancelled_parent = True
                self._parent.cancel()

    async def __aexit__(self, kind, error, trace):
        self._is_leaving = True
        cancelled = error if isinstance(error, CancelledError) else None
        if self._has_cancelled_parent:
            cancelled = None  # by this group itself
        if kind is not None and not self._is_aborting:
            self._abort()
        while self._tasks:
            self._all_done = get_running_loop().create_future()
            try:
                await self._all_done
            except CancelledError as new:
                if not self._is_aborting:
                    cancelled = new
                    self._abort()
            self._all_done = None
        if cancelled is not None and not self._errors:
            raise cancelled
        if error is not None and not isinstance(error, CancelledError):
            self._errors.append(error)
        if self._errors:
            raise ExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None


class Runner:
    def __init__(self, *, debug=None, loop_factory=None):
        self._loop = new_event_loop()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def run(self, coro, *, context=None):
        return self._loop.run_until_complete(coro)

    def get_loop(self):
        return self._loop

    def close(self):
        self._loop.close()
