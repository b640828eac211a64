"""io: texts and bytes that are read and written like files."""
import _machine

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    closed = False

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def close(self):
        self.closed = True

    def flush(self):
        self._check()

    def readable(self):
        self._check()
        return True

    writable = seekable = readable

    def isatty(self):
        self._check()
        return False

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def readlines(self, hint=-1):
        lines = []
        taken = 0
        for line in self:
            lines.append(line)
            taken += len(line)
            if hint is not None and 0 < hint <= taken:
                break
        return lines

    def __iter__(self):
        self._check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, kind, error, trace):
        self.close()


class TextIOBase(IOBase):
    encoding = errors = newlines = None


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOWrapper(TextIOBase):
    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False,
                 write_through=False):
        self.buffer, self.encoding, self.errors = buffer, encoding or "UTF-8", errors or "strict"
        self._text = None

    def _reader(self):
        if self._text is None:
            text = self.buffer.read().decode(self.encoding, self.errors)
            self._text = StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
        return self._text

    def read(self, size=-1):
        return self._reader().read(size)

    def readline(self, size=-1):
        return self._reader().readline(size)

    def write(self, s):
        self.buffer.write(s.encode(self.encoding, self.errors))
        return len(s)

    def detach(self):
        return self.buffer


class StringIO(TextIOBase):
    """What was written at the end is kept in parts, until somebody wants the whole."""

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is None:
            initial_value = ""
        if not isinstance(initial_value, str):
            raise TypeError("initial_value must be str or None, not "
                            + type(initial_value).__name__)
        if newline is None:
            initial_value = initial_value.replace("\r\n", "\n").replace("\r", "\n")
        self._text, self._parts, self._size, self._at = initial_value, [], len(initial_value), 0

    def _whole(self):
        if self._parts:
            self._text += "".join(self._parts)
            self._parts.clear()
        return self._text

    def write(self, s, /):
        if self.closed:
            self._check()
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got '{type(s).__name__}'")
        length = len(s)
        if self._at == self._size:
            self._parts.append(s)
            self._size += length
        else:
            text = self._whole()
            self._text = text[:self._at].ljust(self._at, "\0") + s + text[self._at + length:]
            self._size = len(self._text)
        self._at += length
        return length

    def getvalue(self):
        self._check()
        return self._whole()

    def read(self, size=-1, /):
        self._check()
        end = self._size if size is None or size < 0 else self._at + size
        piece = self._whole()[self._at:end]
        self._at += len(piece)
        return piece

    def readline(self, size=-1, /):
        self._check()
        text = self._whole()
        end = text.find("\n", self._at) + 1 or self._size
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        piece = text[self._at:end]
        self._at += len(piece)
        return piece

    def tell(self):
        self._check()
        return self._at

    def seek(self, pos, whence=0, /):
        self._check()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._at = (pos, self._at, self._size)[whence]
        return self._at

    def truncate(self, size=None, /):
        self._check()
        if size is None:
            size = self._at
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        self._text = self._whole()[:size]
        self._size = len(self._text)
        return size


_machine.show_module(StringIO, "_io")
_machine.show_module(TextIOWrapper, "_io")


class BytesIO(BufferedIOBase):
    def __init__(self, initial_bytes=b""):
        self._bytes, self._at = bytes(initial_bytes), 0

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


_machine.show_module(BytesIO, "_io")
