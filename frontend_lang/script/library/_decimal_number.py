"""Of decimal: Decimal. A finite one is (-1) ** sign * digits * 10 ** exponent."""
import _machine
import math as _math
import re as _re
from _decimal_context import (ROUND_DOWN, ROUND_HALF_EVEN, DivisionByZero, DivisionUndefined,
                              Inexact, InvalidOperation, ConversionSyntax, Overflow, Rounded,
                              getcontext, rounded, signal)
from _decimal_format import DecimalText

_NUMBER = _re.compile(r"([-+])?(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([-+]?\d+))?")
_SPECIAL = _re.compile(r"([-+])?(?:(inf(?:inity)?)|(s?nan)(\d*))", _re.IGNORECASE)


def _make(sign, number, exponent, special=None):
    made = object.__new__(Decimal)
    made._sign, made._number, made._exp, made._special = sign, number, exponent, special
    return made


def _of_text(text):
    text = text.strip().replace("_", "")
    match = _NUMBER.fullmatch(text)
    if match is not None:
        sign, whole, part, only, exponent = match.groups()
        part = only if only is not None else part
        return _make(int(sign == "-"), int((whole or "") + part), int(exponent or 0) - len(part))
    match = _SPECIAL.fullmatch(text)
    if match is None:
        return signal(ConversionSyntax, _make(0, 0, 0, "NaN"))
    return _make(int(match[1] == "-"), 0, 0, "Infinity" if match[2] else "NaN")


def _of_float(value):
    if not _math.isfinite(value):
        return _of_text(repr(value))
    above, below = abs(value).as_integer_ratio()
    places = below.bit_length() - 1
    return _make(int(_math.copysign(1.0, value) < 0), above * 5 ** places, -places)


def _of_tuple(value):
    if len(value) != 3:
        raise ValueError("argument must be a sequence of length 3")
    sign, digits, exponent = value
    return _make(sign, int("".join(map(str, digits)) or 0), exponent)


def _converted(other):
    if isinstance(other, Decimal):
        return other
    return _make(int(other < 0), abs(other), 0) if isinstance(other, int) else None


def _operator(function):
    def forward(self, other):
        other = _converted(other)
        return NotImplemented if other is None else function(self, other)

    def backward(self, other):
        other = _converted(other)
        return NotImplemented if other is None else function(other, self)
    return forward, backward


def _either_special(a, b):
    return a if a._special == "NaN" else b if b._special == "NaN" else None


def _brought_near(a, b):
    """a, or what rounds likewise beside a b that is beyond comparison larger."""
    lowest = b._exp + min(-1, len(str(b._number)) - getcontext().prec - 2)
    if a._number and b._number and a._exp < b._exp and a.adjusted() < lowest:
        return _make(a._sign, 1, lowest)
    return a


def _sum(a, b):
    if a._special or b._special:
        if a._special == b._special == "Infinity" and a._sign != b._sign:
            return signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        return _either_special(a, b) or (a if a._special else b)
    a, b = _brought_near(a, b), _brought_near(b, a)
    exponent = min(a._exp, b._exp)
    total = a._signed() * 10 ** (a._exp - exponent) + b._signed() * 10 ** (b._exp - exponent)
    sign = int(total < 0) if total else int(bool(a._sign and b._sign))
    return _make(sign, abs(total), exponent)._fixed()


def _difference(a, b):
    return _sum(a, _make(1 - b._sign, b._number, b._exp, b._special))


def _product(a, b):
    sign = a._sign ^ b._sign
    if a._special or b._special:
        if not (a._special == "NaN" or b._special == "NaN") and not (a and b):
            return signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        return _either_special(a, b) or _make(sign, 0, 0, "Infinity")
    return _make(sign, a._number * b._number, a._exp + b._exp)._fixed()


def _by_zero(a, b, sign):
    if not a._number:
        return signal(DivisionUndefined, _make(0, 0, 0, "NaN"))
    return signal(DivisionByZero, _make(sign, 0, 0, "Infinity"))


def _quotient(a, b):
    sign = a._sign ^ b._sign
    if a._special or b._special:
        if a._special == b._special == "Infinity":
            return signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        return _either_special(a, b) or (_make(sign, 0, 0, "Infinity") if a._special
                                         else _make(sign, 0, 0))
    if not b._number:
        return _by_zero(a, b, sign)
    ideal = a._exp - b._exp
    shift = max(0, len(str(b._number)) - len(str(a._number)) + getcontext().prec + 1)
    number, rest = divmod(a._number * 10 ** shift, b._number)
    exponent = ideal - shift
    if rest:
        number += number % 5 == 0  # so that the digits that are dropped are not all zeros
    else:
        while exponent < ideal and number % 10 == 0:
            number, exponent = number // 10, exponent + 1
    return _make(sign, number, exponent)._fixed()


