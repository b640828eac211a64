from typing import Protocol, runtime_checkable


@runtime_checkable
class Closable(Protocol):
    def close(self) -> None: ...


@runtime_checkable
class Named(Protocol):
    name: str

    def close(self) -> None: ...


class File:
    name = "f"

    def close(self):
        pass


class Door:
    def close(self):
        pass


class Explicit(Closable):
    def close(self):
        return 1


class Wall:
    pass


for value in (File(), Door(), Explicit(), Wall(), 5, "x"):
    print(type(value).__name__, isinstance(value, Closable), isinstance(value, Named))
#---
from typing import Protocol


class Plain(Protocol):
    def run(self): ...


class Runner:
    def run(self):
        return 1


class Child(Plain):
    pass


try:
    isinstance(Runner(), Plain)
except TypeError as error:
    print(error)
print(isinstance(Runner(), Child), isinstance(Child(), Child))
#---
from typing import Protocol, runtime_checkable

try:
    @runtime_checkable
    class NotOne:
        pass
except TypeError as error:
    print(error)


@runtime_checkable
class Sized(Protocol):
    def __len__(self) -> int: ...


class Box:
    def __len__(self):
        return 1


print(isinstance(Box(), Sized), isinstance(3, Sized))
