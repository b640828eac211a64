"""decimal: numbers of decimal digits, as exact as the context's precision."""
from _decimal_context import (ROUND_05UP, ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_DOWN,
                              ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, BasicContext, Context,
                              ConversionSyntax, DecimalException, DefaultContext, DivisionByZero,
                              ExtendedContext, Inexact, InvalidOperation, Overflow, Rounded,
                              Subnormal, Underflow, getcontext, localcontext, setcontext)
from _decimal_format import DecimalTuple
from _decimal_number import Decimal

HAVE_THREADS, HAVE_CONTEXTVAR = True, True
MAX_PREC, MAX_EMAX, MIN_EMIN = 999999999999999999, 999999999999999999, -999999999999999999
