import json
from enum import Enum
from typing import Annotated, Any, Dict, FrozenSet, List, Literal, Optional, Set, Tuple, Union

from pydantic import BaseModel, Field, TypeAdapter, ValidationError


def show(call):
    try:
        print(call())
    except ValidationError as error:
        print(error)
        print(error.errors(include_url=False))
    except Exception as error:
        print(type(error).__name__, error)


class Item(BaseModel):
    name: str
    qty: int = 1


class Color(Enum):
    R = "r"
    G = "g"


for kind in [List[Item], int, Dict[str, int], Optional[int], Union[int, str], Tuple[int, str],
             Tuple[int, ...], Literal["a", "b"], Color, Item, Set[int], FrozenSet[int], bool, float,
             Annotated[int, Field(gt=3)], Any, None, Annotated[str, Field(min_length=2)],
             Union[int, None, List[int]], Dict[str, List[Item]]]:
    adapter = TypeAdapter(kind)
    print(json.dumps(adapter.json_schema()))
    show(lambda: adapter.validate_python(object))
    show(lambda: adapter.validate_json('[{"name": 1}, {"nam": "x"}]'))
    show(lambda: adapter.validate_json("{"))
    show(lambda: adapter.validate_json('"x"'))
adapter = TypeAdapter(List[Item])
items = adapter.validate_python([{"name": "a"}, {"name": "b", "qty": "3"}])
print(items, adapter.dump_python(items), adapter.dump_json(items), adapter.dump_json(items, indent=1))
print(adapter.dump_python(items, exclude_unset=True), adapter.dump_python(items, mode="json"))
print(TypeAdapter(Dict[str, float]).validate_json(b'{"a":1}'))
show(lambda: TypeAdapter(int).validate_python("3", strict=True))
