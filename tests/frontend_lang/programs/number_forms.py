inf, nan = float("inf"), float("nan")
print(inf, -inf, nan, 1e16, 1e15, 123456789012345680.0, 1e-5, 0.0001, -0.0, 5e-324, 1.7976931348623157e308)
print("%08.3f|%+8.2f|%-9f|%09f|%e" % (inf, -inf, nan, nan, inf), format(inf, "08"), format(-inf, "+010.2f"), format(nan, ">6"))
print(0.1 + 0.2, 1 / 3, 2 / 3, 10 / 3, 1e100, 1e22, 1e23, 100.0, 1234567.125, 0.1, 1.1 * 1.1)
#---
for a in (7, -7, 7.5, -7.5, 0.0, -0.0, True):
    for b in (2, -2, 2.5, -2.5, 3, True):
        print(a // b, a % b, divmod(a, b), end="; ")
    print()
#---
inf = float("inf")
for a in (1.0, -1.0, 0.0, -0.0, 5e-324):
    print(a // inf, a % inf, a // -inf, a % -inf, a / inf, divmod(a, inf), divmod(-3, inf))
#---
for value in (0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1.005, 1234.5678, 1e20, -1e-7, 0.05, 99.995):
    print(round(value), round(value, 1), round(value, 2), round(value, -1), round(value, -3), round(value, None))
#---
def show(f):
    try:
        print(repr(f()))
    except Exception as error:
        print(type(error).__name__, error)

show(lambda: round(float("nan")))
show(lambda: round(float("inf")))
show(lambda: round("1"))
show(lambda: round(1.5, "a"))
show(lambda: 1.5 // 0)
show(lambda: 1.5 % 0)
show(lambda: 1.5 / 0)
show(lambda: divmod(1.5, 0))
show(lambda: divmod(1, 0))
show(lambda: 0.0 ** -1)
show(lambda: 0 ** -1)
show(lambda: 10.0 ** 400)
show(lambda: 1.5 & 1)
show(lambda: 1 << 1.0)
show(lambda: ~1.5)
show(lambda: -"a")
show(lambda: int("1.5"))
show(lambda: int([]))
show(lambda: int("z", 99))
show(lambda: int(5, 2))
show(lambda: float("abc"))
show(lambda: float("1_000.5"))
show(lambda: float("1__0"))
show(lambda: float("_1"))
show(lambda: float("1_e5"))
show(lambda: float([]))
show(lambda: abs("x"))
show(lambda: chr(-1))
show(lambda: chr("a"))
show(lambda: hex(1.5))
show(lambda: range(1.0))
show(lambda: [1, 2][True])
show(lambda: "abc"[1.0])
#---
print(True + 1, True * 5, True / 2, True // 2, True % 2, True ** 2, -True, +True, ~True, True - False)
print(True & False, True | False, True ^ True, True & 3, 2 | True, True << 3, 8 >> True)
print(True == 1, True == 1.0, True < 2, False <= 0, True > 0.5, hash(True) == hash(1), {True: "a"}[1], [0, 1].index(True))
print(sum([True, True, False]), max(True, 0), min(False, 1), round(True), abs(True), int(True), float(True), str(True))
print(f"{True} {True:d} {True:5} {True:>5} {False:f} {True!r:>6} {True:#x}", "%d %s %f %x" % (True, True, True, True))
#---
print(float(" 1e3 "), float("-.5"), float("5."), float("+1E-2"), float("infinity"), float("-Inf"), float("NaN"), float("1e400"), float("1e-400"))
print(float("٣.٥"), int("٤٢"), float("1_0.0_1"), float("0x10") if False else "hex is no float")
print(0xff, 0XFF, 0o17, 0b101, 1_000, 0x_ff, 1e3, 1E3, 1.5e-3, .5, 5., 1_0.5, 00, 0_0)
print(int(1.9), int(-1.9), int("  12  "), int("0b101", 2), int("0o17", 8), int("0XfF", 16), int("12", 3), int("-0x1f", 16))
#---
for spec in ("", "d", "5", "<5", ">5", "^5", "=+5", "05", "+", " ", ",", "_", "x", "#x", "#X", "b", "#b", "o", "#o", "e", ".2e", "f", ".0f", ".3f", "g", ".3g", "%", ".1%", "n", "c", "08,", "+,.2f", "*^9", "010b", "#010x", "_b", "_x", "020_b"):
    print(spec, "|", format(65, spec), "|", sep="")
#---
for spec in ("", "5", "10", "<10", "^10", "+", " ", ",", "_", "e", ".2e", "E", "f", ".0f", "#.0f", ".3f", "g", ".3g", "#g", "G", "%", ".1%", ".2", ".10", "010.2f", "+,.2f", "*^12", "=+12.1f", "z.0f", "n", ".3n"):
    print(spec, "|", format(1234.5678, spec), "|", format(-0.00012345, spec), "|", format(1e22, spec), "|", sep="")
#---
for number, spec in ((1.5, "d"), (1, "s"), ("a", "d"), (1, ".2d"), (1, ",b"), (1, "q"), (1.5, ",n"), (1, "+c"), (-1, "c"), (1, "c,"), (1.5, "x"), ("a", "+"), ("a", ","), ("a", "=5"), (1, "5.x"), (1, "1" * 30), (1, ",_"), (1, "_,"), (1, "z")):
    try:
        print(format(number, spec))
    except Exception as error:
        print(type(error).__name__, error)
#---
print(0.1 + 0.2 == 0.3, abs(0.1 + 0.2 - 0.3) < 1e-9, 1e308 * 10, -1e308 * 10, 1e-320, 2.0 ** -1074, 2.0 ** 0.5, (-8) ** 3, 8 ** -1, (-2.0) ** 3)
print(3.0 == 3, 3.5 > 3, 10 ** 16 + 1 > 1e16, 2 ** 53 == 2.0 ** 53, 9007199254740993 == 9007199254740992.0, float(9007199254740993))
print(7 / 2, -7 / 2, 7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, -7 % -3, 2 ** 10, 2 ** -1, 2 ** 0, 0 ** 0, 1e3 % 7, -1e3 % 7, 5.5 // 1, -5.5 // 1)
print(1 < 2 < 3, 1 < 3 > 2, 1 == 1.0 == True, not 0, not 0.0, not "", not [0], 3 and 0.0, 0 or -0.0, 5 if 0.1 else 6)
#---
for value in (0, 1, -1, 5, -7, 2 ** 61 - 1, 2 ** 61, -(2 ** 61), 2 ** 64, 10 ** 30, -(10 ** 30), 0.5, -0.5, 1.5, 1e300, 5e-324, -3.0, 2.0 ** 70, float("inf"), -float("inf"), True, False):
    print(value, hash(value), hash(value) == hash(float(value)))
#---
for value in (15.0, 25.0, 25.0000001, 35.5, 149.99, 150.0, 250.0, 5.0, 5.1, 4.9, 0.0, -0.0, -15.0, -5.5, 1.5e300, 2.5e22, 9.99e22, 1e308, 99.0, 55.0):
    print(round(value, -1), round(value, -2), round(value, -22), round(value, -300), round(value, -308), round(value, -400))
