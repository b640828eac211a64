"""Of numpy: shapes, and arithmetic of the numbers in them."""
import math as _math


def shape_of(nested):
    if not isinstance(nested, (list, tuple)):
        return ()
    if not nested:
        return (0,)
    inner = shape_of(nested[0])
    for item in nested:
        if shape_of(item) != inner:
            raise ValueError("setting an array element with a sequence. The requested array has an "
                             f"inhomogeneous shape after 1 dimensions. The detected shape was "
                             f"({len(nested)},) + inhomogeneous part.")
    return (len(nested),) + inner


def flat(nested, depth):
    if depth == 0:
        return [nested]
    if depth == 1:
        return list(nested)
    return [item for part in nested for item in flat(part, depth - 1)]


def sum_of(items):
    """Added pairwise, as numpy adds floats."""
    count = len(items)
    if count < 8:
        return sum(items)
    if count <= 128:
        sums = [sum(items[at:count - count % 8:8]) for at in range(8)]
        total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + (
            (sums[4] + sums[5]) + (sums[6] + sums[7]))
        for item in items[count - count % 8:]:
            total += item
        return total
    half = count // 2 - count // 2 % 8
    return sum_of(items[:half]) + sum_of(items[half:])


def broadcast(a, b):
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(x != y and x != 1 and y != 1 for x, y in zip(a, b)):
        raise ValueError("operands could not be broadcast together with shapes "
                         f"{text_of_shape(a)} {text_of_shape(b)} ")
    return tuple(max(x, y) if x and y else 0 for x, y in zip(a, b))


def text_of_shape(shape):
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def divide(x, y):
    if y:
        return x / y
    return _math.nan if not x or x != x else _math.copysign(_math.inf, x)
