# The comparisons that a sort asks for, and what it makes of items that have no order.
import functools

def lcg(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2147483648
        yield seed >> 8

def asked(items, reverse=False):
    calls = []
    def compare(a, b):
        calls.append((a, b))
        return a - b
    result = sorted(items, key=functools.cmp_to_key(compare), reverse=reverse)
    digest = 0
    for a, b in calls:
        digest = (digest * 31 + a * 7 + b) % 1000000007
    return len(calls), digest, result == sorted(items, reverse=reverse)

print(asked([5, 2, 8, 1, 9, 3]), asked([]), asked([1]), asked([2, 1]))
numbers = lcg(7)
for size in (3, 10, 31, 63, 64, 65, 100, 257, 640, 1500):
    items = [next(numbers) % (size * 2) for _ in range(size)]
    print(size, asked(items), asked(items, True))
    few = [next(numbers) % 4 for _ in range(size)]
    print(size, asked(few))
    up, down = sorted(items), sorted(items, reverse=True)
    print(size, asked(up), asked(down), asked(up + down), asked(down + up))
    saw = [i % 40 for i in range(size)]
    print(size, asked(saw), asked(up[: size // 3] + items + up))
    blocks = []
    while len(blocks) < size:
        start, length = next(numbers) % 1000, 20 + next(numbers) % 90
        blocks += range(start, start + length)
    print(size, asked(blocks), asked(blocks, True))
#---
nan = float("nan")
print(sorted([5, 3, nan, 2, 1, nan, 0]), sorted([3, nan, 1, 2]), sorted([nan, 2, nan, 1], reverse=True))
for items in ([100.5, 80, 120, 95.25, None], [1, 2, "x", 3], [(1, "a"), (1, None)]):
    try:
        print(sorted(items))
    except TypeError as e:
        print(e)
class Loud:
    def __init__(self, n): self.n = n
    def __lt__(self, other):
        print(self.n, "<", other.n)
        return self.n < other.n
print([x.n for x in sorted([Loud(3), Loud(1), Loud(2), Loud(1)])])
print(sorted([(1, "b"), (0, "z"), (1, "a")], key=lambda p: p[0], reverse=True))
