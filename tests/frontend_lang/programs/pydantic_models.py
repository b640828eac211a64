from pydantic import BaseModel, Field
from typing import Optional, List, Dict, Literal, Union, Any
import json
class Person(BaseModel):
    """A person."""
    name: str = Field(description="Full name", min_length=1)
    age: int = Field(ge=0, le=150)
    email: Optional[str] = None
    tags: list[str] = []
p = Person(name="Ann", age="30")
print(p, repr(p), p.age + 1, p.model_dump(), p.model_dump_json(), p == Person(name="Ann", age=30), p.email is None)
print(json.dumps(Person.model_json_schema(), indent=1))
print(Person.model_validate({"name": "Bo", "age": 3, "tags": ["x"]}), Person.model_validate_json('{"name": "C", "age": 4}'))
print(p.model_copy(update={"age": 5}), p.model_fields_set == {"name", "age"}, Person(name="a", age=1).tags is Person(name="a", age=1).tags)
#---
from pydantic import BaseModel, Field, ValidationError
class User(BaseModel):
    id: int
    name: str = "x"
    score: float = Field(0, gt=-1)
for bad in ({}, {"id": "abc"}, {"id": 1.5, "name": 3}, {"id": None, "score": -5}, {"id": [], "score": "q"}):
    try: print(User(**bad))
    except ValidationError as e: print(e); print(e.error_count(), [(x["loc"], x["type"], x["msg"]) for x in e.errors()])
#---
from pydantic import BaseModel, ValidationError
from enum import Enum
from typing import Literal, Union, Optional, List, Dict, Tuple
class Color(str, Enum):
    RED = "red"
    BLUE = "blue"
class A(BaseModel):
    s: str
class M(BaseModel):
    c: Color
    l: Literal["a", "b", "c"] = "a"
    u: Union[int, List[str], A] = 0
    d: Dict[str, int] = {}
    t: Tuple[int, str] = (1, "a")
    a: Optional[A] = None
    aa: List[A] = []
    b: bool = True
print(M(c="red"), M(c=Color.BLUE, u=["x"], a={"s": "q"}, aa=[{"s": "w"}, A(s="e")], t=[3, "c"], b="no"))
print(M(c="red", u={"s": "z"}).model_dump(), M(c="red").model_dump_json(), M(c="blue").model_dump(mode="json"))
for bad in ({"c": "pink"}, {"c": "red", "l": "z"}, {"c": "red", "u": None}, {"c": "red", "d": {"x": "y"}}, {"c": "red", "t": [1]}, {"c": "red", "t": [1, "a", 2]}, {"c": "red", "aa": [{"s": 1}, {}]}, {"c": "red", "a": 3}, {"c": "red", "b": "maybe"}):
    try: M(**bad); print("no error")
    except ValidationError as e: print(e)
#---
from pydantic import BaseModel, ValidationError
class M(BaseModel):
    a: int
    b: str = "q"
for text in ('{"a": 1', '', 'Sure! {"a": 1}', '{"a": 1,}', '{"a" 1}', '[1]', '{"a": "x"}', '{"b": null, "a": 2}', '{"a": tru}', "{'a': 1}", '{"a": 1} x', '{"a": [1 2]}', '{"a": 01}', '{"a": "x\ny"}', '{\n "a": 1,\n "b": "abc', 'null', '{"a": 1.0}'):
    try: print(M.model_validate_json(text))
    except ValidationError as e: print(e)
#---
from pydantic import BaseModel, ConfigDict, ValidationError
class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    x: int
class Open(BaseModel):
    model_config = {"extra": "allow"}
    x: int
try: Strict(x=1, y=2, z=3)
except ValidationError as e: print(e)
o = Open(x=1, y=2); print(o, o.y, o.model_dump(), Open.model_json_schema(), Strict.model_json_schema())
class Ign(BaseModel):
    x: int
print(Ign(x=1, y=2))
try: Ign(x=1).q = 3
except ValueError as e: print(e)
i = Ign(x=1); i.x = 7; print(i)
class Fr(BaseModel):
    model_config = ConfigDict(frozen=True)
    x: int
