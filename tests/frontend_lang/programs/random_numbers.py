import random

r = random.Random(7)
print(r.betavariate(2, 3), r.gammavariate(0.5, 1), r.gammavariate(3, 2), r.gammavariate(1, 2))
print(r.paretovariate(3), r.weibullvariate(1, 2), r.vonmisesvariate(1, 4), r.vonmisesvariate(0, 0))
print(r.randbytes(5), r.randint(10**20, 10**21), r.randrange(0, 10**30, 7), r.getrandbits(100))
print(r.sample(["a", "b"], counts=[3, 2], k=4), r.sample(range(100), 5))
state = r.getstate()
first = [r.random(), r.gauss(0, 1), r.random()]
r.setstate(state)
print(first == [r.random(), r.gauss(0, 1), r.random()], state[0], len(state[1]))
for seed in (1.5, "text", b"bytes", -3, 2**70, True):
    print(random.Random(seed).random())
random.seed(3)
print(random.random(), random.choice("abc"), random.triangular(1, 2), random.expovariate(2))
for call in (lambda: r.randint(5, 1), lambda: r.randrange(0), lambda: r.sample([1], 2),
             lambda: r.gammavariate(-1, 1), lambda: r.choice([])):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, error)
