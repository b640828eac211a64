"""Of numpy: the array. Its items are the program's own numbers, row by row."""
import math as _math
import operator as _operator
from _numpy_numbers import (broadcast as _broadcast, divide as _divide, flat as _flat,
                            shape_of as _shape_of, sum_of as _sum, text_of_shape as _text_of_shape)

bool_, float32, float64, int32, int64 = bool, float, float, int, int


def array(object, dtype=None, copy=True):
    if isinstance(object, ndarray):
        made = object.copy()
    else:
        object = _plain(object)
        shape = _shape_of(object)
        made = ndarray(_flat(object, len(shape)), shape)
    return made if dtype is None else made.astype(dtype)


def _plain(nested):
    if isinstance(nested, ndarray):
        return nested.tolist()
    if isinstance(nested, (list, tuple, range)) or hasattr(nested, "keys") and list(nested):
        return [_plain(item) for item in nested]
    return nested


def asarray(a, dtype=None):
    return a if isinstance(a, ndarray) and dtype is None else array(a, dtype)


def of_function(function):
    def call(x):
        if isinstance(x, (list, tuple)):
            x = array(x)
        if isinstance(x, ndarray):
            return ndarray([function(item) for item in x._items], x.shape)
        return function(x)
    return call


def reduced(a, axis, function):
    """function(items): of all, or of each line along the axis."""
    if axis is None:
        return function(a._items)
    if axis < 0:
        axis += a.ndim
    if not 0 <= axis < a.ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {a.ndim}")
    if a.ndim == 1:
        return function(a._items)
    inner = _math.prod(a.shape[axis + 1:])
    block = inner * a.shape[axis]
    items = [function(a._items[outer * block + at:(outer + 1) * block:inner])
             for outer in range(_math.prod(a.shape[:axis])) for at in range(inner)]
    return ndarray(items, a.shape[:axis] + a.shape[axis + 1:])


def _operation(operate):
    def apply(self, other):
        if isinstance(other, (list, tuple)):
            other = array(other)
        if not isinstance(other, ndarray):
            return ndarray([operate(item, other) for item in self._items], self.shape)
        if self.shape == other.shape:
            return ndarray(list(map(operate, self._items, other._items)), self.shape)
        shape = _broadcast(self.shape, other.shape)
        left, right = self._spread(shape), other._spread(shape)
        return ndarray(list(map(operate, left, right)), shape)
    return apply


def _swapped(operate):
    return _operation(lambda x, y: operate(y, x))


