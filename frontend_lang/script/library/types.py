"""types: SimpleNamespace, and the names of the types that have no other."""


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


class _AnyObject:
    def method(self):
        pass


FunctionType = LambdaType = type(lambda: None)
GeneratorType = type(_ for _ in ())
MethodType = type(_AnyObject().method)
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType = type(None)
