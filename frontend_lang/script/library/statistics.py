"""statistics: of ints, floats, Fractions and Decimals, by exact sums."""
import math as _math
import random as _random
from _statistics import (StatisticsError, fmean as _fmean, is_plain as _is_plain, mean as _mean,
                         median, median_high, median_low, mode, multimode)
from bisect import bisect_left as _bisect_left, bisect_right as _bisect_right
from decimal import Decimal as _Decimal
from fractions import Fraction as _Fraction
from typing import NamedTuple as _NamedTuple


# A sum: the type of its values, the exact total (or inf, nan), and how many there were.
def _kind_with(kind, cls):
    if kind is cls or cls is int or cls is bool:
        return kind
    if kind is int:
        return cls
    if issubclass(cls, kind):
        return cls
    if issubclass(kind, cls) or issubclass(cls, int):
        return kind
    if issubclass(kind, int):
        return cls
    for exact, other in ((kind, cls), (cls, kind)):
        if issubclass(exact, _Fraction) and issubclass(other, float):
            return other
    raise TypeError(f"don't know how to coerce {kind.__name__} and {cls.__name__}")


def _ratio(x):
    """(numerator, denominator); (x, None) for what has none."""
    try:
        return x.as_integer_ratio()
    except AttributeError:
        pass
    except (OverflowError, ValueError):
        return x, None
    try:
        return x.numerator, x.denominator
    except AttributeError:
        raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")


def _total(parts, power=1):
    if None in parts:
        return parts[None]
    total = _Fraction(0)
    for denominator, numerator in parts.items():
        total += _Fraction(numerator, denominator ** power)
    return total


def _sum(data):
    kind, count, parts = int, 0, {}
    for x in data:
        count += 1
        if type(x) is not kind:
            kind = _kind_with(kind, type(x))
        numerator, denominator = _ratio(x)
        parts[denominator] = parts.get(denominator, 0) + numerator
    return kind, _total(parts), count


def _squares(data, center=None):
    """(kind, sum of the squared distances to the center, center, count); the center: the mean."""
    if center is not None:
        kind, total, count = _sum((x - center) * (x - center) for x in data)
        return kind, total, center, count
    kind, count, sums, squares = int, 0, {}, {}
    for x in data:
        count += 1
        if type(x) is not kind:
            kind = _kind_with(kind, type(x))
        numerator, denominator = _ratio(x)
        sums[denominator] = sums.get(denominator, 0) + numerator
        squares[denominator] = squares.get(denominator, 0) + numerator * numerator
    total = _total(sums)
    if not count or None in sums:
        return kind, total, total, count
    return kind, (count * _total(squares, 2) - total * total) / count, total / count, count


def _convert(value, kind):
    if type(value) is kind:
        return value
    if isinstance(value, float):  # inf, nan
        return value
    if issubclass(kind, int) and value.denominator != 1:
        kind = float
    if issubclass(kind, float):
        return kind(value.numerator / value.denominator)
    if issubclass(kind, _Decimal):
        return kind(value.numerator) / value.denominator
    return kind(value)


def _root_to_odd(n, m):
    """The root of n / m, rounded down, or to odd where that is not exact."""
    root = _math.isqrt(n // m)
    return root | (root * root * m != n)


def _root(square, kind):
    if issubclass(kind, _Decimal):
        return (_Decimal(square.numerator) / square.denominator).sqrt()
    n, m = square.numerator, square.denominator
    shift = (n.bit_length() - m.bit_length() - 109) // 2
    if shift >= 0:
        return (_root_to_odd(n, m << 2 * shift) << shift) / 1
    return _root_to_odd(n << -2 * shift, m) / (1 << -shift)


def mean(data):
    data = list(data)
    if _is_plain(data):
        return _mean(data)
    kind, total, count = _sum(data)
    if count < 1:
        raise StatisticsError("mean requires at least one data point")
    return _convert(total / count, kind)


def fmean(data, weights=None):
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError("fmean requires at least one data point")
        return _fmean(data) if _is_plain(data) else _math.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    above = _math.fsum(x * w for x, w in zip(data, weights))
    below = _math.fsum(weights)
    if not below:
        raise StatisticsError("sum of weights must be non-zero")
    return above / below


def geometric_mean(data):
    try:
        return _math.exp(fmean(map(_math.log, data)))
    except ValueError:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive "
                              "numbers") from None


