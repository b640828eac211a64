import random

random.seed(42)
print(random.random(), random.randint(1, 6), random.choice("abc"), random.uniform(1, 2), random.randrange(10), random.randrange(0, 100, 7))
deck = list(range(10))
random.shuffle(deck)
print(deck, random.sample(range(100), 5), random.sample("abcdef", 3), random.choices("ab", k=5), random.choices([1, 2, 3], weights=[1, 1, 8], k=5))
print(random.gauss(0, 1), random.gauss(5, 2), random.normalvariate(0, 1), random.expovariate(2), random.triangular(), random.lognormvariate(0, 1), random.getrandbits(16), random.getrandbits(40))
#---
import random

for seed in [0, 1, -7, 12345678901, "hello", "", "é", 2.0, True]:
    random.seed(seed)
    print(seed, random.random(), random.randint(0, 10**9), random.sample(range(1000), 3))
#---
import random

r = random.Random(7)
s = random.Random(7)
print([r.random() for _ in range(3)] == [s.random() for _ in range(3)], r.randint(1, 100), r.choice([1, 2, 3]), isinstance(r, random.Random))
print(r.sample(range(10), 10), r.choices(range(3), cum_weights=[1, 3, 10], k=4), r.shuffle([1]))
for call in [lambda: r.choice([]), lambda: r.randint(5, 1), lambda: r.randrange(0), lambda: r.sample([1], 2), lambda: r.sample({1, 2}, 1), lambda: r.choices([1, 2], weights=[1]), lambda: r.choices([1], weights=[0]), lambda: random.seed([1])]:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
#---
import string
import time

print(string.ascii_letters, string.digits, string.punctuation, repr(string.whitespace), string.hexdigits, string.capwords("hello  big world"), len(string.printable))
start = time.time()
time.sleep(0.001)
print(time.time() - start >= 0.001, time.perf_counter() > 0, isinstance(time.monotonic(), float), len(time.strftime("%Y-%m-%d")))
for call in [lambda: time.sleep(-1), lambda: time.sleep("a")]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
#---
import statistics as st

print(st.mean([1, 2, 3, 4]), st.mean([1, 3]), st.mean([0.1, 0.2, 0.3]), st.fmean([1, 2]), st.median([3, 1, 2]), st.median([1, 2, 3, 4]), st.median_low([1, 2]), st.median_high([1, 2]))
print(st.mode([1, 2, 2, 3]), st.mode("aab"), st.multimode([1, 1, 2, 2]), st.stdev([1, 2, 3, 4]), st.pstdev([1, 2, 3, 4]), st.variance([1, 2, 3, 4]), st.pvariance([1, 3]), st.variance([1.5, 2.5, 4]), st.stdev([0.1, 0.5, 0.9, 0.2]))
print(st.quantiles([1, 2, 3, 4, 5]), st.geometric_mean([1, 4]), st.harmonic_mean([40, 60]), st.mean([True, False]))
for call in [lambda: st.mean([]), lambda: st.stdev([1]), lambda: st.median([]), lambda: st.mode([]), lambda: st.mean(["a"])]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
try:
    st.mean([])
except st.StatisticsError as e:
    print(isinstance(e, ValueError), e)
