import json
from typing import Annotated, FrozenSet, List, Optional, Sequence, Tuple

from pydantic import (AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field,
                      NonPositiveInt, PlainValidator, StrictInt, StringConstraints, TypeAdapter,
                      ValidationError, WrapValidator, computed_field, create_model,
                      field_serializer, field_validator, model_serializer, model_validator)


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(error)
        print(error.errors(include_url=False))
    except Exception as error:
        print(type(error).__name__, error)


def pos(v):
    if v<0: raise ValueError("neg")
    return v*2
def strip(v): return v.strip() if isinstance(v,str) else v
class M(BaseModel):
    a: Annotated[int, AfterValidator(pos)]
    b: Annotated[int, BeforeValidator(strip)] = 0
    c: Annotated[str, PlainValidator(lambda v: str(v)+"!")] = "x"
    d: Annotated[str, StringConstraints(min_length=2, to_upper=True, strip_whitespace=True)] = "zz"
    e: StrictInt = 3
    f: Annotated[int, WrapValidator(lambda v, h: h(v)+1)] = 5
    g: Optional[Annotated[str, AfterValidator(str.upper)]] = None
    h: List[Annotated[int, Field(gt=0), AfterValidator(lambda v: v+1)]] = []
show(lambda: M(a=2,b=" 3 ",c=4,d=" ab ",f="7",g="x",h=[1]))
show(lambda: M(a=-2,b=" q ",d="  a ",e="3",f="x",g=1,h=[0]))
print(json.dumps(M.model_json_schema()))
def ck(v): 
    assert v>1, "small"
    return v
show(lambda: TypeAdapter(Annotated[int, AfterValidator(ck)]).validate_python(0))
class W(BaseModel):
    x: int
    y: int = 0
    @field_validator("x", mode="wrap")
    @classmethod
    def wx(cls, v, handler, info):
        try: return handler(v)
        except ValidationError: return -1
    @field_validator("y", mode="wrap")
    @classmethod
    def wy(cls, v, handler): return handler(v)*10
    @model_validator(mode="wrap")
    @classmethod
    def wm(cls, data, handler):
        m=handler(data)
        m.y+=1
        return m
show(lambda: W(x="q")); show(lambda: W(x=1,y="z")); show(lambda: W(x=1,y="3")); show(lambda: W.model_validate({"y":1}))
show(lambda: M.model_validate_json('{"a": 1,')); show(lambda: M.model_validate_json('{"a": 1, "h":[1,')); show(lambda: M.model_validate_json('{"a'))
#---
import json
from typing import Annotated, FrozenSet, List, Optional, Sequence, Tuple

from pydantic import (AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field,
                      NonPositiveInt, PlainValidator, StrictInt, StringConstraints, TypeAdapter,
                      ValidationError, WrapValidator, computed_field, create_model,
                      field_serializer, field_validator, model_serializer, model_validator)


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(error)
        print(error.errors(include_url=False))
    except Exception as error:
        print(type(error).__name__, error)


class S(BaseModel):
    a: float
    b: List[int]
    c: Optional[str]=None
    @field_serializer("a")
    def sa(self, v): return round(v,1)
    @field_serializer("b", when_used="json")
    def sb(self, v, info): return ",".join(map(str,v))
    @computed_field
    @property
    def twice(self) -> float: return self.a*2
s=S(a=1.26,b=[1,2]); print(s.model_dump(), s.model_dump_json(), s.model_dump(mode="json"), s)
print(json.dumps(S.model_json_schema()))
class MS(BaseModel):
    a:int; b:int
    @model_serializer
    def ser(self): return {"sum": self.a+self.b}
class MW(BaseModel):
    a:int
    @model_serializer(mode="wrap")
    def ser(self, handler, info):
        d=handler(self); d["extra"]=info.mode; return d
class O(BaseModel):
    m: MS; w: MW
print(MS(a=1,b=2).model_dump(), MW(a=1).model_dump_json(), O(m=MS(a=1,b=2), w=MW(a=3)).model_dump())
#---
import json
from typing import Annotated, FrozenSet, List, Optional, Sequence, Tuple

from pydantic import (AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field,
                      NonPositiveInt, PlainValidator, StrictInt, StringConstraints, TypeAdapter,
                      ValidationError, WrapValidator, computed_field, create_model,
                      field_serializer, field_validator, model_serializer, model_validator)


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(error)
        print(error.errors(include_url=False))
    except Exception as error:
        print(type(error).__name__, error)


C=create_model("C", a=(int, ...), b=(str, "x"), c=(Optional[int], None))
show(lambda: C(a="1")); show(lambda: C()); print(C.__name__, json.dumps(C.model_json_schema()))
class Al(BaseModel):
    model_config=ConfigDict(populate_by_name=True)
    n: int = Field(validation_alias=AliasChoices("n","num"))
    u: str = Field("", alias="uu")
show(lambda: Al(num=3, u="t")); show(lambda: Al()); print(json.dumps(Al.model_json_schema(by_alias=False)), json.dumps(Al.model_json_schema()))
class Cf(BaseModel):
    model_config=ConfigDict(str_to_lower=True, str_max_length=4, coerce_numbers_to_str=True, from_attributes=True)
    s: str
class Ob:
    s="ABC"
show(lambda: Cf(s="ABC")); show(lambda: Cf(s="ABCDE")); show(lambda: Cf(s=12)); show(lambda: Cf.model_validate(Ob())); show(lambda: Cf.model_validate(3))
class N(BaseModel):
    f: FrozenSet[int]=frozenset(); x: float=1e-7; y: float=float("nan"); z: float=1e16; w: NonPositiveInt=0; v: Sequence[int]=(); q: Tuple[int,...]=()
print(N().model_dump_json(), N(f=[1,2]), N(v=(1,2)), N(v=[1]))
show(lambda: N(v="abc")); show(lambda: N(w=1)); show(lambda:N(f=3))