def _divided_whole(a, b):
    """(quotient, rest) of finite numbers, towards zero."""
    exponent = min(a._exp, b._exp)
    above, below = a._number * 10 ** (a._exp - exponent), b._number * 10 ** (b._exp - exponent)
    number, rest = divmod(above, below)
    return _make(a._sign ^ b._sign, number, 0), _make(a._sign, rest, exponent)


def _whole_quotient(a, b):
    if a._special or b._special:
        return _quotient(a, b)
    return _divided_whole(a, b)[0] if b._number else _by_zero(a, b, a._sign ^ b._sign)


def _rest(a, b):
    if b._special == "Infinity" and not a._special:
        return a
    if a._special or b._special or not b._number:
        return _either_special(a, b) or signal(
            InvalidOperation if a._number or a._special else DivisionUndefined,
            _make(0, 0, 0, "NaN"))
    return _divided_whole(a, b)[1]._fixed()


def _power(a, b):
    if a._special or b._special:
        return _either_special(a, b) or Decimal(float(a) ** float(b))
    if b._exp >= 0 or b == b.to_integral_value():
        times = int(b)
        if not times:
            return _make(0, 1, 0) if a._number else signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        if times > 0 and times * len(str(a._number)) < 100000:
            return _make(a._sign * (times % 2), a._number ** times, a._exp * times)._fixed()
        if times > -100000:
            return _quotient(_make(0, 1, 0), _make(a._sign * (-times % 2), a._number ** -times,
                                                   a._exp * -times))
    if a._sign:
        return signal(InvalidOperation, _make(0, 0, 0, "NaN"))
    if b == Decimal("0.5"):
        return a.sqrt()
    raise NotImplementedError("Decimal ** x is in the language for whole x and 0.5")


