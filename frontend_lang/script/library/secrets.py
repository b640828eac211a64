"""secrets: as random's hidden generator draws; a sandbox has no other source."""
import base64 as _base64
import random as _random

_HIDDEN = _random.Random()
DEFAULT_ENTROPY = 32


def randbits(k):
    return _HIDDEN.getrandbits(k)


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _HIDDEN.randrange(exclusive_upper_bound)


def choice(seq):
    return _HIDDEN.choice(seq)


def token_bytes(nbytes=None):
    count = DEFAULT_ENTROPY if nbytes is None else nbytes
    return bytes(_HIDDEN.getrandbits(8) for _ in range(count))


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    return _base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")


def compare_digest(a, b):
    return a == b
