from decimal import *
D = Decimal
print(D("0.1") + D("0.2"), D("1.10") * 3, D(1) / D(3), D(10) / 4, D("1e3"), D("1.50").normalize(), D("-0.0"), D(0.1))
print(D("2.675").quantize(D("0.01")), D("2.665").quantize(D("0.01"), rounding=ROUND_HALF_UP), D("7.325").quantize(D("1."), ROUND_DOWN), D("1234.5").quantize(D("1e2")))
print(repr(D("3.14")), D("1") == 1, D("0.5") == 0.5, D("1.0") == D("1"), hash(D("1.0")) == hash(1), sorted([D("3"), D("1.5"), D(2)]), D(5) > 3, D("1.5") < 2.5)
print(D("Infinity"), D("-inf"), D("nan"), D("inf") + 1, -D("5"), abs(D("-5.5")), +D("1.23456789012345678901234567890"))
print(D("7") // D("2"), D("-7") // D("2"), D("7") % D("3"), D("-7") % D("3"), D(2) ** 10, D("1.1") ** 2, D(2) ** -1, D(2).sqrt(), D("16").sqrt())
#---
from decimal import *
D = Decimal
getcontext().prec = 6; print(D(1) / D(7), D(2).sqrt(), D("123456789") + 1); getcontext().prec = 28
with localcontext() as c:
    c.prec = 4; print(D(1) / D(3))
print(D(1) / D(3))
#---
from decimal import *
D = Decimal
for f in (lambda: D("abc"), lambda: D(1) / 0, lambda: D(0) / 0, lambda: D([1]), lambda: D(1) + 1.5, lambda: D("1e30").quantize(D("0.01")), lambda: D(-1).sqrt(), lambda: D("x") ):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(f"{D('1234567.891'):,.2f} {D('0.5'):.0%} {D('1.5'):10} {D('1.5'):<10}| {D('1.005'):.2f} {D('12345'):e} {D('3'):.2f} {D('1e-10'):f} {D('1234.5'):+,} {D('5'):05}")
#---
from decimal import *
D = Decimal
print(int(D("3.9")), float(D("1.25")), round(D("2.5")), round(D("2.675"), 2), D("3.7").to_integral_value(), D("123.45").as_tuple(), D("0.25").as_integer_ratio(), D("100").adjusted())
print(sum([D("0.1")] * 10), max(D(1), D(2)), D("1E+5"), D("1E-7"), D("0.000001"), D("0.0000001"), D("12E1"), D("1.0E+2") + 0, D(str(19.99)) * D("0.07"))
print(D((1, (1, 2, 3), -2)), D("1_000.5"), D(" 12 "), D("1").is_nan(), D("nan") == D("nan"), isinstance(D(1), Decimal), bool(D("0.0")), D("1e400") * 10, D("1e-50") + 1)
print(D("1.23").max(D("1.3")), D("5").compare(D("3")), D("1.20").to_eng_string(), D("1e999999999") + 1 if 0 else "")
#---
from decimal import *
D = Decimal
import random
random.seed(1)
for _ in range(200):
    a = D(random.randint(-10**random.randint(0, 18), 10**random.randint(0, 18))).scaleb(random.randint(-20, 5)); b = D(random.randint(-10**6, 10**6)).scaleb(random.randint(-8, 3))
    print(a, b, a + b, a - b, a * b, a / b if b else "", a % b if b and abs(a) < abs(b) * 10**20 else "", a < b, f"{a:.3f} {b:,.1f} {b:g}", b.quantize(D("0.001")), abs(b).sqrt(), b.normalize())
