"""Of decimal: what a Decimal says of itself, and format()."""
import re as _re
from _decimal_context import getcontext
from collections import namedtuple as _namedtuple

_SPEC = _re.compile(r"(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([eEfFgGn%])?",
                    _re.DOTALL)

DecimalTuple = _namedtuple("DecimalTuple", "sign digits exponent")


def _plain(value):
    """(digits before the point, digits behind it)."""
    number, exponent = str(value._number), value._exp
    if exponent >= 0:
        return (number + "0" * exponent if value._number else "0"), ""
    number = number.rjust(-exponent + 1, "0")
    return number[:exponent], number[exponent:]


def _body(value, kind, precision):
    """What follows the sign: (whole, part, exponent text)."""
    rounding = getcontext().rounding
    if kind in "fF%":
        if precision is not None:
            value = value._at_exponent(-precision, rounding)
        return (*_plain(value), "")
    if kind in "eE":
        if precision is not None and value._number:
            value = value._at_exponent(value.adjusted() - precision, rounding)
            if len(str(value._number)) > precision + 1:
                value = value._at_exponent(value._exp + 1, rounding)
        digits = str(value._number)
        if not value._number and precision is not None:
            return "0", "0" * precision, f"{kind}{value._exp + precision:+}"
        return digits[0], digits[1:], f"{kind}{value.adjusted():+}"
    if precision is not None and len(str(value._number)) > max(precision, 1):
        value = value._at_exponent(value.adjusted() - max(precision, 1) + 1, rounding)
    if value._exp <= 0 and value.adjusted() >= -6:
        return (*_plain(value), "")
    digits = str(value._number)
    return digits[0], digits[1:], f"{'E' if kind == 'G' else 'e'}{value.adjusted():+}"


def formatted(value, spec):
    if not spec:
        return str(value)
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ValueError("invalid format string")
    fill, align, sign, _, _, zero, width, comma, precision, kind = match.groups()
    precision = None if precision is None else int(precision)
    shown_sign = "-" if value._sign else sign if sign in ("+", " ") and sign else ""
    if value._special:
        text = value._special
        zero = None
    else:
        scaled = value.scaleb(2) if kind == "%" else value
        whole, part, tail = _body(scaled, kind or ("G" if precision is not None else "s"), precision)
        if kind is None and precision is None:
            text = str(value.copy_abs())
            whole, dot, part = text.partition(".")
            part, mark, exponent = part.partition("E")
            if not dot:
                whole, mark, exponent = whole.partition("E")
            tail = mark + exponent
        if comma:
            groups = len(whole) % 3 or 3
            whole = comma.join([whole[:groups]] + [whole[at:at + 3]
                                                   for at in range(groups, len(whole), 3)])
        text = whole + ("." + part if part else "") + tail + ("%" if kind == "%" else "")
    width = int(width or 0)
    if zero and not align:
        fill, align = "0", "="
    fill, align = fill or " ", align or ">"
    missing = max(0, width - len(text) - len(shown_sign))
    if align == "=":
        return shown_sign + fill * missing + text
    text = shown_sign + text
    if align == "^":
        return fill * (missing // 2) + text + fill * (missing - missing // 2)
    return text + fill * missing if align == "<" else fill * missing + text


class DecimalText:
    def as_tuple(self):
        if self._special:
            return DecimalTuple(self._sign, (0,) if self._special == "Infinity" else (),
                                "F" if self._special == "Infinity" else "n")
        return DecimalTuple(self._sign, tuple(map(int, str(self._number))), self._exp)

    def is_nan(self):
        return self._special == "NaN"

    def is_infinite(self):
        return self._special == "Infinity"

    def is_finite(self):
        return self._special is None

    def is_zero(self):
        return not self._special and not self._number

    def is_signed(self):
        return bool(self._sign)

    def __str__(self, engineering=False):
        sign = "-" if self._sign else ""
        if self._special:
            return sign + self._special
        digits, left = str(self._number), self._exp + len(str(self._number))
        if self._exp <= 0 and left > -6:
            point = left
        elif not engineering:
            point = 1
        elif digits == "0":
            point = (left + 1) % 3 - 1
        else:
            point = (left - 1) % 3 + 1
        if point <= 0:
            text = "0." + "0" * -point + digits
        elif point >= len(digits):
            text = digits + "0" * (point - len(digits))
        else:
            text = digits[:point] + "." + digits[point:]
        mark = "E" if getcontext().capitals else "e"
        return sign + text + (f"{mark}{left - point:+}" if left != point else "")

    def to_eng_string(self, context=None):
        return self.__str__(True)

    def __repr__(self):
        return f"Decimal('{self}')"

    def __format__(self, spec):
        return formatted(self, spec)
