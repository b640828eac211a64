print(2 ** 64, -(2 ** 64), 2 ** 63, -(2 ** 63), 2 ** 63 - 1)
print(9223372036854775807 + 1, -9223372036854775808 - 1, 9223372036854775807 * 2)
print(99999999999999999999, 0xFFFFFFFFFFFFFFFFFFFF, 0b1 << 70, 1_000_000_000_000_000_000_000)
print(-9223372036854775808, abs(-9223372036854775808), -(-9223372036854775808))
#---
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

for n in (20, 21, 25, 30, 50):
    print(n, factorial(n), factorial(n) // factorial(n - 2))
#---
a, b = 0, 1
for _ in range(300):
    a, b = b, a + b
print(a, b, a * b, b % a, b // a, divmod(b, a))
#---
for a in (10 ** 30, -10 ** 30, 2 ** 64 + 1, -(2 ** 64) - 1):
    for b in (7, -7, 10 ** 10, -(10 ** 10), 2 ** 64, -(2 ** 64), 3 ** 50):
        print(a // b, a % b, divmod(a, b), a / b)
#---
for value in (2 ** 100, -(2 ** 100), 2 ** 64 - 1, -1, 0):
    print(value & 0xFF, value | 1, value ^ (2 ** 70), ~value, value >> 3, value << 5, value >> 200)
print(-(2 ** 65) & (2 ** 66 - 1), -(2 ** 65) | 1, (-5) ^ (2 ** 64), -(2 ** 64) >> 1, -(2 ** 64) - 1 >> 64)
#---
def show(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)

show(lambda: 10 ** 30 // 0)
show(lambda: 10 ** 30 % 0)
show(lambda: 10 ** 30 / 0)
show(lambda: divmod(10 ** 30, 0))
show(lambda: 1 << -1)
show(lambda: float(10 ** 400))
show(lambda: 10 ** 400 * 1.5)
show(lambda: 10 ** 400 / 3)
show(lambda: 10 ** 400 / 10 ** 399)
show(lambda: int("12x"))
show(lambda: int(float("inf")))
show(lambda: int(float("nan")))
show(lambda: [1] * 10 ** 30)
show(lambda: [1, 2][10 ** 30])
show(lambda: chr(10 ** 30))
show(lambda: "%c" % 10 ** 30)
show(lambda: str(10 ** 4300))
show(lambda: int("1" * 4301))
show(lambda: len(str(10 ** 4299)))
show(lambda: 10 ** 30 + "a")
show(lambda: 10 ** 30 < "a")
show(lambda: pow(2, 100, 0))
show(lambda: pow(2, -1, 4))
show(lambda: pow(2.0, 1, 4))
#---
print(pow(3, 200, 10 ** 20), pow(3, -1, 11), pow(-3, 5, 7), pow(3, 5, -7), pow(2, 0, 1), pow(10 ** 30, 3, 97))
print(pow(2, 100), pow(2, -2), pow(-2, 63), pow(-2, 64), (-1) ** (10 ** 30), 0 ** (10 ** 30), 1 ** (10 ** 30 + 1))
print(pow(base=5, exp=3, mod=13), 7 ** 77, (-7) ** 77)
#---
big = 2 ** 100
print(big == 2.0 ** 100, big == 2.0 ** 100 + 1, big + 1 == 2.0 ** 100, big > 2.0 ** 100, big + 1 > 2.0 ** 100)
print(big < float("inf"), -big > float("-inf"), big == float("nan"), big != float("nan"), big < 1e400)
print(2 ** 53 + 1 == float(2 ** 53 + 1), 10 ** 23 == 1e23, 10 ** 22 == 1e22, max(10 ** 22, 1e22 + 1e7))
print(sorted([10 ** 20, 1.5, -(10 ** 20), 0, 1e20, True, 10 ** 20 + 1, -1e300, 2 ** 63]))
print({1: "a", 1.0: "b", True: "c"}, {2 ** 64: "x", 2.0 ** 64: "y"}, len({2 ** 70, 2.0 ** 70, 2 ** 70 + 1}))
print(2 ** 64 in [2.0 ** 64], {10 ** 30: 1}[10 ** 30], (10 ** 30,) == (10 ** 30,), [10 ** 30].index(10 ** 30))
print(hash(2 ** 70) == hash(2.0 ** 70), hash(10 ** 30) == hash(10 ** 30), hash(1) == hash(True) == hash(1.0))
#---
big = 123456789012345678901234567890
print(f"{big:,} {big:_} {big:x} {big:#X} {big:b} {big:o} {big:e} {big:.3f} {big:+d} {big:>40} {big:040d}")
print(f"{-big:,} {-big:x} {-big:#b} {-big:<40}| {-big:^41}| {-big:=+45,}")
print("%d %i %x %X %o %e %.2f %s %r %#x %+d % d %050d" % ((big,) * 13))
print("{:,} {!r} {:d} {:g}".format(big, big, big, big), str(big), repr(-big), hex(big), oct(big), bin(-big))
print(format(2 ** 64, "n"), "%.40d" % 2 ** 70, "%d" % 1e30, "%d" % -1e22)
#---
print(float(2 ** 64), float(2 ** 53 + 1), float(10 ** 22), float(10 ** 23), float(-(10 ** 30)), float(2 ** 1023))
print(float(2 ** 64 + 2 ** 11), float(2 ** 64 + 2 ** 11 + 1), float(2 ** 64 + 3 * 2 ** 11), float(2 ** 65 - 1))
print(int(1e30), int(-1e22), int(1.5e300) % 10 ** 9, round(1e20), round(-2.5e25), int(2.0 ** 63), int(-2.0 ** 63))
print(10 ** 30 / 3, 1 / 10 ** 30, 10 ** 400 / 10 ** 380, (2 ** 53 + 1) / 1, 10 ** 30 / 10 ** 350, 1 / 2 ** 1074)
print(3 / (10 ** 30), (10 ** 18 + 1) / (10 ** 18), 2 ** 1080 / 3 ** 700, 1 / 2 ** 1075, 3 / 2 ** 1075, 9007199254740993 / 2)
print(10 ** 30 + 0.5, 10 ** 30 - 1e30, 10 ** 20 // 3.0, 10 ** 20 % 3.5, 2 ** 70 * 1.0, 2.0 ** 70 == 2 ** 70)
#---
print(round(12345678901234567890123, -5), round(25, -1), round(35, -1), round(-25, -1), round(10 ** 30 + 5, -1))
print(round(5, -1), round(15, -1), round(2 ** 63 - 1, -1), round(99, -3), round(600, -3), round(10 ** 30, 5), round(7, -100))
#---
print(int("123456789012345678901234567890"), int("-99999999999999999999"), int("  1_000_000_000_000_000_000_000 "))
print(int("ff" * 10, 16), int("0x" + "f" * 20, 16), int("0b" + "1" * 70, 0), int("z" * 20, 36), int("777" * 10, 8))
print(int("0xFF_FF", 0), int("0x_ff", 16), int("0", 0), int("00", 0), int("+5"), int("-0"), int("٣٤"))
for text, base in (("0_0", 0), ("010", 0), ("1__0", 10), ("_1", 10), ("1_", 10), ("0x", 16), ("", 10), ("+-1", 10), ("9", 8), ("0b12", 0), ("1 2", 10)):
    try:
        print(int(text, base))
    except ValueError as error:
        print(error)
#---
import json
print(json.dumps([10 ** 30, {"a": -(2 ** 64)}]), json.loads("[123456789012345678901234567890, -18446744073709551616]"))
print(json.loads(json.dumps(2 ** 200)) == 2 ** 200, json.loads("1e400"), json.loads("9223372036854775808"))
#---
total = 0
for i in range(9223372036854775800, 9223372036854775807):
    total += i
print(total, sum([2 ** 63, 2 ** 63, 1]), sum(range(10)) + 2 ** 64, max(2 ** 64, 2 ** 65), min(2 ** 64, 3))
x = 2 ** 62
x *= 4
x += 1
x -= 2 ** 64
print(x)
y = 1
y <<= 100
y |= 5
y >>= 98
print(y, bool(2 ** 64), not 2 ** 64, isinstance(2 ** 64, int), type(2 ** 64) is int, type(2 ** 64).__name__)
#---
print(3 ** 500 * 7 ** 400 // 3 ** 499 == 3 * 7 ** 400, (10 ** 2000 + 1) * (10 ** 2000 - 1) == 10 ** 4000 - 1)
print((3 ** 5000 * 5 ** 4000) % (2 ** 521 - 1), (3 ** 5000 // 5 ** 1000) % 10 ** 40, len(str(2 ** 14000)))
n = 7 ** 3000
print(sum(int(c) for c in str(n)), n >> 8000, (n & (n - 1)) % 1000003, n % 2 ** 64)
#---
def is_prime(n):
    if n < 2 or n % 2 == 0:
        return n == 2
    d, s = n - 1, 0
    while d % 2 == 0:
        d //= 2
        s += 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(a, d, n)
        if a % n == 0 or x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True

print([n for n in range(60) if is_prime(n)], is_prime(2 ** 127 - 1), is_prime(2 ** 128 + 1), is_prime(10 ** 18 + 9))
#---
def pi_digits(count):
    q, r, t, k, n, l = 1, 0, 1, 1, 3, 3
    out = ""
    while len(out) < count:
        if 4 * q + r - t < n * t:
            out += str(n)
            q, r, n = 10 * q, 10 * (r - n * t), 10 * (3 * q + r) // t - 10 * n
        else:
            q, r, t, k, n, l = q * k, (2 * q + r) * l, t * l, k + 1, (q * (7 * k + 2) + r * l) // (t * l), l + 2
    return out

print(pi_digits(100))
#---
values = [True, False, 3, 2 ** 70]
for a in values:
    for b in values:
        print(a + b, a - b, a * b, a & b, a | b, a ^ b, a == b, a < b, end="; ")
print(True + True, -True, ~False, True << 70, True / 2, sum([True, False, True]), True * 2 ** 64)
