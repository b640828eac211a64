"""Of collections: ChainMap, UserDict, UserList, UserString."""


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(mapping)
        return merged

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def keys(self):
        return self._merged().keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"

    def __eq__(self, other):
        other = dict(other) if isinstance(other, (dict, ChainMap)) else None
        return NotImplemented if other is None else dict(self.items()) == other

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    def __or__(self, other):
        made = self.copy()
        made.maps[0].update(other)
        return made

    def new_child(self, m=None, **kwargs):
        child = kwargs if m is None else m
        if m is not None:
            child.update(kwargs)
        return type(self)(child, *self.maps)

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    def update(self, *args, **kwargs):
        self.maps[0].update(*args, **kwargs)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *args):
        if key not in self.maps[0] and not args:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        return self.maps[0].pop(key, *args)

    def clear(self):
        self.maps[0].clear()


class UserDict:
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        missing = getattr(self, "__missing__", None)
        if missing is not None:
            return missing(key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserDict) else other)

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def keys(self):
        return self.data.keys()

    def values(self):
        return self.data.values()

    def items(self):
        return self.data.items()

    def get(self, key, default=None):
        return self[key] if key in self else default

    def pop(self, key, *default):
        if key not in self.data and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        return self.data.popitem()

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), /, **kwargs):
        pairs = other.items() if hasattr(other, "items") else other
        for key, value in pairs:
            self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def clear(self):
        self.data.clear()

    def copy(self):
        made = type(self)()
        made.data = self.data.copy()
        return made


class UserList:
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, item):
        return item in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserList) else other)

    def __add__(self, other):
        return type(self)(self.data + list(other))

    def __iadd__(self, other):
        self.data += list(other)
        return self

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __radd__(self, other):
        return type(self)(list(other) + self.data)

    def __reversed__(self):
        return reversed(self.data)

    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, UserList) else other)

    def append(self, item):
        self.data.append(item)

    def extend(self, other):
        self.data.extend(other)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return type(self)(self)

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *, key=None, reverse=False):
        self.data.sort(key=key, reverse=reverse)


class UserString:
    def __init__(self, seq):
        self.data = seq.data[:] if isinstance(seq, UserString) else str(seq)

    def __str__(self):
        return str(self.data)

    def __repr__(self):
        return repr(self.data)

    def __hash__(self):
        return hash(self.data)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return type(self)(self.data[index])

    def __contains__(self, char):
        return _text(char) in self.data

    def __iter__(self):
        return (type(self)(char) for char in self.data)

    def __eq__(self, other):
        return self.data == _text(other)

    def __lt__(self, other):
        return self.data < _text(other)

    def __le__(self, other):
        return self.data <= _text(other)

    def __gt__(self, other):
        return self.data > _text(other)

    def __ge__(self, other):
        return self.data >= _text(other)

    def __add__(self, other):
        return type(self)(self.data + str(_text(other)))

    def __radd__(self, other):
        return type(self)(str(_text(other)) + self.data)

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return type(self)(self.data % args)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)


def _text(value):
    return value.data if isinstance(value, UserString) else value


def _wrapping(name):
    """The method of str, whose texts are of the class that it is called on."""
    def method(self, *args, **kwargs):
        made = getattr(self.data, name)(*map(_text, args), **kwargs)
        return type(self)(made) if isinstance(made, str) else made
    return method


for _name in ("capitalize", "casefold", "center", "count", "encode", "endswith", "expandtabs",
              "find", "format", "index", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit",
              "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle",
              "isupper", "ljust", "lower", "lstrip", "partition", "removeprefix", "removesuffix",
              "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split",
              "splitlines", "startswith", "strip", "swapcase", "title", "translate", "upper",
              "zfill"):
    setattr(UserString, _name, _wrapping(_name))
