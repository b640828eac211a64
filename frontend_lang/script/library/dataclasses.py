"""dataclasses."""
from _dataclasses import (KW_ONLY, MISSING, FrozenInstanceError, InitVar, astuple, dataclass,
                          field, fields, is_dataclass, replace)
from _dataclasses import asdict as _asdict


def _converted(value, dict_factory):
    if is_dataclass(value) and not isinstance(value, type):
        return dict_factory([(one.name, _converted(getattr(value, one.name), dict_factory))
                             for one in fields(value)])
    if isinstance(value, (list, tuple)):
        items = [_converted(item, dict_factory) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return type(value)((_converted(key, dict_factory), _converted(item, dict_factory))
                           for key, item in value.items())
    return value


def asdict(obj, *, dict_factory=dict):
    if dict_factory is dict:
        return _asdict(obj)
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _converted(obj, dict_factory)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, module=None, **options):
    names, body = {}, dict(namespace or {})
    for one in fields:
        name, kind, *default = (one, object) if isinstance(one, str) else one
        if not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if name in names:
            raise TypeError(f"Field name duplicated: {name!r}")
        names[name] = kind
        if default:
            body[name] = default[0]
    body["__annotations__"] = names
    return dataclass(**options)(type(cls_name, bases, body))
