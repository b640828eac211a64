"""numbers: what kind of number something is."""
from abc import ABC as _ABC


class Number(_ABC):
    __hash__ = None


class Complex(Number):
    pass


class Real(Complex):
    pass


class Rational(Real):
    pass


class Integral(Rational):
    pass


def _register():
    from decimal import Decimal
    from fractions import Fraction
    Real.register(float)
    Rational.register(Fraction)
    Integral.register(int)
    Number.register(Decimal)


_register()
