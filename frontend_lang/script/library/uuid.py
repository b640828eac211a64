"""uuid: numbers of 128 bits. They are drawn from random, as the program seeds it or not."""
import hashlib as _hashlib
import random as _random
import time as _time

RFC_4122 = "specified in RFC 4122"
_HIDDEN = _random.Random()


class UUID:
    def __init__(self, hex=None, bytes=None, int=None, version=None):
        if [hex, bytes, int].count(None) != 2:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if hex is not None:
            digits = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(digits) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _int(digits, 16)
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _int(bytes.hex(), 16)
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        self._number = int

    @property
    def int(self):
        return self._number

    @property
    def hex(self):
        return f"{self._number:032x}"

    @property
    def bytes(self):
        return bytes.fromhex(self.hex)

    @property
    def version(self):
        return self._number >> 76 & 15

    @property
    def variant(self):
        return RFC_4122

    @property
    def urn(self):
        return "urn:uuid:" + str(self)

    def __str__(self):
        digits = f"{self._number:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def __repr__(self):
        return f"UUID('{self}')"

    def __int__(self):
        return self._number

    def __hash__(self):
        return hash(self._number)

    def __eq__(self, other):
        return self._number == other._number if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self._number < other._number if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self._number > other._number if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self._number <= other._number if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self._number >= other._number if isinstance(other, UUID) else NotImplemented


_int = int


def uuid4():
    return UUID(int=_HIDDEN.getrandbits(128), version=4)


def uuid1(node=None, clock_seq=None):
    time = _time.time_ns() // 100 + 0x01B21DD213814000
    low, middle, high = time & 0xFFFFFFFF, time >> 32 & 0xFFFF, time >> 48 & 0x0FFF
    rest = _HIDDEN.getrandbits(64)
    return UUID(int=low << 96 | middle << 80 | high << 64 | rest, version=1)


def uuid3(namespace, name):
    return UUID(bytes=_hashlib.md5(namespace.bytes + name.encode()).digest()[:16], version=3)


def uuid5(namespace, name):
    return UUID(bytes=_hashlib.sha1(namespace.bytes + name.encode()).digest()[:16], version=5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")
