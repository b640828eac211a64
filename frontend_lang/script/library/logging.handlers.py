"""logging.handlers: those that need no file and no network."""
from logging import Handler


class BufferingHandler(Handler):
    def __init__(self, capacity):
        Handler.__init__(self)
        self.capacity, self.buffer = capacity, []

    def shouldFlush(self, record):
        return len(self.buffer) >= self.capacity

    def emit(self, record):
        self.buffer.append(record)
        if self.shouldFlush(record):
            self.flush()

    def flush(self):
        self.buffer.clear()


class MemoryHandler(BufferingHandler):
    def __init__(self, capacity, flushLevel=40, target=None, flushOnClose=True):
        BufferingHandler.__init__(self, capacity)
        self.flushLevel, self.target, self.flushOnClose = flushLevel, target, flushOnClose

    def shouldFlush(self, record):
        return len(self.buffer) >= self.capacity or record.levelno >= self.flushLevel

    def setTarget(self, target):
        self.target = target

    def flush(self):
        if self.target:
            for record in self.buffer:
                self.target.handle(record)
            self.buffer.clear()

    def close(self):
        if self.flushOnClose:
            self.flush()


class QueueHandler(Handler):
    def __init__(self, queue):
        Handler.__init__(self)
        self.queue = queue

    def emit(self, record):
        self.queue.put_nowait(record)


def _refused(name):
    class FileHandler(Handler):
        def __init__(self, *args, **kwargs):
            raise PermissionError(f"logging.handlers.{name}: programs may not write files")
    return FileHandler


RotatingFileHandler = _refused("RotatingFileHandler")
TimedRotatingFileHandler = _refused("TimedRotatingFileHandler")
WatchedFileHandler = _refused("WatchedFileHandler")