f = Fr(x=1); print(hash(f) == hash(Fr(x=1)))
try: f.x = 2
except ValidationError as e: print(e)
#---
from pydantic import BaseModel, field_validator, model_validator, ValidationError
class M(BaseModel):
    name: str
    age: int = 0
    pw: str = ""
    pw2: str = ""
    @field_validator("name")
    @classmethod
    def cap(cls, v):
        if " " not in v: raise ValueError("must contain a space")
        return v.title()
    @field_validator("age", mode="before")
    @classmethod
    def years(cls, v): return int(str(v).replace("y", ""))
    @model_validator(mode="after")
    def same(self):
        if self.pw != self.pw2: raise ValueError("passwords do not match")
        return self
print(M(name="ann lee", age="33y"))
for bad in ({"name": "ann"}, {"name": "a b", "pw": "x"}):
    try: M(**bad)
    except ValidationError as e: print(e)
#---
from __future__ import annotations
from pydantic import BaseModel, Field
from typing import Optional, List
import json
class Node(BaseModel):
    value: int
    children: List[Node] = []
    next: Optional[Node] = None
n = Node(value=1, children=[{"value": 2, "children": [{"value": 3}]}])
print(n, n.children[0].children[0].value)
print(json.dumps(Node.model_json_schema()))
#---
from pydantic import BaseModel, Field, conint, constr, conlist
from typing import Annotated, Optional, List, Dict, Any, Set, Tuple, Literal, Union
from enum import Enum
import json
class Num(Enum):
    A = 1
    B = "x"
class Addr(BaseModel):
    """An address."""
    street: str = Field(description="The street")
    zip: Optional[str] = None
class U(BaseModel):
    model_config = {"extra": "forbid"}
    name: str = Field(..., min_length=1, max_length=10, pattern="^a", description="N", examples=["a"])
    age: int = Field(ge=0, lt=150)
    score: float = Field(0.5, gt=0, le=1, multiple_of=0.5)
    num: Num = Field(Num.A, description="x")
    addr: Addr
    addr2: Optional[Addr] = None
    addrs: List[Addr] = []
    lit: Literal["a", "b"]
    lit1: Literal["z"] = "z"
    litm: Literal[1, "a", None]
    u: Union[int, str]
    tags: list[str] = Field(default_factory=list, min_length=1, max_length=3)
    d: dict[str, int] = {}
    d2: Dict[str, Any]
    t: Tuple[int, str]
    tv: tuple[int, ...] = (1,)
    s: set[int]
    a: Any = None
    b: bool = True
    c: conint(ge=1, le=5) = 3
    cs: constr(min_length=2, pattern=r"\d+")
    cl: conlist(int, min_length=1)
    al: int = Field(alias="Al-ias")
    bare_list: list
    bare_dict: dict
    an: Annotated[int, Field(gt=3)]
    my_URL_x1: str = Field(title="Custom")
    x: int | None = None
print(json.dumps(U.model_json_schema(), indent=1))
#---
from pydantic import BaseModel
from typing import List
class Step(BaseModel):
    explanation: str
    output: str
class Reasoning(BaseModel):
    steps: List[Step]
    final_answer: str
r = Reasoning.model_validate_json('{"steps": [{"explanation": "e1", "output": "o1"}], "final_answer": "42"}')
for s in r.steps: print(s.explanation, "->", s.output)
print(r.final_answer, r, dict(r)["final_answer"], r.model_dump(), r.model_dump(exclude={"steps"}), r.model_dump(include={"steps"}))
print(r.model_dump_json(indent=2))
class Base(BaseModel):
    id: int = 0
class Kid(Base):
    name: str
    def hello(self): return f"hi {self.name} {self.id}"
    @property
    def up(self): return self.name.upper()
    @classmethod
    def make(cls, n): return cls(name=n, id=len(n))
k = Kid.make("bob"); print(k, k.hello(), k.up, isinstance(k, Base), Kid.model_json_schema(), list(Kid.model_fields))
