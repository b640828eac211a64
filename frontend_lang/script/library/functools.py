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
    defined = [name for name in _FROM
               if getattr(cls, name, None) is not getattr(object, name, None)]
    if not defined:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = defined[0]
    for name, function in _FROM[root].items():
        if name not in defined:
            setattr(cls, name, function)
    return cls


def _type_of_first(implementation):
    from typing import get_type_hints
    if not getattr(implementation, "__annotations__", None):
        raise TypeError(f"Invalid first argument to `register()`: {implementation!r}. Use either "
                        "`@register(some_class)` or plain `@register` on an annotated function.")
    name, cls = next(iter(get_type_hints(implementation).items()))
    if not _are_types(cls):
        raise TypeError(f"Invalid annotation for {name!r}. {cls!r} is not a class.")
    return cls


def _are_types(cls):
    from typing import Union, get_args, get_origin
    return isinstance(cls, type) or get_origin(cls) in (Union, type(int | str)) and all(
        isinstance(one, type) for one in get_args(cls))


def singledispatch(func):
    """The function that is registered for the type of the first argument."""
    registry = {object: func}

    def dispatch(cls):
        best = object
        for known in registry:
            if issubclass(cls, known) and issubclass(known, best):
                best = known
        return registry[best]

    def register(cls, func=None):
        from typing import get_args
        if not _are_types(cls):
            if func is not None:
                raise TypeError(f"Invalid first argument to `register()`. {cls!r} is not a class "
                                "or union type.")
            func, cls = cls, _type_of_first(cls)
        elif func is None:
            return lambda func: register(cls, func)
        for one in get_args(cls) or (cls,):
            registry[one] = func
        return func

    @wraps(func)
    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kw)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


def singledispatchmethod(func):
    dispatcher = singledispatch(func)

    @wraps(func)
    def method(self, *args, **kwargs):
        return dispatcher.dispatch(type(args[0]))(self, *args, **kwargs)

    method.register = dispatcher.register
    return method


def partialmethod(func, /, *args, **keywords):
    def method(self, /, *more, **others):
        return func(self, *args, *more, **{**keywords, **others})
    return method
