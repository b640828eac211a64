"""fractions: the exact quotients of whole numbers."""
import math as _math
import re as _re

_FORM = _re.compile(r"\s*([-+]?)(?:(\d+)/(\d+)|(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?)\s*")


def _of_text(text):
    match = _FORM.fullmatch(text)
    if match is None or not any(match.group(part) for part in (2, 4, 5)):
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    sign = -1 if match.group(1) == "-" else 1
    if match.group(2) is not None:
        return sign * int(match.group(2)), int(match.group(3))
    rest = match.group(5) or ""
    exponent = int(match.group(6) or 0) - len(rest)
    digits = sign * int((match.group(4) or "") + rest)
    return (digits * 10**exponent, 1) if exponent >= 0 else (digits, 10**-exponent)


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, str):
                numerator, denominator = _of_text(numerator)
            elif isinstance(numerator, float):
                numerator, denominator = numerator.as_integer_ratio()
            elif isinstance(numerator, Fraction):
                numerator, denominator = numerator._n, numerator._d
            else:
                denominator = 1
        if isinstance(numerator, Fraction) or isinstance(denominator, Fraction):
            quotient = Fraction(numerator) / Fraction(denominator)
            numerator, denominator = quotient._n, quotient._d
        if not isinstance(numerator, int) or not isinstance(denominator, int):
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        common = _math.gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self._n, self._d = numerator // common, denominator // common

    @property
    def numerator(self):
        return self._n

    @property
    def denominator(self):
        return self._d

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def as_integer_ratio(self):
        return self._n, self._d

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._d <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._n, self._d
        while q0 + n // d * q1 <= max_denominator:
            whole = n // d
            p0, q0, p1, q1 = p1, q1, p0 + whole * p1, q0 + whole * q1
            n, d = d, n - whole * d
        k = (max_denominator - q0) // q1
        one, other = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return other if abs(other - self) <= abs(one - self) else one

    def __repr__(self):
        return f"{type(self).__name__}({self._n}, {self._d})"

    def __str__(self):
        return str(self._n) if self._d == 1 else f"{self._n}/{self._d}"

    def _do(self, other, exact, inexact):
        if isinstance(other, (int, Fraction)):
            return exact(self, other if isinstance(other, Fraction) else Fraction(other))
        return inexact(float(self), other) if isinstance(other, float) else NotImplemented

    def __add__(self, other):
        return self._do(other, lambda a, b: Fraction(a._n * b._d + b._n * a._d, a._d * b._d),
                        lambda a, b: a + b)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self._do(other, lambda a, b: Fraction(a._n * b._d - b._n * a._d, a._d * b._d),
                        lambda a, b: a - b)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return self._do(other, lambda a, b: Fraction(a._n * b._n, a._d * b._d),
                        lambda a, b: a * b)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self._do(other, lambda a, b: Fraction(a._n * b._d, a._d * b._n),
                        lambda a, b: a / b)

    def __rtruediv__(self, other):
        if isinstance(other, int):
            return Fraction(other) / self
        return other / float(self) if isinstance(other, float) else NotImplemented

    def __floordiv__(self, other):
        return self._do(other, lambda a, b: a._n * b._d // (a._d * b._n), lambda a, b: a // b)

    def __mod__(self, other):
        return self._do(other, lambda a, b: a - b * (a // b), lambda a, b: a % b)

    def __pow__(self, power):
        if not isinstance(power, int):
            return float(self)**float(power)
        if power >= 0:
            return Fraction(self._n**power, self._d**power)
        return Fraction(self._d**-power, self._n**-power)

    def __neg__(self):
        return Fraction(-self._n, self._d)

    def __pos__(self):
        return Fraction(self)

    def __abs__(self):
        return Fraction(abs(self._n), self._d)

    def __int__(self):
        return self._n // self._d if self._n >= 0 else -(-self._n // self._d)

    def __float__(self):
        return self._n / self._d

    def __bool__(self):
        return self._n != 0

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._n, self._d)
            up = rest * 2 > self._d or rest * 2 == self._d and floor % 2 == 1
            return floor + 1 if up else floor
        shift = 10**abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __hash__(self):
        return hash(self._n) if self._d == 1 else hash((self._n, self._d))

    def _order(self, other, compare):
        return self._do(other, lambda a, b: compare(a._n * b._d, b._n * a._d), compare)

    def __eq__(self, other):
        return self._order(other, lambda a, b: a == b)

    def __lt__(self, other):
        return self._order(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._order(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._order(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._order(other, lambda a, b: a >= b)
