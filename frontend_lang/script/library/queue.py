"""queue: what threads hand to each other."""
import _machine
import heapq as _heapq
import time as _time
from collections import deque as _deque


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self._init(maxsize)
        self.unfinished_tasks = 0
        self._changed = _machine.Signal()
        self._joined = _machine.Signal()

    def _init(self, maxsize):
        self.queue = _deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def _wait_while(self, is_stuck, block, timeout, error):
        if timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        end = None if timeout is None else _time.monotonic() + timeout
        while is_stuck():
            left = None if end is None else max(end - _time.monotonic(), 0)
            if not block or not self._changed.wait(left) and is_stuck():
                raise error

    def put(self, item, block=True, timeout=None):
        self._wait_while(self.full, block, timeout, Full)
        self._put(item)
        self.unfinished_tasks += 1
        self._changed.wake(-1)

    def get(self, block=True, timeout=None):
        self._wait_while(self.empty, block, timeout, Empty)
        item = self._get()
        self._changed.wake(-1)
        return item

    def put_nowait(self, item):
        self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks == 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1
        if self.unfinished_tasks == 0:
            self._joined.wake(-1)

    def join(self):
        while self.unfinished_tasks:
            self._joined.wait(None)


class LifoQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        _heapq.heappush(self.queue, item)

    def _get(self):
        return _heapq.heappop(self.queue)


class SimpleQueue(Queue):
    pass
