"""io."""
from _io import StringIO

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


class UnsupportedOperation(OSError, ValueError):
    pass


class BytesIO:
    def __init__(self, initial_bytes=b""):
        self._bytes, self._at, self.closed = bytes(initial_bytes), 0, False

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def getvalue(self):
        self._check()
        return self._bytes

    def read(self, size=-1):
        self._check()
        end = len(self._bytes) if size is None or size < 0 else self._at + size
        piece = self._bytes[self._at:end]
        self._at += len(piece)
        return piece

    def readline(self, size=-1):
        end = self._bytes.find(b"\n", self._at) + 1
        return self.read((end or len(self._bytes)) - self._at)

    def readlines(self):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, b):
        self._check()
        if not isinstance(b, bytes):
            raise TypeError(f"a bytes-like object is required, not '{type(b).__name__}'")
        before = self._bytes[:self._at].ljust(self._at, b"\0")
        self._bytes = before + b + self._bytes[self._at + len(b):]
        self._at += len(b)
        return len(b)

    def tell(self):
        self._check()
        return self._at

    def seek(self, offset, whence=0):
        self._check()
        self._at = max(0, offset + (0, self._at, len(self._bytes))[whence])
        return self._at

    def truncate(self, size=None):
        self._bytes = self._bytes[:self._at if size is None else size]
        return len(self._bytes)

    def getbuffer(self):
        return self._bytes

    def close(self):
        self.closed = True

    def flush(self):
        self._check()

    def readable(self):
        return True

    writable = seekable = readable

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, kind, error, trace):
        self.close()
