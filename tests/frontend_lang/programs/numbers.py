print(7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, 7.5 // 2, -7.5 % 2, 2 ** 10, 2 ** -1, 2 ** 0.5)
#---
print(1 / 2, 4 / 2, 1e3, 1.5e-5, 0x1F, 0b101, 0o17, 1_000, 10 ** 18, .5, 5.)
#---
print(round(2.5), round(3.5), round(2.675, 2), round(-1.5), round(1234, -2), round(1.5, 0), round(0.5), round(1e20) if False else "")
#---
print(abs(-3), abs(-2.5), divmod(7, 2), divmod(-7, 2), divmod(7.5, 2), pow(2, 5), sum([0.1] * 3))
#---
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, 256 >> 2, -1 >> 1, True + True, True & False)
#---
print(1 == 1.0, True == 1, 0.1 + 0.2 == 0.3, 1 < 1.5, float("nan") == float("nan"), 10 ** 15 == 1e15)
#---
for bad in (lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: 0 ** -1, lambda: 1 << -1, lambda: divmod(1, 0)):
    try: bad()
    except (ZeroDivisionError, ValueError) as e: print(type(e).__name__, e)
#---
import math
print(math.sqrt(16), math.floor(2.7), math.ceil(2.1), math.pi, math.gcd(12, 18), math.log(1), math.isnan(math.nan), math.inf)
#---
from math import sqrt as root, e
print(root(9), round(e, 5))
#---
try: math
except NameError: print("not imported")
import math as m
try: m.sqrt(-1)
except ValueError as error: print(error)
#---
x = 5
x += 1; x -= 2; x *= 3; x /= 4; x //= 1; x **= 2; x %= 5
print(x)
x = 6; x &= 3; x |= 8; x ^= 1; x <<= 2; x >>= 1; print(x)
#---
print(int(3.99), int("-5"), float(3), float("1e5"), int(True), str(10 ** 5), int(" 7 "), int("1_000"))
#---
print(-2 ** 2, (-2) ** 2, 2 ** 3 ** 2, not 1 == 2, 1 + 2 * 3 - 4 / 2, (1 + 2) * 3)
#---
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(15), [fib(i) for i in range(10)])
#---
primes = [n for n in range(2, 50) if all(n % d for d in range(2, int(n ** 0.5) + 1))]
print(primes)
#---
def gcd(a, b):
    while b: a, b = b, a % b
    return a
print(gcd(48, 36))
#---
print(max(1, 2.5), min(3, 1), sum(range(101)), sum(x * x for x in range(5)))
#---
x = format(1.5, ".9999999f")
print(len(x), x[:4], x[-1], len("%.5000e" % 0.1), ("%.5000e" % 0.1)[-6:], format(1e300, ".2000f")[-3:])
#---
for op in ("-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"):
    x = {}
    try:
        if op == "-": x -= 1
        elif op == "*": x *= 1.5
        elif op == "/": x /= 1
        elif op == "//": x //= 1
        elif op == "%": x %= 1
        elif op == "**": x **= 1
        elif op == "&": x &= 1
        elif op == "|": x |= 1.5
        elif op == "^": x ^= 1
        elif op == "<<": x <<= 1
        else: x >>= 1
    except TypeError as e: print(e)
