"""random: one generator and its methods; the class has what _random leaves to it."""
import _random
from bisect import bisect as _bisect
from itertools import accumulate as _accumulate
from math import (acos as _acos, cos as _cos, e as _e, exp as _exp, log as _log, pi as _pi,
                  sqrt as _sqrt, tau as _tau)

_LOG4 = _log(4.0)
_MAGIC = 1.0 + _log(4.5)


class Random(_random.Random):
    def getstate(self):
        numbers, gauss = self._getstate()
        return 3, numbers, gauss

    def setstate(self, state):
        version, numbers, gauss = state
        if version != 3:
            raise ValueError(f"state with version {version} passed to Random.setstate() of "
                             "version 3")
        self._setstate(numbers, gauss)

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def sample(self, population, k, *, counts=None):
        if counts is None:
            return super().sample(population, k)
        sums = list(_accumulate(counts))
        if len(sums) != len(population):
            raise ValueError("The number of counts does not match the population")
        total = sums.pop()
        if not isinstance(total, int):
            raise TypeError("Counts must be integers")
        if total <= 0:
            raise ValueError("Total of counts must be greater than zero")
        return [population[_bisect(sums, place)] for place in super().sample(range(total), k)]

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha == 1.0:
            return -_log(1.0 - self.random()) * beta
        return (self._gamma_above(alpha) if alpha > 1.0 else self._gamma_below(alpha)) * beta

    def _gamma_above(self, alpha):
        """Cheng (1977)."""
        scale = _sqrt(2.0 * alpha - 1.0)
        b, c = alpha - _LOG4, alpha + scale
        while True:
            u = self.random()
            if not 1e-7 < u < 0.9999999:
                continue
            v = _log(u / (1.0 - u)) / scale
            x = alpha * _exp(v)
            z = u * u * (1.0 - self.random())
            r = b + c * v - x
            if r + _MAGIC - 4.5 * z >= 0.0 or r >= _log(z):
                return x

    def _gamma_below(self, alpha):
        """Ahrens and Dieter (1974)."""
        while True:
            b = (_e + alpha) / _e
            p = b * self.random()
            x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
            u = self.random()
            if u <= (x ** (alpha - 1.0) if p > 1.0 else _exp(-x)):
                return x

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)

    def vonmisesvariate(self, mu, kappa):
        if kappa <= 1e-6:
            return _tau * self.random()
        s = 0.5 / kappa
        r = s + _sqrt(1.0 + s * s)
        while True:
            z = _cos(_pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * _exp(d):
                break
        q = 1.0 / r
        angle = _acos((q + z) / (1.0 + q * z))
        return (mu + angle if self.random() > 0.5 else mu - angle) % _tau


class SystemRandom(Random):
    def seed(self, *args, **kwds):
        return None

    def getstate(self, *args, **kwds):
        raise NotImplementedError("System entropy source does not have state.")

    setstate = getstate


_shared = Random()
seed = _shared.seed
random = _shared.random
uniform = _shared.uniform
triangular = _shared.triangular
randint = _shared.randint
choice = _shared.choice
randrange = _shared.randrange
sample = _shared.sample
shuffle = _shared.shuffle
choices = _shared.choices
normalvariate = _shared.normalvariate
lognormvariate = _shared.lognormvariate
expovariate = _shared.expovariate
vonmisesvariate = _shared.vonmisesvariate
gammavariate = _shared.gammavariate
gauss = _shared.gauss
betavariate = _shared.betavariate
paretovariate = _shared.paretovariate
weibullvariate = _shared.weibullvariate
getstate = _shared.getstate
setstate = _shared.setstate
getrandbits = _shared.getrandbits
randbytes = _shared.randbytes
