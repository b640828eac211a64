"""functools."""
from _functools import (cache, cached_property, cmp_to_key, lru_cache, partial, reduce,
                        update_wrapper, wraps)

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)



# How each comparison follows from one that a class has, with == beside it.
_FROM = {
    "__lt__": {"__gt__": lambda self, other: not (self < other or self == other),
               "__le__": lambda self, other: self < other or self == other,
               "__ge__": lambda self, other: not self < other},
    "__le__": {"__ge__": lambda self, other: not self <= other or self == other,
               "__lt__": lambda self, other: self <= other and not self == other,
               "__gt__": lambda self, other: not self <= other},
    "__gt__": {"__lt__": lambda self, other: not (self > other or self == other),
               "__ge__": lambda self, other: self > other or self == other,
               "__le__": lambda self, other: not self > other},
    "__ge__": {"__le__": lambda self, other: not self >= other or self == other,
               "__gt__": lambda self, other: self >= other and not self == other,
               "__lt__": lambda self, other: not self >= other},
}


def total_ordering(cls):
    defined = [name for name in _FROM if getattr(cls, name, None) is not getattr(object, name, None)]
    if not defined:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = defined[0]
    for name, function in _FROM[root].items():
        if name not in defined:
            setattr(cls, name, function)
    return cls


def singledispatch(function):
    """The function that is registered for the type of the first argument."""
    registry = {object: function}

    def dispatch(cls):
        best = object
        for known in registry:
            if issubclass(cls, known) and issubclass(known, best):
                best = known
        return registry[best]

    def register(cls, implementation=None):
        if not isinstance(cls, type):
            raise TypeError("Invalid first argument to `register()`: a type is needed, as the "
                            "language ignores annotations of functions")
        if implementation is None:
            return lambda implementation: register(cls, implementation)
        registry[cls] = implementation
        return implementation

    @wraps(function)
    def wrapper(*args, **kwargs):
        if not args:
            raise TypeError(f"{function.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kwargs)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


class partialmethod:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("functools.partialmethod is not in the language")
