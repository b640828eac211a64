# Displays: three constants and more are copied from a table, others are added one by one.
print({1, 33, 65, 97}, {33, 1}, [x for x in {1, 33, 65, 97}], {*[1, 33, 65, 97]})
n = 97
print({1, 33, 65, n}, {x for x in (1, 33, 65, 97)}, set([1, 33, 65, 97]), frozenset((1, 33, 65, 97)))
print({1.5, 2.5, 100, -7, 0.1}, set([1.5, 2.5, 100, -7, 0.1]), {(3, 4), (1, 2), (0, 0), (5, 6), (-1, 2)})
for x in {40, 8, 16, 24}:
    print(x, end=" ")
print({-1, -2, 0, 2**61 - 1, 2**61, True})
#---
# Places that members left stay taken until the table is made anew.
s = set(range(30))
s.difference_update(range(5, 28))
s.add(37)
s.add(69)
print(s)
s = {1, 2, 3}
s ^= {2, 9, 17}
print(s)
s = {0, 8, 16, 24, 32}
s.discard(8)
s.add(40)
s.remove(0)
s.add(8)
print(s, s.pop(), s.pop(), s)
t = {x * 8 for x in range(12)}
for x in list(t)[::2]:
    t.discard(x)
print(t, t.copy(), set(t), t | set(), t - {8})
#---
# A long row of operations, whose order is told by their results.
state = 7


def number(most):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return state // 65536 % most


def few():
    return [number(8) * 2 ** number(7) + number(4) for _ in range(number(12))]


sets = [set(), set(), set()]
for step in range(600):
    i, j, k = number(3), number(3), number(3)
    op = number(14)
    if op == 0:
        sets[i].add(number(100))
    elif op == 1:
        sets[i].discard(number(100))
    elif op == 2:
        sets[i] = sets[j] | sets[k]
    elif op == 3:
        sets[i] = sets[j] & sets[k]
    elif op == 4:
        sets[i] = sets[j] - sets[k]
    elif op == 5:
        sets[i] = sets[j] ^ sets[k]
    elif op == 6:
        sets[i].update(few())
    elif op == 7:
        sets[i] = set(few())
    elif op == 8 and sets[i]:
        print(sets[i].pop(), end=" ")
    elif op == 9:
        sets[i].symmetric_difference_update(few())
    elif op == 10:
        sets[i].difference_update(few())
    elif op == 11:
        sets[i] = sets[j].intersection(few() * 3, sets[k] | set(few()))
    elif op == 12:
        sets[i] |= sets[j]
        sets[k] &= sets[j]
    else:
        sets[i] = set(dict.fromkeys(few())) | dict.fromkeys(sets[j]).keys()
    if step % 20 == 0:
        print(sets)
print(sets, [hash(frozenset(s)) for s in sets])
#---
# A worklist: what is found is taken out, and more is put in.
todo, seen, order = {1}, set(), []
while todo:
    x = todo.pop()
    if x in seen:
        continue
    seen.add(x)
    order.append(x)
    for y in (x * 3 % 101, x * 7 % 103, x + 5):
        if y < 100 and y not in seen:
            todo.add(y)
print(order)
s = set(range(20000))
total = 0
while s:
    x = next(iter(s))
    s.discard(x)
    total += x
    if x > 100 and x % 3 == 0:
        s.add(x // 3)
print(total)
#---
print(hash((1, 2)), hash(()), hash((1, (2, 3.5))), hash(frozenset([1, 2, 3])), hash(frozenset()))
print(hash(range(3, 9)), hash(2**64), hash(-2**70), hash(True), hash(1.5), hash(-1))


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"P{self.x}{self.y}"


print({Point(x, y) for x in range(3) for y in range(3)}, hash(Point(1, 2)))
#---
# The set changes while it is searched, or walked through.
class Odd:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 1

    def __eq__(self, other):
        if armed:
            victims.clear()
        return self.n == other.n


armed = False
victims = {Odd(1), Odd(2)}
armed = True
victims.add(Odd(3))
print(len(victims))
s = {1, 2, 3}
try:
    for x in s:
        s.add(x + 10)
except RuntimeError as error:
    print(error)
print({1}.isdisjoint(iter([2, 1, 3])), {1, 2}.issubset(range(5)), {1, 2} >= {1}, {1} < {1, 2})
for wrong in ([[]], 5):
    try:
        {1}.intersection(wrong)
    except TypeError as error:
        print(error)