class ndarray:
    def __init__(self, items, shape):
        self._items, self.shape = items, tuple(shape)

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return len(self._items)

    @property
    def dtype(self):
        kinds = {type(item) for item in self._items}
        return float if float in kinds or not kinds else int if int in kinds else kinds.pop()

    @property
    def T(self):
        return self.transpose()

    def transpose(self):
        if self.ndim < 2:
            return self
        rows, columns = self.shape
        return ndarray([self._items[r * columns + c] for c in range(columns) for r in range(rows)],
                       (columns, rows))

    def _spread(self, shape):
        own = (1,) * (len(shape) - self.ndim) + self.shape
        steps, step = [], 1
        for length in reversed(own):
            steps.insert(0, step if length > 1 else 0)
            step *= length
        places = [0]
        for length, step in zip(shape, steps):
            places = [place + at * step for place in places for at in range(length)]
        return [self._items[place] for place in places]

    def tolist(self):
        if self.ndim <= 1:
            return list(self._items) if self.ndim else self._items[0]
        return [row.tolist() for row in self]

    def item(self, *args):
        if not args and self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._items[args[0] if args else 0]

    def copy(self):
        return ndarray(list(self._items), self.shape)

    def astype(self, dtype):
        return ndarray([dtype(item) for item in self._items], self.shape)

    def flatten(self):
        return ndarray(list(self._items), (self.size,))

    ravel = flatten

    def reshape(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        if -1 in shape:
            known = -_math.prod(shape)
            if known and self.size % known == 0:
                shape = tuple(self.size // known if one == -1 else one for one in shape)
        if _math.prod(shape) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape "
                             f"{_text_of_shape(shape)}")
        return ndarray(list(self._items), shape)

    def squeeze(self):
        return ndarray(list(self._items), tuple(one for one in self.shape if one != 1))

    # ---- Items.

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return iter(self._items) if self.ndim == 1 else (self[at] for at in range(len(self)))

    def __contains__(self, item):
        return item in self._items

    def _row(self, at):
        if not isinstance(at, int):
            raise IndexError("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis "
                             "(`None`) and integer or boolean arrays are valid indices")
        length = self.shape[0]
        if not -length <= at < length:
            raise IndexError(f"index {at} is out of bounds for axis 0 with size {length}")
        return at % length

    def __getitem__(self, key):
        if isinstance(key, tuple):
            if len(key) == 1:
                return self[key[0]]
            first, rest = key[0], key[1:]
            if isinstance(first, int):
                return self[first][rest if len(rest) > 1 else rest[0]]
            rows = self[first]
            parts = [row[rest if len(rest) > 1 else rest[0]] for row in rows]
            return array(parts)
        if isinstance(key, (list, ndarray)):
            key = asarray(key)
            if key.dtype is bool:
                if key.ndim == self.ndim > 1:
                    kept = [item for item, keep in zip(self._items, key._items) if keep]
                    return ndarray(kept, (len(kept),))
                key = ndarray([at for at, keep in enumerate(key._items) if keep], key.shape)
            return self._taken([self._row(at) for at in key._items])
        if isinstance(key, slice):
            return self._taken(range(self.shape[0])[key])
        at = self._row(key)
        if self.ndim == 1:
            return self._items[at]
        inner = _math.prod(self.shape[1:])
        return ndarray(self._items[at * inner:(at + 1) * inner], self.shape[1:])

    def _taken(self, rows):
        inner = _math.prod(self.shape[1:])
        items = [item for at in rows for item in self._items[at * inner:(at + 1) * inner]]
        return ndarray(items, (len(rows),) + self.shape[1:])

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and len(key) == self.ndim == 2 and all(
                isinstance(one, int) for one in key):
            self._items[self._row(key[0]) * self.shape[1] + key[1] % self.shape[1]] = value
            return
        if isinstance(key, (list, ndarray)):
            key = asarray(key)
            rows = ([at for at, keep in enumerate(key._items) if keep] if key.dtype is bool
                    else [self._row(at) for at in key._items])
        elif isinstance(key, slice):
            rows = range(self.shape[0])[key]
        else:
            rows = [self._row(key)]
        inner = _math.prod(self.shape[1:])
        values = value if isinstance(value, (list, tuple)) else (
            value._items if isinstance(value, ndarray) else [value] * (len(rows) * inner))
        for place, at in enumerate(rows):
            self._items[at * inner:(at + 1) * inner] = values[place * inner:(place + 1) * inner]

    # ---- Of all items.

    def sum(self, axis=None):
        return reduced(self, axis, _sum)

    def mean(self, axis=None):
        return reduced(self, axis, lambda items: _sum(items) / len(items) if items else _math.nan)

    def var(self, axis=None, ddof=0):
        def spread(items):
            middle = _sum(items) / len(items)
            return _sum([(item - middle) ** 2 for item in items]) / (len(items) - ddof)
        return reduced(self, axis, spread)

    def std(self, axis=None, ddof=0):
        return of_function(_math.sqrt)(self.var(axis, ddof))

    def max(self, axis=None):
        return reduced(self, axis, max)

    def min(self, axis=None):
        return reduced(self, axis, min)

    def prod(self, axis=None):
        return reduced(self, axis, _math.prod)

    def argmax(self, axis=None):
        return reduced(self, axis, lambda items: items.index(max(items)))

    def argmin(self, axis=None):
        return reduced(self, axis, lambda items: items.index(min(items)))

    def argsort(self):
        return array(sorted(range(self.size), key=self._items.__getitem__))

    def sort(self):
        self._items.sort()

    def all(self, axis=None):
        return reduced(self, axis, all)

    def any(self, axis=None):
        return reduced(self, axis, any)

    def nonzero(self):
        return (array([at for at, item in enumerate(self._items) if item]),)

    def cumsum(self):
        total, sums = 0, []
        for item in self._items:
            total += item
            sums.append(total)
        return array(sums)

    def round(self, decimals=0):
        return ndarray([round(item, decimals) for item in self._items], self.shape)

    def clip(self, min, max):
        return ndarray([min if item < min else max if item > max else item
                        for item in self._items], self.shape)

    def dot(self, other):
        other = asarray(other)
        if self.ndim == other.ndim == 1:
            if self.shape != other.shape:
                raise ValueError(f"shapes {_text_of_shape(self.shape)} and "
                                 f"{_text_of_shape(other.shape)} not aligned: {self.size} (dim 0) "
                                 f"!= {other.size} (dim 0)")
            return sum(map(_operator.mul, self._items, other._items))
        if self.ndim == 1:
            return array([self.dot(column) for column in other.T])
        return array([row.dot(other) if other.ndim == 1 else
                      [row.dot(column) for column in other.T] for row in self])

    # ---- Operators.

    __add__, __radd__ = _operation(_operator.add), _operation(_operator.add)
    __sub__, __rsub__ = _operation(_operator.sub), _swapped(_operator.sub)
    __mul__, __rmul__ = _operation(_operator.mul), _operation(_operator.mul)
    __truediv__, __rtruediv__ = _operation(_divide), _swapped(_divide)
    __floordiv__, __mod__ = _operation(_operator.floordiv), _operation(_operator.mod)
    __pow__, __rpow__ = _operation(_operator.pow), _swapped(_operator.pow)
    __eq__, __ne__ = _operation(_operator.eq), _operation(_operator.ne)
    __lt__, __le__ = _operation(_operator.lt), _operation(_operator.le)
    __gt__, __ge__ = _operation(_operator.gt), _operation(_operator.ge)
    __and__, __or__ = _operation(_operator.and_), _operation(_operator.or_)
    __matmul__ = dot

    def __neg__(self):
        return ndarray([-item for item in self._items], self.shape)

    def __abs__(self):
        return ndarray([abs(item) for item in self._items], self.shape)

    def __invert__(self):
        return ndarray([not item if isinstance(item, bool) else ~item for item in self._items],
                       self.shape)

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. "
                             "Use a.any() or a.all()")
        return bool(self._items[0])

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    # ---- Text.

    def _texts(self):
        if not any(isinstance(item, float) for item in self._items):
            texts = [repr(item) for item in self._items]
            return [text.rjust(max(map(len, texts))) for text in texts]
        sizes = [abs(item) for item in self._items if item and _math.isfinite(item)]
        if sizes and (max(sizes) >= 1e8 or min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000):
            return self._exponents()
        shown = [f"{float(item):.8f}".rstrip("0") if _math.isfinite(item) else repr(float(item))
                 for item in self._items]
        decimals = max((len(text.partition(".")[2]) for text in shown if "." in text), default=0)
        shown = [text.partition(".")[0] + "." + text.partition(".")[2].ljust(decimals)
                 if "." in text else text for text in shown]
        return [text.rjust(max(map(len, shown))) for text in shown]

    def _exponents(self):
        shown = [f"{float(item):.8e}".partition("e") for item in self._items]
        parts = [(head.rstrip("0"), mark, tail) for head, mark, tail in shown]
        width = max(len(head) for head, _, _ in parts)
        texts = [head.ljust(width, "0") + mark + tail for head, mark, tail in parts]
        return [text.rjust(max(map(len, texts))) for text in texts]

    def _shown(self, texts, shape, separator, indent):
        if len(shape) == 1:
            return "[" + separator.join(texts) + "]"
        inner = _math.prod(shape[1:])
        rows = [self._shown(texts[at * inner:(at + 1) * inner], shape[1:], separator, indent + 1)
                for at in range(shape[0])]
        between = separator.rstrip() + "\n" * (len(shape) - 1) + " " * indent
        return "[" + between.join(rows) + "]"

    def __str__(self):
        if not self.shape:
            return str(self._items[0])
        return self._shown(self._texts(), self.shape, " ", 1)

    def __repr__(self):
        if not self.size:
            return "array([], dtype=float64)"
        if not self.shape:
            return f"array({self._items[0]!r})"
        return f"array({self._shown(self._texts(), self.shape, ', ', 7)})"
