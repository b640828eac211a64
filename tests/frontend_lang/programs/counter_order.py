from collections import Counter

a, b = Counter(a=1, b=2), Counter(a=1, b=3)
print(a < b, a <= b, a > b, a >= b, a == b, a != b, b > a, b >= a)
print(Counter(a=1) == Counter(a=1, b=0), Counter(a=1) <= Counter(a=1, b=0), Counter() < Counter(a=1))
print(Counter(a=1) < Counter(a=1), Counter(a=1) <= Counter(a=1), Counter(a=-1) < Counter())
print(Counter("hello") <= Counter("hello world"), Counter("xyz") <= Counter("hello"))
print(Counter(a=1) == {"a": 1}, Counter(a=1) == {"a": 1, "b": 0})
try:
    Counter(a=1) < {"a": 1}
except TypeError as error:
    print(error)
