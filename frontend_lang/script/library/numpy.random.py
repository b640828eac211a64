"""numpy.random: its numbers are numpy's own, which the language does not have."""


def _refused(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"numpy.random.{name}() is not in the language: use random, "
                                  "whose numbers are CPython's")
    return refuse


def seed(seed=None):
    pass


rand, randn, randint, random = map(_refused, ("rand", "randn", "randint", "random"))
choice, shuffle, permutation, uniform = map(_refused, ("choice", "shuffle", "permutation",
                                                       "uniform"))
normal, default_rng, RandomState = map(_refused, ("normal", "default_rng", "RandomState"))
