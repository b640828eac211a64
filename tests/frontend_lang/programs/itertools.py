import itertools as it
from itertools import chain, islice

print(list(islice(it.count(3), 4)), list(islice(it.count(1.5, 0.5), 3)), list(islice(it.cycle("ab"), 5)), list(it.repeat(1, 3)))
print(list(it.accumulate([1, 2, 3])), list(it.accumulate([1, 2, 3], lambda a, b: a * b, initial=10)), list(it.accumulate([3, 1, 4], max)))
print(list(chain("ab", [1])), list(chain.from_iterable([[1], (2, 3)])), list(it.compress("abcd", [1, 0, 1, 0])))
print(list(it.dropwhile(lambda x: x < 3, [1, 4, 2])), list(it.takewhile(lambda x: x < 3, [1, 4, 2])), list(it.filterfalse(None, [0, 1, ""])))
print(list(it.starmap(pow, [(2, 3), (3, 2)])), list(islice("abcdef", 1, None, 2)), list(islice("abc", 2)), list(it.pairwise("abc")))
#---
import itertools as it

print([(k, list(g)) for k, g in it.groupby("aabbbc")], [(k, len(list(g))) for k, g in it.groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)])
groups = it.groupby("aab")
first = next(groups)
next(groups)
print(first[0], list(first[1]))
a, b = it.tee([1, 2, 3])
print(next(a), next(a), list(b), list(a), list(it.zip_longest("ab", [1], fillvalue="-")), list(it.zip_longest()))
#---
import itertools as it

print(list(it.product("ab", [1, 2])), list(it.product([0, 1], repeat=2)), list(it.product()), list(it.product("a", [])))
print(list(it.permutations("abc", 2)), len(list(it.permutations(range(5)))), list(it.permutations([1, 2], 3)))
print(list(it.combinations("abcd", 2)), list(it.combinations_with_replacement("ab", 2)), list(it.combinations([1], 0)), list(it.permutations("abc"))[-1])
for call in [lambda: it.islice([1], -1), lambda: it.islice([1], 0, 1, 0), lambda: it.combinations([1], -1), lambda: it.product([1], repeat=-1), lambda: list(it.chain(1)),
             lambda: it.count("a"), lambda: it.tee([], -1)]:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
