print((1000).to_bytes(2, "big"), (1000).to_bytes(4, "little"), (-2).to_bytes(2, signed=True))
print(int.from_bytes(b"\x03\xe8", "big"), int.from_bytes(b"\xff\xfe", "big", signed=True))
print(int.from_bytes([1, 2, 3], "little"), (2**70).to_bytes(9, "big"), int.from_bytes(b"", "big"))
for wrong in (lambda: (256).to_bytes(1, "big"), lambda: (-1).to_bytes(1, "big"),
              lambda: (1).to_bytes(1, "middle"), lambda: (128).to_bytes(1, "big", signed=True)):
    try:
        wrong()
    except (OverflowError, ValueError) as error:
        print(type(error).__name__, error)
print(float.fromhex("0x1.8p3"), float.fromhex("-1f"), float.fromhex(" inf "), True.real, True.numerator)
print((7).numerator, (7).denominator, range(5).index(3), range(0, 10, 2).count(4), range(3).count("a"))
print(range(3)[1:1], range(0, 2, 5)[2:-2], range(3)[5:-2], range(10)[0:9:2], range(10)[::-3])
print(slice(1, -1, 2).indices(10), slice(None).indices(3), slice(5, None, -1).indices(3))
try:
    range(5).index(9)
except ValueError as error:
    print(error)
#---
import operator as op

values = [1]
same = op.iadd(values, [2])
print(same is values, op.index(True), op.countOf([1, 2, 1], 1), op.indexOf("abc", "c"))
print(op.call(max, 1, 2), op.length_hint([1, 2]), op.imul(3, 4), op.ior({1}, {2}), op.abs(-3))
print(op.itemgetter(1, 0)("ab"), op.attrgetter("real")(3), op.methodcaller("upper")("a"))
#---
import calendar
import keyword

print(calendar.month(2024, 2), calendar.monthcalendar(2023, 5), calendar.monthrange(2024, 2))
print(calendar.isleap(1900), calendar.month_name[3], calendar.day_abbr[0], calendar.weekday(2024, 1, 1))
print(keyword.iskeyword("for"), keyword.iskeyword("match"), len(keyword.kwlist))