def _not_negative(values):
    for x in values:
        if x < 0:
            raise StatisticsError("harmonic mean does not support negative values")
        yield x


def harmonic_mean(data, weights=None):
    data = list(data)
    n = len(data)
    if n < 1:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if n == 1 and weights is None:
        if not isinstance(data[0], (int, float, _Fraction, _Decimal)):
            raise TypeError("unsupported type")
        return next(_not_negative(data))
    if weights is None:
        weights, sum_weights = [1] * n, n
    else:
        weights = list(weights)
        if len(weights) != n:
            raise StatisticsError("Number of weights does not match data size")
        _, sum_weights, _ = _sum(_not_negative(weights))
    try:
        kind, total, _ = _sum(w / x if w else 0 for w, x in zip(weights, _not_negative(data)))
    except ZeroDivisionError:
        return 0
    if total <= 0:
        raise StatisticsError("Weighted sum must be positive")
    return _convert(sum_weights / total, kind)


def median_grouped(data, interval=1.0):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    x = data[n // 2]
    below = _bisect_left(data, x)
    count = _bisect_right(data, x) - below
    try:
        interval, x = float(interval), float(x)
    except ValueError:
        raise TypeError("Value cannot be converted to a float")
    return x - interval / 2.0 + interval * (n / 2 - below) / count


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError("must have at least two data points")
    cuts = []
    if method == "inclusive":
        for i in range(1, n):
            at, delta = divmod(i * (size - 1), n)
            cuts.append((data[at] * (n - delta) + data[at + 1] * delta) / n)
        return cuts
    if method != "exclusive":
        raise ValueError(f"Unknown method: {method!r}")
    for i in range(1, n):
        at = max(1, min(size - 1, i * (size + 1) // n))
        delta = i * (size + 1) - at * n
        cuts.append((data[at - 1] * (n - delta) + data[at] * delta) / n)
    return cuts


def variance(data, xbar=None):
    kind, squares, _, count = _squares(data, xbar)
    if count < 2:
        raise StatisticsError("variance requires at least two data points")
    return _convert(squares / (count - 1), kind)


def pvariance(data, mu=None):
    kind, squares, _, count = _squares(data, mu)
    if count < 1:
        raise StatisticsError("pvariance requires at least one data point")
    return _convert(squares / count, kind)


def stdev(data, xbar=None):
    kind, squares, _, count = _squares(data, xbar)
    if count < 2:
        raise StatisticsError("stdev requires at least two data points")
    return _root(squares / (count - 1), kind)


def pstdev(data, mu=None):
    kind, squares, _, count = _squares(data, mu)
    if count < 1:
        raise StatisticsError("pstdev requires at least one data point")
    return _root(squares / count, kind)


def _check_pairs(x, y, function):
    if len(x) != len(y):
        raise StatisticsError(f"{function} requires that both inputs have same number of data "
                              "points")
    if len(x) < 2:
        raise StatisticsError(f"{function} requires at least two data points")


def _products(x, y, center_x, center_y):
    return _math.fsum((a - center_x) * (b - center_y) for a, b in zip(x, y))


def covariance(x, y, /):
    _check_pairs(x, y, "covariance")
    n = len(x)
    return _products(x, y, _math.fsum(x) / n, _math.fsum(y) / n) / (n - 1)


def correlation(x, y, /):
    _check_pairs(x, y, "correlation")
    n = len(x)
    center_x, center_y = _math.fsum(x) / n, _math.fsum(y) / n
    sxy = _products(x, y, center_x, center_y)
    sxx = _products(x, x, center_x, center_x)
    syy = _products(y, y, center_y, center_y)
    try:
        return sxy / _math.sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError("at least one of the inputs is constant")


class LinearRegression(_NamedTuple):
    slope: float
    intercept: float


def linear_regression(x, y, /, *, proportional=False):
    _check_pairs(x, y, "linear regression")
    n = len(x)
    if proportional:
        sxy = _math.fsum(a * b for a, b in zip(x, y))
        sxx = _math.fsum(a * a for a in x)
    else:
        center_x, center_y = _math.fsum(x) / n, _math.fsum(y) / n
        sxy = _products(x, y, center_x, center_y)
        sxx = _products(x, x, center_x, center_x)
    try:
        slope = sxy / sxx
    except ZeroDivisionError:
        raise StatisticsError("x is constant")
    return LinearRegression(slope, 0.0 if proportional else center_y - slope * center_x)


# The percentage points of the normal distribution: Wichura, AS 241 (1988).
_NEAR = ((2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
          45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
          133.14166789178437745, 3.387132872796366608),
         (5226.495278852854561, 28729.085735721942674, 39307.89580009271061,
          21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
          42.313330701600911252, 1.0))
_MIDDLE = ((7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
            1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
            4.6303378461565452959, 1.42343711074968357734),
           (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
            0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
            2.05319162663775882187, 1.0))
_FAR = ((2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
         0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
         5.4637849111641143699, 6.6579046435011037772),
        (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
         7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
         0.59983220655588793769, 1.0))


def _rational(coefficients, r):
    values = []
    for polynomial in coefficients:
        value = polynomial[0]
        for coefficient in polynomial[1:]:
            value = value * r + coefficient
        values.append(value)
    return values


def _normal_point(p, mu, sigma):
    q = p - 0.5
    if _math.fabs(q) <= 0.425:
        above, below = _rational(_NEAR, 0.180625 - q * q)
        return mu + (above * q / below) * sigma
    r = _math.sqrt(-_math.log(p if q <= 0.0 else 1.0 - p))
    above, below = _rational(_MIDDLE, r - 1.6) if r <= 5.0 else _rational(_FAR, r - 5.0)
    x = above / below
    return mu + (-x if q < 0.0 else x) * sigma


class NormalDist:
    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu, self._sigma = float(mu), float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        return cls(mean(data), stdev(data))

    def samples(self, n, *, seed=None):
        gauss = _random.gauss if seed is None else _random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def _needs_sigma(self, function):
        if not self._sigma:
            raise StatisticsError(f"{function} not defined when sigma is zero")

    def pdf(self, x):
        variance = self._sigma * self._sigma
        self._needs_sigma("pdf()")
        distance = x - self._mu
        return _math.exp(distance * distance / (-2.0 * variance)) / _math.sqrt(
            _math.tau * variance)

    def cdf(self, x):
        self._needs_sigma("cdf()")
        return 0.5 * (1.0 + _math.erf((x - self._mu) / (self._sigma * _math.sqrt(2.0))))

    def inv_cdf(self, p):
        if p <= 0.0 or p >= 1.0:
            raise StatisticsError("p must be in the range 0.0 < p < 1.0")
        if self._sigma <= 0.0:
            raise StatisticsError("cdf() not defined when sigma at or below zero")
        return _normal_point(p, self._mu, self._sigma)

    def quantiles(self, n=4):
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def overlap(self, other):
        if not isinstance(other, NormalDist):
            raise TypeError("Expected another NormalDist instance")
        x, y = self, other
        if (y._sigma, y._mu) < (x._sigma, x._mu):
            x, y = y, x
        if not x.variance or not y.variance:
            raise StatisticsError("overlap() not defined when sigma is zero")
        spread = y.variance - x.variance
        apart = _math.fabs(y._mu - x._mu)
        if not spread:
            return 1.0 - _math.erf(apart / (2.0 * x._sigma * _math.sqrt(2.0)))
        a = x._mu * y.variance - y._mu * x.variance
        b = x._sigma * y._sigma * _math.sqrt(apart * apart
                                             + spread * _math.log(y.variance / x.variance))
        first, second = (a + b) / spread, (a - b) / spread
        return 1.0 - (_math.fabs(y.cdf(first) - x.cdf(first))
                      + _math.fabs(y.cdf(second) - x.cdf(second)))

    def zscore(self, x):
        self._needs_sigma("zscore()")
        return (x - self._mu) / self._sigma

    @property
    def mean(self):
        return self._mu

    @property
    def median(self):
        return self._mu

    @property
    def mode(self):
        return self._mu

    @property
    def stdev(self):
        return self._sigma

    @property
    def variance(self):
        return self._sigma * self._sigma

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, _math.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, _math.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, factor):
        return NormalDist(self._mu * factor, self._sigma * _math.fabs(factor))

    def __truediv__(self, divisor):
        return NormalDist(self._mu / divisor, self._sigma / _math.fabs(divisor))

    def __pos__(self):
        return NormalDist(self._mu, self._sigma)

    def __neg__(self):
        return NormalDist(-self._mu, self._sigma)

    __radd__ = __add__

    def __rsub__(self, other):
        return -(self - other)

    __rmul__ = __mul__

    def __eq__(self, other):
        if not isinstance(other, NormalDist):
            return NotImplemented
        return self._mu == other._mu and self._sigma == other._sigma

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f"{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})"
