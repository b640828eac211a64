import json
from typing import Annotated, Dict, List, Literal, Optional, Union

from pydantic import BaseModel, Discriminator, Field, RootModel, Tag, TypeAdapter, ValidationError


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(error)
        print(error.errors(include_url=False))
    except Exception as error:
        print(type(error).__name__, error)


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9
class Dog(BaseModel):
    kind: Literal["dog","wolf"] = "dog"
    bark: str
class Home(BaseModel):
    pet: Union[Cat, Dog] = Field(discriminator="kind")
    others: List[Annotated[Union[Cat, Dog], Field(discriminator="kind")]] = []
    maybe: Optional[Union[Cat,Dog]] = Field(None, discriminator="kind")
print(json.dumps(Home.model_json_schema()))
show(lambda: Home(pet={"kind":"cat"}))
show(lambda: Home(pet={"kind":"dog"}))
show(lambda: Home(pet={"kind":"cow"}))
show(lambda: Home(pet={"lives":3}))
show(lambda: Home(pet=3))
show(lambda: Home(pet=Cat(kind="cat"), others=[{"kind":"wolf","bark":"x"},{"kind":"cat","lives":"q"}]))
show(lambda: Home.model_validate_json('{"pet": 3}'))
show(lambda: Home.model_validate_json('{"pet": {"kind": "cat"}, "maybe": {"kind":"x"}}'))
Pet=Annotated[Union[Cat,Dog], Field(discriminator="kind")]
ta=TypeAdapter(Pet)
print(json.dumps(ta.json_schema()))
show(lambda: ta.validate_python({"kind":"x"}))
show(lambda: ta.validate_python({"kind":"dog","bark":2}))
show(lambda: ta.validate_json('{"kind":"wolf","bark":"w"}'))
show(lambda: TypeAdapter(List[Pet]).validate_python([{"kind":"x"}]))
P2=Annotated[Union[Annotated[Cat, Tag("c")], Annotated[Dog, Tag("d")]], Discriminator(lambda v: "c" if "lives" in v else "d" if "bark" in v else None)]
t2=TypeAdapter(P2)
show(lambda: t2.validate_python({"lives":3,"kind":"cat"}))
show(lambda: t2.validate_python({"lives":"z","kind":"cat"}))
show(lambda: t2.validate_python({"x":"z","kind":"cat"}))
print(json.dumps(t2.json_schema()))
#---
import json
from typing import Annotated, Dict, List, Literal, Optional, Union

from pydantic import BaseModel, Discriminator, Field, RootModel, Tag, TypeAdapter, ValidationError


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(error)
        print(error.errors(include_url=False))
    except Exception as error:
        print(type(error).__name__, error)


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9
class Tags(RootModel[List[str]]):
    "doc"
    def __iter__(self): return iter(self.root)
    def __getitem__(self,i): return self.root[i]
t=Tags(["a","b"]); print(t, repr(t), t.root, list(t), t[0], t.model_dump(), t.model_dump_json(), Tags.model_validate(["x"]), Tags.model_validate_json('["q"]')==Tags(["q"]))
print(json.dumps(Tags.model_json_schema()))
show(lambda: Tags(1)); show(lambda: Tags([1,"a",2])); show(lambda: Tags(root=["a"])); show(lambda: Tags.model_validate_json('{}'))
class D(RootModel):
    root: Dict[str, Cat]
show(lambda: D(a={"kind":"cat"}) ); show(lambda: D({"a":{"kind":"dog"}})); print(json.dumps(D.model_json_schema()))
class H2(BaseModel):
    tags: Tags
    d: D = D({})
show(lambda: H2(tags=["a"]).model_dump()); show(lambda: H2(tags=[1])); print(json.dumps(H2.model_json_schema()))
