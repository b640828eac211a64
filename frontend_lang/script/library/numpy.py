"""numpy: arrays of numbers, as far as programs that count and average use them."""
import math as _math
from _numpy_array import (array, asarray, bool_, float32, float64, int32, int64, ndarray,
                          of_function, reduced)
import numpy.random as random

_largest, _total = max, sum  # the built-in ones: numpy has its own of these names
pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan
newaxis = None


def zeros(shape, dtype=None):
    return full(shape, 0 if dtype in (int, int32, int64) else False if dtype is bool else 0.0)


def ones(shape, dtype=None):
    return full(shape, 1 if dtype in (int, int32, int64) else True if dtype is bool else 1.0)


def full(shape, fill_value, dtype=None):
    if isinstance(shape, int):
        shape = (shape,)
    return ndarray([fill_value] * _math.prod(shape), shape)


def zeros_like(a, dtype=None):
    a = asarray(a)
    return full(a.shape, a.dtype(0))


def ones_like(a, dtype=None):
    a = asarray(a)
    return full(a.shape, a.dtype(1))


def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    count = _largest(0, _math.ceil((stop - start) / step))
    return array([start + at * step for at in range(count)], dtype)


def linspace(start, stop, num=50, endpoint=True):
    parts = num - 1 if endpoint else num
    items = [start + at * ((stop - start) / parts) if parts else float(start) for at in range(num)]
    if endpoint and num > 1:
        items[-1] = float(stop)
    return array(items, float)


def eye(n):
    return array([[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)])


def concatenate(arrays, axis=0):
    arrays = [asarray(one) for one in arrays]
    if axis == 0:
        items = [item for one in arrays for item in one._items]
        first = arrays[0].shape
        return ndarray(items, (_total(one.shape[0] for one in arrays),) + first[1:])
    rows = [concatenate([one[at] for one in arrays], axis - 1) for at in range(arrays[0].shape[0])]
    return stack(rows)


def stack(arrays, axis=0):
    arrays = [asarray(one) for one in arrays]
    made = ndarray([item for one in arrays for item in one._items],
                   (len(arrays),) + arrays[0].shape)
    return made if axis == 0 else made.T


def vstack(tup):
    tup = [asarray(one) for one in tup]
    return concatenate([one if one.ndim > 1 else one.reshape(1, -1) for one in tup])


def hstack(tup):
    tup = [asarray(one) for one in tup]
    return concatenate(tup, 0 if tup[0].ndim == 1 else 1)


def append(arr, values):
    return concatenate([asarray(arr).flatten(), asarray(values).flatten()])


def _method(name):
    def call(a, *args, **kwargs):
        return getattr(asarray(a), name)(*args, **kwargs)
    return call


sum, mean, std, var = _method("sum"), _method("mean"), _method("std"), _method("var")
max = amax = _method("max")
min = amin = _method("min")
prod, argmax, argmin, argsort = map(_method, ("prod", "argmax", "argmin", "argsort"))
all, any, cumsum, dot = _method("all"), _method("any"), _method("cumsum"), _method("dot")
reshape, transpose, round, clip = map(_method, ("reshape", "transpose", "round", "clip"))
ravel, squeeze, matmul, nonzero = _method("flatten"), _method("squeeze"), dot, _method("nonzero")


def sort(a):
    made = asarray(a).copy()
    made.sort()
    return made


def median(a, axis=None):
    def middle(items):
        items = sorted(items)
        half = len(items) // 2
        return float(items[half]) if len(items) % 2 else (items[half - 1] + items[half]) / 2
    return reduced(asarray(a), axis, middle)


def percentile(a, q):
    if isinstance(q, (list, tuple, ndarray)):
        return array([percentile(a, one) for one in q])
    items = sorted(asarray(a)._items)
    place = (len(items) - 1) * q / 100
    low = _math.floor(place)
    high = _math.ceil(place)
    return float(items[low] + (items[high] - items[low]) * (place - low))


def quantile(a, q):
    return percentile(a, q * 100)


def average(a, axis=None, weights=None):
    if weights is None:
        return mean(a, axis)
    weights = asarray(weights)
    return (asarray(a) * weights).sum() / weights.sum()


def unique(ar, return_counts=False):
    counts = {}
    for item in asarray(ar)._items:
        counts[item] = counts.get(item, 0) + 1
    names = sorted(counts)
    if return_counts:
        return array(names), array([counts[name] for name in names])
    return array(names)


def bincount(x):
    items = asarray(x)._items
    counts = [0] * (_largest(items) + 1 if items else 0)
    for item in items:
        counts[item] += 1
    return array(counts)


def where(condition, x=None, y=None):
    condition = asarray(condition)
    if x is None:
        return condition.nonzero()
    x, y = (one if isinstance(one, ndarray) else full(condition.shape, one)
            for one in (asarray(x) if isinstance(x, list) else x,
                        asarray(y) if isinstance(y, list) else y))
    return ndarray([a if c else b for c, a, b in zip(condition._items, x._items, y._items)],
                   condition.shape)


def array_equal(a1, a2):
    a1, a2 = asarray(a1), asarray(a2)
    return a1.shape == a2.shape and a1._items == a2._items


def isclose(a, b, rtol=1e-05, atol=1e-08):
    return abs(asarray(a) - asarray(b)) <= atol + rtol * abs(asarray(b))


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return isclose(a, b, rtol, atol).all()


def _log(x):
    return _math.log(x) if x > 0 else -inf if x == 0 else nan


exp, log, sqrt = of_function(_math.exp), of_function(_log), of_function(_math.sqrt)
log2, log10 = of_function(_math.log2), of_function(_math.log10)
sin, cos, tan, tanh = map(of_function, (_math.sin, _math.cos, _math.tan, _math.tanh))
floor = of_function(lambda x: float(_math.floor(x)))
ceil = of_function(lambda x: float(_math.ceil(x)))
abs = absolute = of_function(abs)
isnan, isinf, isfinite = map(of_function, (_math.isnan, _math.isinf, _math.isfinite))


def maximum(x1, x2):
    return where(asarray(x1) > x2, x1, x2)


def minimum(x1, x2):
    return where(asarray(x1) < x2, x1, x2)
