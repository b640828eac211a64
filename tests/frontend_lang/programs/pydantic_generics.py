from typing import Dict, Generic, List, Optional, TypeVar

from pydantic import BaseModel, ValidationError

T = TypeVar("T")
K = TypeVar("K")


class Item(BaseModel):
    name: str


class Page(BaseModel, Generic[T]):
    data: T
    items: List[T] = []
    total: int = 0


print(repr(Page[int](data="3", items=["1"])), Page[int].__name__)
page = Page[Item](data={"name": "a"}, items=[{"name": "b"}])
print(repr(page), page.items[0].name, isinstance(page, Page))
print(Page[int] is Page[int], Page[int] is Page[str])
try:
    Page[int](data="x")
except ValidationError as error:
    print(error)
print(Page[Item].model_json_schema())
print(repr(Page(data="any")))


class Both(BaseModel, Generic[K, T]):
    pairs: Dict[K, T]
    page: Optional[Page[T]] = None


print(repr(Both[str, int](pairs={"a": "1"}, page={"data": "2"})))
for wrong in (lambda: Both[int], lambda: Item[int]):
    try:
        wrong()
    except TypeError as error:
        print(error)
#---
from typing import ClassVar, List

from pydantic import BaseModel


class Config(BaseModel):
    LIMIT: ClassVar[int] = 4
    names: ClassVar[List[str]] = ["a"]
    x: int = 1


print(Config.LIMIT, Config().names, Config().model_dump(), list(Config.model_fields))
#---
from pydantic import BaseModel, Field, ValidationError


class A(BaseModel):
    a: str = Field(validation_alias="in", serialization_alias="out")


class B(BaseModel):
    b: str = Field("x", serialization_alias="S")


class C(BaseModel):
    c: str = Field("x", validation_alias="V")


class D(BaseModel):
    d: str = Field("x", alias="A", validation_alias="V")


print(A(**{"in": "v"}).model_dump(by_alias=True), B(b="q").model_dump(by_alias=True))
print(C(V="q").model_dump(by_alias=True), D(V="q").model_dump(by_alias=True))
try:
    A(out="x")
except ValidationError as error:
    print(error.errors()[0]["loc"], error.errors()[0]["type"])
print(A.model_json_schema(), B.model_json_schema())
#---
from pydantic import BaseModel, ConfigDict


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


class Base(BaseModel):
    model_config = ConfigDict(alias_generator=camel, populate_by_name=True)


class User(Base):
    first_name: str
    home_town: str = "x"


user = User(firstName="a", home_town="b")
print(user, user.model_dump(by_alias=True), list(User.model_json_schema()["properties"]))
#---
from typing import List, Literal, Optional

from pydantic import BaseModel, Field


class M(BaseModel):
    a: int
    b: float = 2.5
    c: Optional[str] = Field(None, description="d", title="T", alias="CC")
    d: Literal["x", "y"] = "x"
    e: dict[str, list[int]] = {}


for name, field in M.model_fields.items():
    print(name, field.annotation, field.is_required(), field.description)
print([repr(M.model_fields[name]) for name in "abde"])
#---
from typing import List

from pydantic import BaseModel


class Inner(BaseModel):
    tags: List[str] = []


class Outer(BaseModel):
    inner: Inner = Inner()
    parts: List[Inner] = []


first = Outer()
first.inner.tags.append("x")
print(Outer().inner.tags)
first.parts.append(Inner(tags=["q"]))
deep, shallow = first.model_copy(deep=True), first.model_copy()
first.parts[0].tags.append("r")
print(deep.parts[0].tags, shallow.parts[0].tags, deep == first, deep.model_fields_set)
print(first.model_copy(update={"parts": []}))
#---
from pydantic import BaseModel, ValidationError


class M(BaseModel):
    a: int
    b: float = 1


print(M.model_validate({"a": "1"}))
for run in (lambda: M.model_validate({"a": "1"}, strict=True),
            lambda: M.model_validate_json('{"a": "1"}', strict=True)):
    try:
        print(run())
    except ValidationError as error:
        print(error)
print(M.model_validate_json('{"a": 1, "b": 2}', strict=True))
#---
from pydantic import BaseModel, ConfigDict, ValidationError


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


try:
    Open.model_validate({5: 6, "a": 1})
except ValidationError as error:
    print(error.errors()[0]["type"], error.errors()[0]["loc"], error.errors()[0]["msg"])
m = Open(x=1)
m.model_extra["y"] = 2
print(m, m.model_dump(), m.y)
#---
from pydantic import BaseModel


def make():
    class A(BaseModel):
        y: str

    return A


B = make()


class A(BaseModel):
    x: B


print(A.model_json_schema())
#---
from pydantic import BaseModel, field_validator


class Wrong(ValueError):
    pass


class M(BaseModel):
    x: int

    @field_validator("x")
    def check(cls, value):
        if value < 0:
            raise Wrong("below zero")
        return value


try:
    M(x=-1)
except ValueError as error:
    print(error)
#---
from pydantic import BaseModel

calls = []


class Key:
    def __hash__(self):
        if calls:
            default.clear()
        return 1

    def __eq__(self, other):
        return self is other


default = [{Key(): 1}, 2, 3, [4, [5]]]


class M(BaseModel):
    x: list = default


calls.append(1)
print(len(M().x) > 0)
