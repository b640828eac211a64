class Singleton(type):
    _instances = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls._instances:
            cls._instances[cls] = super().__call__(*args, **kwargs)
        return cls._instances[cls]


class Config(metaclass=Singleton):
    def __init__(self, level=1):
        self.level = level


print(Config(3) is Config(4), Config().level, type(Config), isinstance(Config, Singleton))
print(isinstance(Config, type), type(Config()).__name__, Config)
#---
class Registry(type):
    known = {}

    def __new__(mcs, name, bases, namespace, **options):
        cls = super().__new__(mcs, name, bases, namespace)
        mcs.known[name] = options
        return cls

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)
        cls.tag = name.lower()

    def __len__(cls):
        return 7

    def __iter__(cls):
        return iter("ab")

    def __getitem__(cls, key):
        return key * 2

    def __contains__(cls, key):
        return key == 1

    def __repr__(cls):
        return f"<plugin {cls.__name__}>"

    @property
    def initial(cls):
        return cls.__name__[0]

    def describe(cls):
        return cls.tag + "!"


class Base(metaclass=Registry):
    pass


class Child(Base, flag=1):
    def method(self):
        return super().__repr__()[:4]


print(Registry.known, Base.tag, Child.tag, len(Base), list(Child), Base[2], 1 in Base, Base)
print(Child.initial, Child.describe(), type(Child).__name__, Child().method() != "")
try:
    Base().describe()
except AttributeError as error:
    print(error)
Made = Registry("Made", (), {"x": 1})
print(Made, Made.x, Made.tag, type(Made) is Registry)
#---
from abc import ABCMeta, abstractmethod


class Interface(ABCMeta):
    def __new__(mcs, name, bases, namespace):
        for key, value in namespace.items():
            if callable(value) and not key.startswith("_") and not value.__doc__:
                raise TypeError(f"{name}.{key} needs a docstring")
        return super().__new__(mcs, name, bases, namespace)


class Plugin(metaclass=Interface):
    @abstractmethod
    def run(self):
        """Runs."""


class Good(Plugin):
    def run(self):
        """Runs well."""
        return 1


print(Good().run())
for attempt in (lambda: Plugin(), lambda: type(Plugin)("Bad", (Plugin,), {"run": lambda self: 1})):
    try:
        attempt()
    except TypeError as error:
        print(error)


class Duck(type):
    def __instancecheck__(cls, instance):
        return hasattr(instance, "quack")

    def __subclasscheck__(cls, subclass):
        return hasattr(subclass, "quack")


class Quacks(metaclass=Duck):
    pass


class Robot:
    def quack(self):
        pass


print(isinstance(Robot(), Quacks), issubclass(Robot, Quacks), isinstance(1, Quacks))
#---
def upper_names(name, bases, namespace):
    return type(name.upper(), bases, namespace)


class made(metaclass=upper_names):
    x = 1


print(made.__name__, made.x, type(made))
Point = type("Point", (), {"x": 0, "show": lambda self: f"at {self.x}"})
print(Point().show(), Point.__name__, Point.__module__)
