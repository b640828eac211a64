"""inspect: what functions and classes say of themselves."""
import _machine
import asyncio as _asyncio
import types as _types


class _empty:
    pass


class _ParameterKind(int):
    _names = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY",
              "VAR_KEYWORD")
    _texts = ("positional-only", "positional or keyword", "variadic positional", "keyword-only",
              "variadic keyword")

    @property
    def name(self):
        return self._names[int(self)]

    @property
    def value(self):
        return int(self)

    @property
    def description(self):
        return self._texts[int(self)]

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {int(self)}>"

    def __str__(self):
        return self.name


def _module_of(cls):
    return getattr(cls, "__module__", "builtins")


def formatannotation(annotation, base_module=None):
    if isinstance(annotation, type):
        if _module_of(annotation) in ("builtins", base_module):
            return annotation.__qualname__
        return f"{_module_of(annotation)}.{annotation.__qualname__}"
    return repr(annotation).replace("typing.", "")


class Parameter:
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = map(
        _ParameterKind, range(5))
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.kind, self.default, self.annotation = _ParameterKind(kind), default, annotation
        if default is not _empty and self.kind in (2, 4):
            raise ValueError(f"{self.kind.description} parameters cannot have default values")
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not a {type(name).__name__}")
        if not name.isidentifier():
            raise ValueError(f"{name!r} is not a valid parameter name")
        self.name = name

    def replace(self, *, name=None, kind=None, annotation=_types, default=_types):
        return type(self)(self.name if name is None else name,
                          self.kind if kind is None else kind,
                          default=self.default if default is _types else default,
                          annotation=self.annotation if annotation is _types else annotation)

    def __str__(self):
        text = self.name
        if self.annotation is not _empty:
            text += f": {formatannotation(self.annotation)}"
        if self.default is not _empty:
            equals = "=" if self.annotation is _empty else " = "
            text += equals + repr(self.default)
        return {2: "*", 4: "**"}.get(int(self.kind), "") + text

    def __repr__(self):
        return f'<{type(self).__name__} "{self}">'

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return (self.name, self.kind, self.default, self.annotation) == (
            other.name, other.kind, other.default, other.annotation)

    def __hash__(self):
        return hash((self.name, int(self.kind)))


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    def _split(self):
        args, kwargs, by_name = [], {}, False
        for name, parameter in self.signature.parameters.items():
            if name not in self.arguments:
                by_name = by_name or parameter.kind == 1
                continue
            value = self.arguments[name]
            if parameter.kind == 4:
                kwargs.update(value)
            elif parameter.kind == 3 or by_name and parameter.kind == 1:
                kwargs[name] = value
            elif parameter.kind == 2:
                args.extend(value)
            else:
                args.append(value)
        return tuple(args), kwargs

    @property
    def args(self):
        return self._split()[0]

    @property
    def kwargs(self):
        return self._split()[1]

    def apply_defaults(self):
        filled = {}
        for name, parameter in self.signature.parameters.items():
            if name in self.arguments:
                filled[name] = self.arguments[name]
            elif parameter.default is not _empty:
                filled[name] = parameter.default
            elif parameter.kind in (2, 4):
                filled[name] = () if parameter.kind == 2 else {}
        self.arguments = filled

    def __eq__(self, other):
        return (isinstance(other, BoundArguments) and self.signature == other.signature
                and self.arguments == other.arguments)

    def __repr__(self):
        shown = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"<{type(self).__name__} ({shown})>"


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        parameters = list(parameters or ())
        for before, after in zip(parameters, parameters[1:]):
            if after.kind < before.kind:
                raise ValueError(f"wrong parameter order: {before.kind.description} parameter "
                                 f"before {after.kind.description} parameter")
            if (before.default is not _empty and after.default is _empty and after.kind < 2):
                raise ValueError("non-default argument follows default argument")
        self.parameters = _types.MappingProxyType({one.name: one for one in parameters})
        if len(self.parameters) != len(parameters):
            raise ValueError("duplicate parameter name")
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, **options):
        return signature(obj, follow_wrapped=follow_wrapped)

    def replace(self, *, parameters=_types, return_annotation=_types):
        return type(self)(
            self.parameters.values() if parameters is _types else parameters,
            return_annotation=(self.return_annotation if return_annotation is _types
                               else return_annotation))

    def _bind(self, args, kwargs, partial):
        arguments, left, names = {}, list(args), dict(kwargs)
        for name, one in self.parameters.items():
            if one.kind == 2:
                if left:
                    arguments[name] = tuple(left)
                left = []
            elif one.kind == 4:
                if names:
                    arguments[name] = names
                names = {}
            elif left and one.kind < 2:
                if name in names and one.kind == 1:
                    raise TypeError(f"multiple values for argument {name!r}")
                arguments[name] = left.pop(0)
            elif name in names and one.kind != 0:
                arguments[name] = names.pop(name)
            elif one.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if left:
            raise TypeError("too many positional arguments")
        if names:
            raise TypeError(f"got an unexpected keyword argument {next(iter(names))!r}")
        return BoundArguments(self, arguments)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return (list(self.parameters.values()) == list(other.parameters.values())
                and self.return_annotation == other.return_annotation)

    def __str__(self):
        shown, starred = [], False
        parameters = list(self.parameters.values())
        for at, one in enumerate(parameters):
            if one.kind == 3 and not starred:
                shown.append("*")
                starred = True
            starred = starred or one.kind == 2
            shown.append(str(one))
            following = parameters[at + 1].kind if at + 1 < len(parameters) else 1
            if one.kind == 0 and following != 0:
                shown.append("/")
        returns = ("" if self.return_annotation is _empty
                   else f" -> {formatannotation(self.return_annotation)}")
        return f"({', '.join(shown)}){returns}"

    def __repr__(self):
        return f"<{type(self).__name__} {self}>"


