from typing import Dict, List, Literal, Optional, Union, get_args, get_origin, get_type_hints


def tool(query: "str", n: "Optional[int]" = None, *rest: "float", **more: List["int"]) -> "List[str]":
    pass


print(get_type_hints(tool))
print(Optional[int], Union[int, str], int | None, int | str, List[int], Dict[str, List[int]])
print(get_origin(List[int]), get_args(Optional[int]), get_args(int | None), Union[int, str, None])
print(list[int], dict[str, int | None], Literal["a", 1], Optional[List[str]])
print(type(int | str).__name__, isinstance(3, int | str), isinstance("x", Optional[str]))