class Decimal(DecimalText):
    def __new__(cls, value="0", context=None):
        if isinstance(value, Decimal):
            return value
        if isinstance(value, int):
            return _make(int(value < 0), abs(int(value)), 0)
        for kind, read in ((str, _of_text), (float, _of_float), ((tuple, list), _of_tuple)):
            if isinstance(value, kind):
                return read(value)
        raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def _signed(self):
        return -self._number if self._sign else self._number

    def _fixed(self):
        return self if self._special else self._rounded_in(getcontext())

    def _rounded_in(self, context):
        """Of at most the context's precision."""
        extra = len(str(self._number)) - context.prec
        made = self
        if extra > 0:
            number, below = divmod(self._number, 10 ** extra)
            number = rounded(number, below, 10 ** extra, context.rounding, self._sign)
            if len(str(number)) > context.prec:
                number, extra = number // 10, extra + 1
            made = _make(self._sign, number, self._exp + extra)
            signal(Rounded, None)
            if below:
                signal(Inexact, None)
        if made._number and made.adjusted() > context.Emax:
            return signal(Overflow, _make(self._sign, 0, 0, "Infinity"))
        return made

    __add__, __radd__ = _operator(_sum)
    __sub__, __rsub__ = _operator(_difference)
    __mul__, __rmul__ = _operator(_product)
    __truediv__, __rtruediv__ = _operator(_quotient)
    __floordiv__, __rfloordiv__ = _operator(_whole_quotient)
    __mod__, __rmod__ = _operator(_rest)
    __pow__, __rpow__ = _operator(_power)

    def __neg__(self):
        return _make(1 - self._sign if self._number or self._special else 0, self._number,
                     self._exp, self._special)._fixed()

    def __pos__(self):
        return (self if self._number or self._special else abs(self))._fixed()

    def __abs__(self):
        return _make(0, self._number, self._exp, self._special)._fixed()

    def __bool__(self):
        return bool(self._number) or self._special is not None

    # ---- Comparison.

    def _order(self, other):
        """-1, 0, 1; None where one is no number."""
        if isinstance(other, float):
            other = Decimal(other)
        elif isinstance(other, _fraction_type()):
            other = _make(0, 0, 0, "NaN") if self._special == "NaN" else (
                Decimal(other.numerator) / other.denominator)
        other = _converted(other)
        if other is None:
            return NotImplemented
        if self._special == "NaN" or other._special == "NaN":
            return None
        mine, theirs = (one._signed() if not one._special else None for one in (self, other))
        if self._special or other._special:
            keys = [(-2 if one._sign else 2) if one._special else 0 for one in (self, other)]
            return (keys[0] > keys[1]) - (keys[0] < keys[1])
        exponent = min(self._exp, other._exp)
        mine, theirs = mine * 10 ** (self._exp - exponent), theirs * 10 ** (other._exp - exponent)
        return (mine > theirs) - (mine < theirs)

    def __eq__(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order == 0

    def _compared(self, other, wanted):
        order = self._order(other)
        if order is NotImplemented:
            return order
        if order is None:
            return signal(InvalidOperation, False)
        return order in wanted

    def __lt__(self, other):
        return self._compared(other, (-1,))

    def __le__(self, other):
        return self._compared(other, (-1, 0))

    def __gt__(self, other):
        return self._compared(other, (1,))

    def __ge__(self, other):
        return self._compared(other, (0, 1))

    def compare(self, other):
        order = self._order(other)
        return _make(0, 0, 0, "NaN") if order is None else Decimal(order)

    def __hash__(self):
        if self._special:
            return hash(float(self))
        if self._exp >= 0:
            return hash(self._signed() * 10 ** self._exp)
        from fractions import Fraction
        value = Fraction(self._signed(), 10 ** -self._exp)
        return hash(value.numerator) if value.denominator == 1 else hash(value)

    def max(self, other):
        return self if self >= other else Decimal(other)

    def min(self, other):
        return self if self <= other else Decimal(other)

    # ---- Other numbers.

    def __float__(self):
        return float(str(self))

    def __int__(self):
        if self._special:
            if self._special == "NaN":
                raise ValueError("cannot convert NaN to integer")
            raise OverflowError("cannot convert Infinity to integer")
        whole = (self._number * 10 ** self._exp if self._exp >= 0
                 else self._number // 10 ** -self._exp)
        return -whole if self._sign else whole

    def __round__(self, n=None):
        if n is None:
            return int(self.to_integral_value(ROUND_HALF_EVEN))
        return self.quantize(_make(0, 1, -n), ROUND_HALF_EVEN)

    def as_integer_ratio(self):
        from fractions import Fraction
        value = (Fraction(self._signed() * 10 ** self._exp) if self._exp >= 0
                 else Fraction(self._signed(), 10 ** -self._exp))
        return value.numerator, value.denominator

    @property
    def real(self):
        return self

    def copy_abs(self):
        return _make(0, self._number, self._exp, self._special)

    def adjusted(self):
        return 0 if self._special else self._exp + len(str(self._number)) - 1

    # ---- Digits.

    def _at_exponent(self, exponent, rounding):
        if exponent <= self._exp:
            return _make(self._sign, self._number * 10 ** (self._exp - exponent), exponent)
        unit = 10 ** (exponent - self._exp)
        number, below = divmod(self._number, unit)
        if below:
            signal(Inexact, None)
        return _make(self._sign, rounded(number, below, unit, rounding, self._sign), exponent)

    def quantize(self, exp, rounding=None, context=None):
        exp = _converted(exp)
        if self._special or exp._special:
            if self._special == exp._special == "Infinity":
                return self
            return _either_special(self, exp) or signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        made = self._at_exponent(exp._exp, rounding or getcontext().rounding)
        if made._number and len(str(made._number)) > getcontext().prec:
            return signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        return made

    def to_integral_value(self, rounding=None, context=None):
        if self._special or self._exp >= 0:
            return self
        return self._at_exponent(0, rounding or getcontext().rounding)

    to_integral = to_integral_exact = to_integral_value

    def normalize(self, context=None):
        made = +self
        if made._special:
            return made
        if not made._number:
            return _make(made._sign, 0, 0)
        number, exponent = made._number, made._exp
        while number % 10 == 0:
            number, exponent = number // 10, exponent + 1
        return _make(made._sign, number, exponent)

    def sqrt(self, context=None):
        if self._special:
            return self if self._special == "NaN" or not self._sign else signal(
                InvalidOperation, _make(0, 0, 0, "NaN"))
        if not self._number:
            return _make(self._sign, 0, self._exp // 2)
        if self._sign:
            return signal(InvalidOperation, _make(0, 0, 0, "NaN"))
        ideal = self._exp // 2
        number, exponent = self._number * 10 ** (self._exp % 2), self._exp // 2
        shift = max(0, getcontext().prec + 1 - (len(str(number)) + 1) // 2)
        number *= 100 ** shift
        root = _math.isqrt(number)
        exponent -= shift
        if root * root != number:
            root += root % 5 == 0
        else:
            while exponent < ideal and root % 10 == 0:
                root, exponent = root // 10, exponent + 1
        return _make(0, root, exponent)._fixed()

    def scaleb(self, other):
        return _make(self._sign, self._number, self._exp + int(other))

def _fraction_type():
    from fractions import Fraction
    return Fraction


_machine.show_module(Decimal, "decimal")
