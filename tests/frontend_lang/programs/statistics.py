import statistics as st
from decimal import Decimal
from fractions import Fraction

numbers = [2, 4, 4, 4, 5, 5, 7, 9]
floats = [1.5, 2.5, 2.5, 2.75, 3.25, 4.75]
print(st.mean(numbers), st.stdev(numbers), st.pstdev(numbers), st.variance(numbers))
print(st.mean(floats), st.stdev(floats), st.pvariance(floats), st.fmean(floats, [1, 2, 1, 1, 1, 2]))
print(st.mean([Fraction(1, 2), Fraction(1, 3)]), st.mean([Decimal("0.5"), Decimal("0.75")]))
print(st.variance([Fraction(1, 6), Fraction(1, 2), Fraction(5, 3)]), st.pvariance(numbers, 5))
print(st.harmonic_mean([40, 60]), st.harmonic_mean([40, 60], weights=[5, 30]))
print(st.geometric_mean([54, 24, 36]), st.median_grouped([1, 2, 2, 3, 4, 4, 4, 4, 4, 5]))
print(st.quantiles(numbers), st.quantiles(floats, n=10, method="inclusive"))
print(st.median([1, 3]), st.median_low([1, 3]), st.median_high([1, 3]), st.mode("aabbb"))
print(st.multimode("aabbc"), st.mean([True, False]), st.mean([1, 2.5]))
#---
import statistics as st

x, y = [1, 2, 3, 4, 5, 6], [2.1, 3.9, 6.2, 8.1, 9.8, 12.2]
print(st.correlation(x, y), st.covariance(x, y), st.linear_regression(x, y))
slope, intercept = st.linear_regression(x, y, proportional=True)
print(slope, intercept)
for function, args in ((st.mean, ([],)), (st.stdev, ([1],)), (st.correlation, ([1, 1], [1, 2])),
                       (st.covariance, ([1], [1, 2])), (st.harmonic_mean, ([-1, 2],)),
                       (st.quantiles, ([1],)), (st.mode, ([],)), (st.mean, (["a"],))):
    try:
        print(function(*args))
    except Exception as error:
        print(type(error).__name__, error)
#---
from statistics import NormalDist

height = NormalDist(1.75, 0.1)
other = NormalDist.from_samples([1.5, 1.6, 1.8, 1.9])
print(height, other, height.mean, height.variance, height.zscore(1.9))
print(round(height.pdf(1.8), 12), round(height.cdf(1.8), 12), round(height.overlap(other), 12))
print([round(q, 12) for q in height.quantiles(5)], round(height.inv_cdf(0.999), 12))
print(height + 1, height * 2, -height, height + other, height == NormalDist(1.75, 0.1))
print(height.samples(2, seed=5))
