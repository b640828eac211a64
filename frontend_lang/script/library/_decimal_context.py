"""Of decimal: contexts, what they signal, and rounding."""
import _machine

ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN = "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_EVEN"
ROUND_CEILING, ROUND_FLOOR, ROUND_UP = "ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP"
ROUND_HALF_DOWN, ROUND_05UP = "ROUND_HALF_DOWN", "ROUND_05UP"
_ROUNDINGS = (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN,
              ROUND_HALF_EVEN, ROUND_05UP)


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class ConversionSyntax(InvalidOperation):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class DivisionUndefined(InvalidOperation, ZeroDivisionError):
    pass


class Inexact(DecimalException):
    pass


class Rounded(DecimalException):
    pass


class Subnormal(DecimalException):
    pass


class Overflow(Inexact, Rounded):
    pass


class Underflow(Inexact, Rounded, Subnormal):
    pass


def rounded(number, below, unit, rounding, negative):
    """`number` units and `below` of a `unit` more, as a whole number of units."""
    if not below:
        return number
    twice = 2 * below
    up = {ROUND_DOWN: False, ROUND_UP: True, ROUND_CEILING: not negative, ROUND_FLOOR: negative,
          ROUND_HALF_UP: twice >= unit, ROUND_HALF_DOWN: twice > unit,
          ROUND_HALF_EVEN: twice > unit or twice == unit and number % 2 == 1,
          ROUND_05UP: number % 10 in (0, 5)}[rounding]
    return number + 1 if up else number


class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1,
                 clamp=0, flags=None, traps=None):
        if not isinstance(prec, int) or prec < 1:
            raise ValueError("valid range for prec is [1, MAX_PREC]")
        if rounding not in _ROUNDINGS:
            raise TypeError(f"valid values for rounding are:\n  [{', '.join(_ROUNDINGS)}]")
        self.prec, self.rounding, self.Emin, self.Emax = prec, rounding, Emin, Emax
        self.capitals, self.clamp = capitals, clamp
        known = (InvalidOperation, DivisionByZero, Overflow, Inexact, Rounded, Underflow, Subnormal)
        if traps is None:
            traps = known[:3]
        self.traps = traps if isinstance(traps, dict) else {one: one in traps for one in known}
        self.flags = {one: one in (flags or ()) for one in known}

    def copy(self):
        return Context(self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp,
                       None, dict(self.traps))

    def clear_flags(self):
        for one in self.flags:
            self.flags[one] = False

    def create_decimal(self, num="0"):
        from _decimal_number import Decimal
        return +Decimal(num) if self is getcontext() else Decimal(num)._rounded_in(self)

    def _made(self, name, *args):
        with localcontext(self):
            return getattr(args[0], name)(*args[1:])

    def add(self, a, b):
        return self._made("__add__", a, b)

    def subtract(self, a, b):
        return self._made("__sub__", a, b)

    def multiply(self, a, b):
        return self._made("__mul__", a, b)

    def divide(self, a, b):
        return self._made("__truediv__", a, b)

    def sqrt(self, a):
        return self._made("sqrt", a)

    def quantize(self, a, b):
        return self._made("quantize", a, b)

    def __repr__(self):
        def names(found):
            return ", ".join(one.__name__ for one, on in found.items() if on)
        return (f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, "
                f"Emax={self.Emax}, capitals={self.capitals}, clamp={self.clamp}, "
                f"flags=[{names(self.flags)}], traps=[{names(self.traps)}])")


DefaultContext = Context()
BasicContext = Context(prec=9, rounding=ROUND_HALF_UP)
ExtendedContext = Context(prec=9, traps=())
_current = [DefaultContext.copy()]


def getcontext():
    return _current[0]


def setcontext(context):
    _current[0] = context


def signal(kind, otherwise):
    """Raises it where the context traps it; else gives `otherwise`."""
    context = getcontext()
    base = InvalidOperation if issubclass(kind, InvalidOperation) else kind
    context.flags[base] = True
    if context.traps.get(base):
        raise base([kind])
    return otherwise


class localcontext:
    def __init__(self, ctx=None, **kwargs):
        self._context = (getcontext() if ctx is None else ctx).copy()
        for name, value in kwargs.items():
            setattr(self._context, name, value)

    def __enter__(self):
        self._before = getcontext()
        setcontext(self._context)
        return self._context

    def __exit__(self, kind, error, trace):
        setcontext(self._before)


for _kind in (DecimalException, InvalidOperation, ConversionSyntax, DivisionByZero,
              DivisionUndefined, Inexact, Rounded, Subnormal, Overflow, Underflow):
    _machine.show_module(_kind, "decimal")
