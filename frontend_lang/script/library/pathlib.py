"""pathlib: paths as texts; and of files what the run grants (see open)."""
import glob as _glob
import os as _os


def _text_of(part):
    if isinstance(part, PurePath):
        return str(part)
    if isinstance(part, str):
        return part
    raise TypeError("expected str, bytes or os.PathLike object, not " + type(part).__name__)


def _parse(texts):
    """The root ("" or "/") and the names after it, of the joined texts."""
    joined = ""
    for text in texts:
        joined = text if text.startswith("/") else f"{joined}/{text}" if joined else text
    root = "//" if joined.startswith("//") and not joined.startswith("///") else (
        "/" if joined.startswith("/") else "")
    return root, [name for name in joined.split("/") if name not in ("", ".")]


class _Parents:
    def __init__(self, path):
        self._paths = []
        while path._names:
            path = path.parent
            self._paths.append(path)

    def __len__(self):
        return len(self._paths)

    def __getitem__(self, index):
        found = self._paths[index]
        return tuple(found) if isinstance(index, slice) else found

    def __iter__(self):
        return iter(self._paths)


class PurePosixPath:
    _shown = "PurePosixPath"

    def __init__(self, *pathsegments):
        self._root, self._names = _parse([_text_of(part) for part in pathsegments])

    def _with(self, root, names):
        made = type(self)()
        made._root, made._names = root, names
        return made

    @property
    def parts(self):
        return ((self._root,) if self._root else ()) + tuple(self._names)

    @property
    def drive(self):
        return ""

    @property
    def root(self):
        return self._root

    @property
    def anchor(self):
        return self._root

    @property
    def name(self):
        return self._names[-1] if self._names else ""

    @property
    def suffix(self):
        dot = self.name.rfind(".")
        return self.name[dot:] if 0 < dot < len(self.name) - 1 else ""

    @property
    def suffixes(self):
        if self.name.endswith("."):
            return []
        return ["." + suffix for suffix in self.name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        return self.name.removesuffix(self.suffix) if self.suffix else self.name

    @property
    def parent(self):
        return self._with(self._root, self._names[:-1])

    @property
    def parents(self):
        return _Parents(self)

    def joinpath(self, *other):
        return type(self)(self, *other)

    def __truediv__(self, other):
        return self.joinpath(other) if isinstance(other, (str, PurePath)) else NotImplemented

    def __rtruediv__(self, other):
        return type(self)(other, self) if isinstance(other, str) else NotImplemented

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._with(self._root, self._names[:-1] + [name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if "/" in suffix or suffix and not suffix.startswith(".") or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        return self.with_name(self.stem + suffix)

    def is_absolute(self):
        return bool(self._root)

    def as_posix(self):
        return str(self)

    def as_uri(self):
        if not self._root:
            raise ValueError("relative path can't be expressed as a file URI")
        return "file://" + str(self)

    def relative_to(self, *other):
        base = PurePath(*other)
        count = len(base.parts)
        if self.parts[:count] != base.parts:
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(base)!r} OR one path is "
                             "relative and the other is absolute.")
        return self._with("", list(self.parts[count:]))

    def is_relative_to(self, *other):
        base = PurePath(*other)
        return self.parts[:len(base.parts)] == base.parts

    def match(self, path_pattern):
        from fnmatch import fnmatchcase
        pattern = PurePath(path_pattern)
        if not pattern.parts:
            raise ValueError("empty pattern")
        parts = self.parts
        if pattern._root and len(parts) != len(pattern.parts) or len(parts) < len(pattern.parts):
            return False
        return all(fnmatchcase(part, wanted)
                   for part, wanted in zip(reversed(parts), reversed(pattern.parts)))

    def __str__(self):
        return self._root + "/".join(self._names) or "."

    def __repr__(self):
        return f"{self._shown}({str(self)!r})"

    def __hash__(self):
        return hash(self.parts)

    def __eq__(self, other):
        return self.parts == other.parts if isinstance(other, PurePath) else NotImplemented

    def __lt__(self, other):
        return self.parts < other.parts if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self.parts <= other.parts if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self.parts > other.parts if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self.parts >= other.parts if isinstance(other, PurePath) else NotImplemented


PurePath = PurePosixPath


class PosixPath(PurePosixPath):
    _shown = "PosixPath"

    def exists(self):
        return _os.path.exists(str(self))

    def is_file(self):
        return _os.path.isfile(str(self))

    def is_dir(self):
        return _os.path.isdir(str(self))

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return open(str(self), mode, encoding=encoding)

    def read_text(self, encoding=None, errors=None):
        with self.open("r", encoding=encoding) as file:
            return file.read()

    def read_bytes(self):
        with self.open("rb") as file:
            return file.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        with self.open("w", encoding=encoding) as file:
            return file.write(data)

    def iterdir(self):
        for name in _os.listdir(str(self)):
            yield self / name

    def glob(self, pattern):
        for name in _glob.glob(str(self / pattern), recursive="**" in pattern):
            yield type(self)(name)

    def rglob(self, pattern):
        return self.glob(f"**/{pattern}")

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        if not (exist_ok and self.is_dir()):
            raise PermissionError(f"Path.mkdir({str(self)!r}): programs may not write files")


Path = PosixPath
