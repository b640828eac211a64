from typing import Dict

from pydantic import BaseModel


class Answer(BaseModel):
    q: str
    r: int


class Row(BaseModel):
    id: int
    an: Answer
    counts: Dict[int, float] = {}


row = Row(id=1, an=Answer(q="x", r=2), counts={3: 1.5})
print(row.model_dump(include={"an": {"q"}}))
print(row.model_dump(exclude={"an": {"q"}, "counts": True}))
print(row.model_dump(include={"an": True, "id": ...}), row.model_dump(exclude={"an"}))
print(row.model_dump(mode="json"), row.model_dump_json())
print(Row.model_config, row.model_dump()["counts"])
#---
from enum import Enum, IntEnum

from pydantic import BaseModel, ValidationError


class Level(IntEnum):
    low = 1
    high = 2


class Plain(Enum):
    one = 1


class M(BaseModel):
    level: Level
    plain: Plain = Plain.one


print(M(level="2"), M(level=2.0), M.model_validate_json('{"level": "1"}'))
for wrong in ("3", "x", 1.5):
    try:
        M(level=wrong)
    except ValidationError as error:
        print(error.errors()[0]["msg"], error.error_count())
try:
    M(level=1, plain="1")
except ValidationError as error:
    print(error.errors()[0]["msg"])
#---
import json

from pydantic import BaseModel, model_validator


class Range(BaseModel):
    low: int
    high: int

    @model_validator(mode="after")
    def check(self):
        if self.low > self.high:
            raise ValueError("low > high")
        return self


try:
    Range(low=2, high=1)
except ValueError as error:
    shown = json.loads(error.json())
    print(shown[0]["ctx"], shown[0]["type"], shown[0]["msg"])
    print(type(error.errors()[0]["ctx"]["error"]).__name__)
#---
from pydantic import BaseModel


class M(BaseModel):
    a: int = 1


m = M()
print(vars(m), sorted(vars(M(a=2)).items()))
