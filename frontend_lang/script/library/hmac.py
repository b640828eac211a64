"""hmac: digests with a key."""
import hashlib as _hashlib


class HMAC:
    def __init__(self, key, msg=None, digestmod=""):
        if not digestmod:
            raise TypeError("Missing required parameter 'digestmod'.")
        self._make = digestmod if callable(digestmod) else (
            lambda data=b"": _hashlib.new(digestmod, data))
        size = self._make().block_size
        if len(key) > size:
            key = self._make(key).digest()
        key = key + b"\0" * (size - len(key))
        self._outer_key = bytes(byte ^ 0x5C for byte in key)
        self._inner = self._make(bytes(byte ^ 0x36 for byte in key))
        if msg is not None:
            self.update(msg)

    @property
    def digest_size(self):
        return self._inner.digest_size

    def update(self, msg):
        self._inner.update(msg)

    def digest(self):
        return self._make(self._outer_key + self._inner.digest()).digest()

    def hexdigest(self):
        return self.digest().hex()


def new(key, msg=None, digestmod=""):
    return HMAC(key, msg, digestmod)


def digest(key, msg, digest):
    return HMAC(key, msg, digest).digest()


def compare_digest(a, b):
    return a == b
