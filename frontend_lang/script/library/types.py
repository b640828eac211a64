"""types: SimpleNamespace, MappingProxyType, and the names of the types that have no other."""
import _machine
import functools as _functools


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return vars(self) == vars(other)


class MappingProxyType:
    """A mapping that shows another one, and changes nothing in it."""

    def __init__(self, mapping, /):
        if not hasattr(mapping, "keys"):
            raise TypeError("mappingproxy() argument must be a mapping, not "
                            + type(mapping).__name__)
        self._shown = mapping

    def __getitem__(self, key):
        return self._shown[key]

    def __iter__(self):
        return iter(self._shown)

    def __len__(self):
        return len(self._shown)

    def __contains__(self, key):
        return key in self._shown

    def __reversed__(self):
        return reversed(self._shown)

    def __setitem__(self, key, value):
        raise TypeError("'mappingproxy' object does not support item assignment")

    def __delitem__(self, key):
        raise TypeError("'mappingproxy' object does not support item deletion")

    def __eq__(self, other):
        return self._shown == (other._shown if isinstance(other, MappingProxyType) else other)

    def __or__(self, other):
        return self._shown | (other._shown if isinstance(other, MappingProxyType) else other)

    def __ror__(self, other):
        return other | self._shown

    def __repr__(self):
        return f"mappingproxy({self._shown!r})"

    def __str__(self):
        return str(self._shown)

    def get(self, key, default=None):
        return self._shown.get(key, default)

    def keys(self):
        return self._shown.keys()

    def values(self):
        return self._shown.values()

    def items(self):
        return self._shown.items()

    def copy(self):
        return self._shown.copy()




class _AnyObject:
    def method(self):
        pass


async def _coroutine():
    pass


_made = _coroutine()
CoroutineType = type(_made)
_made.close()
FunctionType = LambdaType = type(lambda: None)
GeneratorType = type(_ for _ in ())
MethodType = type(_AnyObject().method)
BuiltinFunctionType = BuiltinMethodType = type(len)
ModuleType = type(_functools)
NoneType, EllipsisType, NotImplementedType = type(None), type(...), type(NotImplemented)
GenericAlias = type(list[int])
UnionType = type(int | None)


def new_class(name, bases=(), kwds=None, exec_body=None):
    members = {}
    if exec_body is not None:
        exec_body(members)
    return type(name, tuple(bases), members)


def coroutine(func):
    return func
