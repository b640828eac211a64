"""enum: Enum itself is _enum's; here are the enumerations of bits."""
from _enum import Enum, EnumType, IntEnum, StrEnum, auto, unique

EnumMeta = EnumType
ReprEnum = Enum
property = property


def _mask(cls):
    bits = 0
    for member in cls.__members__.values():
        bits |= member._value_
    return bits


def _shown_bits(value, width):
    """The two's complement, with its sign apart."""
    sign = "1" if value < 0 else "0"
    digits = bin(value + (1 << width) if value < 0 else value)[2:].rjust(width, "0")
    return f"0b{sign} {digits}"


_composites = {}  # (class, value) -> what no name stands for


class Flag(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return 1 << max(last_values).bit_length() if last_values else start

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        mask, keeps = _mask(cls), issubclass(cls, int)
        width = max(value.bit_length(), mask.bit_length())
        if value < 0:
            if not keeps and value < -(1 << mask.bit_length()):
                raise cls._invalid(value, width, mask)
            value += 1 << (max(mask.bit_length(), value.bit_length()))
            value = value & mask if not keeps else value
        if value & ~mask and not keeps:
            raise cls._invalid(value, width, mask)
        known = [member for member in cls.__members__.values() if member._value_ == value]
        return known[0] if known else cls._composite(value)

    @classmethod
    def _invalid(cls, value, width, mask):
        return ValueError(f"<flag {cls.__name__!r}> invalid value {value}\n"
                          f"    given {_shown_bits(value, width)}\n"
                          f"  allowed {_shown_bits(mask, width)}")

    @classmethod
    def _composite(cls, value):
        made = _composites.get((cls, value))
        if made is not None:
            return made
        made = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        names, rest = [], value
        for member in cls:
            if member._value_ & value:
                names.append(member._name_)
                rest &= ~member._value_
        if names and rest:
            names.append(str(rest))
        made._value_ = value
        made._name_ = "|".join(names) or None
        _composites[cls, value] = made
        return made

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def _bits_of(self, other):
        if isinstance(other, type(self)):
            return other._value_
        return other if isinstance(self, int) and isinstance(other, int) else None

    def __or__(self, other):
        bits = self._bits_of(other)
        return NotImplemented if bits is None else type(self)(self._value_ | bits)

    def __and__(self, other):
        bits = self._bits_of(other)
        return NotImplemented if bits is None else type(self)(self._value_ & bits)

    def __xor__(self, other):
        bits = self._bits_of(other)
        return NotImplemented if bits is None else type(self)(self._value_ ^ bits)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        return type(self)(_mask(type(self)) & ~self._value_)

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} "
                            f"and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([member for member in type(self) if member._value_ & self._value_])

    def __len__(self):
        return self._value_.bit_count()

    def __bool__(self):
        return bool(self._value_)

    def __hash__(self):
        return hash(self._value_)

    def __repr__(self):
        name = "" if self._name_ is None else f".{self._name_}"
        return f"<{type(self).__name__}{name}: {self._value_!r}>"

    def __str__(self):
        name = type(self).__name__
        return f"{name}({self._value_!r})" if self._name_ is None else f"{name}.{self._name_}"

    def __format__(self, spec):
        return format(str(self), spec)


class IntFlag(int, Flag):
    def __str__(self):
        return str(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)


def verify(*checks):
    return lambda cls: cls


UNIQUE, CONTINUOUS, NAMED_FLAGS = "unique", "continuous", "named flags"
STRICT, CONFORM, EJECT, KEEP = "strict", "conform", "eject", "keep"