def _signature_of_function(function):
    names, num_only, keywords, star, double_star, defaults, by_name = (
        _machine.parameters_of(function))
    hints = getattr(function, "__annotations__")
    made = []

    def add(name, kind, default=_empty):
        made.append(Parameter(name, kind, default=default, annotation=hints.get(name, _empty)))
    for at, name in enumerate(names):
        place = at - (len(names) - len(defaults))
        add(name, 0 if at < num_only else 1, defaults[place] if place >= 0 else _empty)
    for name in star:
        add(name, 2)
    for name in keywords:
        add(name, 3, by_name.get(name, _empty))
    for name in double_star:
        add(name, 4)
    return Signature(made, return_annotation=hints.get("return", _empty))


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if hasattr(obj, "__signature__"):
        return getattr(obj, "__signature__")
    if follow_wrapped and hasattr(obj, "__wrapped__"):
        return signature(getattr(obj, "__wrapped__"))
    if isinstance(obj, type):
        found = getattr(obj, "__init__", None)
        if found is None or _machine.parameters_of(found) is None:
            return Signature()
        return _without_first(_signature_of_function(found)).replace(return_annotation=_empty)
    if _machine.parameters_of(obj) is not None:
        return _signature_of_function(obj)
    if isinstance(obj, _types.MethodType):
        return _without_first(signature(_machine.function_of(obj)))
    if hasattr(obj, "func") and hasattr(obj, "keywords"):
        return _of_partial(obj)
    call = getattr(type(obj), "__call__", None)
    if call is not None and _machine.parameters_of(call) is not None:
        return _without_first(_signature_of_function(call))
    raise ValueError(f"no signature found for builtin {obj!r}")


def _without_first(whole):
    return whole.replace(parameters=list(whole.parameters.values())[1:])


def _of_partial(partial):
    made, left = [], len(partial.args)
    whole, by_name = signature(partial.func), False
    for one in whole.parameters.values():
        if left and one.kind < 2:
            left -= 1
            continue
        if one.name in partial.keywords:
            one, by_name = one.replace(default=partial.keywords[one.name], kind=3), True
        elif by_name and one.kind == 1:
            one = one.replace(kind=3)
        made.append(one)
    return whole.replace(parameters=made)


class FullArgSpec:
    def __init__(self, function):
        names, _, keywords, star, double_star, defaults, by_name = _machine.parameters_of(function)
        self.args, self.kwonlyargs = list(names), list(keywords)
        self.varargs, self.varkw = (star or (None,))[0], (double_star or (None,))[0]
        self.defaults, self.kwonlydefaults = defaults or None, by_name or None
        self.annotations = getattr(function, "__annotations__")


def getfullargspec(func):
    return FullArgSpec(_machine.function_of(func))


def cleandoc(doc):
    lines = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    doc = getattr(object, "__doc__", None)
    return cleandoc(doc) if isinstance(doc, str) else None


def isfunction(object):
    return isinstance(object, _types.FunctionType)


def ismethod(object):
    return isinstance(object, _types.MethodType)


def isbuiltin(object):
    return isinstance(object, _types.BuiltinFunctionType)


isroutine = callable


def isclass(object):
    return isinstance(object, type)


def ismodule(object):
    return isinstance(object, _types.ModuleType)


def isgenerator(object):
    return isinstance(object, _types.GeneratorType)


def _kind(object):
    return _machine.kind_of(_machine.function_of(object))


def isgeneratorfunction(object):
    return _kind(object) == "generator"


def iscoroutinefunction(object):
    return _kind(object) == "coroutine"


def isasyncgenfunction(object):
    return _kind(object) == "async generator"


def iscoroutine(object):
    return _asyncio.iscoroutine(object)


def isawaitable(object):
    return iscoroutine(object) or _asyncio.isfuture(object) or hasattr(object, "__await__")


def isabstract(object):
    return isclass(object) and bool(getattr(object, "__abstractmethods__", False))


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


def getmro(cls):
    return tuple(_machine.ancestors_of(cls))


def unwrap(func, *, stop=None):
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        func = getattr(func, "__wrapped__")
    return func


def _refused(name):
    def refuse(*args, **kwargs):
        raise OSError(f"inspect.{name}() is not in the language: could not get source code")
    return refuse


getsource, getsourcelines, getsourcefile, getfile, currentframe, stack = map(
    _refused, ("getsource", "getsourcelines", "getsourcefile", "getfile", "currentframe", "stack"))
