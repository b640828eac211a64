import math

print(math.factorial(10), math.comb(10, 3), math.perm(5, 2), math.perm(4), math.isqrt(99), math.gcd(12, 18, 27), math.gcd(), math.lcm(4, 6))
print(math.floor(-2.5), math.ceil(2.1), math.trunc(-2.9), math.floor(7), math.prod([1, 2, 3.5]), math.prod([]))
print(math.hypot(3, 4), math.hypot(1, 2, 3), math.dist((0, 0), (3, 4)), math.log(8, 2), math.log2(8), math.log10(1000), math.log1p(1e-10))
print(math.fsum([0.1] * 10), sum([0.1] * 10), math.isclose(0.1 + 0.2, 0.3), math.isclose(1, 1.1, rel_tol=0.2), math.copysign(1, -0.0))
print(math.frexp(8.5), math.modf(-2.25), math.ldexp(0.5, 3), math.fmod(-7, 3), math.remainder(7, 4), math.ulp(1.0), math.nextafter(1, 2))
print(math.degrees(math.pi), math.radians(180), math.sin(1), math.cosh(1), math.exp(1), math.erf(0.5), math.gamma(5), math.cbrt(27), math.exp2(3))
print(math.pi, math.e, math.tau, math.inf, -math.inf, math.nan, math.isnan(math.nan), math.isinf(1), math.isfinite(1.0))
#---
import math

for call in [lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.log(-1), lambda: math.exp(1000), lambda: math.sqrt("a"), lambda: math.factorial(-1),
             lambda: math.factorial(2.5), lambda: math.sqrt(1, 2), lambda: math.sqrt(), lambda: math.floor(math.inf), lambda: math.ceil(math.nan), lambda: math.pow(0, -1),
             lambda: math.pow(10, 400), lambda: math.pow(-8, 1 / 3), lambda: math.acos(2), lambda: math.gamma(0), lambda: math.isqrt(-1), lambda: math.comb(-1, 2), lambda: math.gcd(1.5),
             lambda: math.sin(math.inf), lambda: math.fmod(1, 0), lambda: math.log(2, 1), lambda: math.nothing]:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
#---
print("abc".translate(str.maketrans("ab", "xy", "c")), "a1".translate({97: "zz", 49: None}), list(map(str.upper, ["a", "b"])), dict.fromkeys("ab", 0))
print(frozenset([1, 2]), {frozenset([1]): 2}, frozenset([1]) | {2}, {1} | frozenset([2]), frozenset(), frozenset([1]) == {1}, hash(frozenset([1, 2])) == hash(frozenset([2, 1])))
print((255).bit_length(), (7).bit_count(), 2.5.is_integer(), 0.5.as_integer_ratio(), (3).as_integer_ratio(), pow(3, -1, 7), pow(2, 100, 1000007), (1.5).hex())
print(ascii("é\n"), slice(1, 2), slice(3).stop, range(1, 10, 2).step, [1, 2, 3][slice(1, None)])
values = iter([1, 2, 0, 3])
print(list(iter(lambda: next(values), 0)), sorted(["b", "A"], key=str.lower), max(["aa", "b"], key=len), str.join(",", ["a", "b"]))
for call in [lambda: str.upper(1), lambda: str.upper(), lambda: "a".translate(5), lambda: str.maketrans("a", "bc"), lambda: str.nothing, lambda: frozenset([1]).add(2), lambda: pow(2, 3, 0),
             lambda: pow(2, -1, 4), lambda: pow(2.0, 1, 3), lambda: iter(1, 2)]:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
