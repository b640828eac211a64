import json
import pathlib
import uuid
from datetime import date, datetime, time, timedelta, timezone
from typing import List, Optional

from pydantic import BaseModel, ValidationError


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(*str(error).split("\n")[1:3])


class M(BaseModel):
    a: Optional[datetime]=None; b: Optional[date]=None; c: Optional[time]=None; d: Optional[timedelta]=None; e: Optional[uuid.UUID]=None; f: Optional[pathlib.Path]=None
print(json.dumps(M.model_json_schema()))
for s in ["2024-01-02T03:04:05Z","2024-01-02 03:04:05.25+02:00","2024-01-02","2024-13-02","2024-02-30","x","20240102","2024-1-2","2024-01-02T25:00","2024-01-02T03:04","2024-01-02x03:04", "abcd-01-02","2024-01-02T03:04:05ZZ",1700000000,1700000000.5,"1700000000",[],None,"","2024-01-02T03","2024/01/02","January 5"]: show(lambda: M(a=s))
print()
for s in ["2024-01-02","2024-01-02T00:00:00","2024-01-02T01:00:00","2024-13-01","x",0,86400,3,[], datetime(2024,1,2), datetime(2024,1,2,3),"tomorrow"]: show(lambda: M(b=s))
print()
for s in ["10:20","10:20:30","10:20:30.5+01:00","25:00","x",3600,[]]: show(lambda: M(c=s))
print()
for s in ["P1DT2H","PT30M","01:02:03","1 days 02:03:04","x",90,1.5,[], "-PT5S","3 days"]: show(lambda: M(d=s))
print()
for s in ["12345678-1234-5678-1234-567812345678","x",3,"12345678123456781234567812345678"]: show(lambda: M(e=s))
for s in ["a/b",3]: show(lambda: M(f=s))
m=M(a="2024-01-02T03:04:05Z",b="2024-01-02",c="10:20",d=timedelta(days=1,hours=2,seconds=3,microseconds=5),e="12345678-1234-5678-1234-567812345678",f="a/b")
print(m.model_dump_json(), m.model_dump(mode="json"), m)
for td in [timedelta(0), timedelta(days=-1), timedelta(seconds=-5), timedelta(hours=30), timedelta(milliseconds=1500), timedelta(days=3)]: print(M(d=td).model_dump_json(exclude_none=True))
for d in [datetime(2024,1,2,3,4,5), datetime(2024,1,2,3,4,5,6000), datetime(2024,1,2,tzinfo=timezone(timedelta(hours=2)))]: print(M(a=d).model_dump_json(exclude_none=True))
class D(BaseModel):
    when: datetime = datetime(2024,1,2); items: List[date]
print(json.dumps(D.model_json_schema())); show(lambda: D(items=["2024-01-01","q"]))
show(lambda: M.model_validate_json('{"a": 3, "b": "x", "c": true}'))
