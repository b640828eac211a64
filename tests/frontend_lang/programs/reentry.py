values = [1, 2, 3]


class Clearing:
    def __index__(self):
        values.clear()
        return 1


for use in (lambda: values[Clearing()], lambda: values.__setitem__(Clearing(), 1),
            lambda: values[Clearing():], lambda: values.__delitem__(Clearing())):
    values[:] = [1, 2, 3]
    try:
        print(use())
    except IndexError as error:
        print(error)
#---
import itertools

it = itertools.filterfalse(lambda x: next(it, None), range(9))
print(list(it))


class Asking:
    def __init__(self):
        self.left = 4

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        next(it, None)
        return self.left


for make in (lambda: itertools.accumulate(Asking(), lambda a, b: a + b),
             lambda: itertools.groupby(range(9), lambda k: next(it, None) and 0)):
    it = iter([])
    it = make()
    for _ in it:
        pass
print("done")
#---
class Both(ValueError, TypeError):
    pass


class Late(OSError, ValueError):
    pass


try:
    raise Both("m")
except TypeError as error:
    print("caught", isinstance(error, ValueError), issubclass(Both, TypeError), error)
try:
    raise Late(2, "x")
except ValueError as error:
    print("caught", error, error.errno)
#---
class Countable:
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index


print(list(reversed(Countable())))
