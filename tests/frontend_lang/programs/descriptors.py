class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
        print("in", owner.__name__, name)

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.name, 0)

    def __set__(self, obj, value):
        if value < 0:
            raise ValueError(f"{self.name} must not be negative")
        setattr(obj, self.name, value)


class Account:
    balance = Positive()
    limit = Positive()

    def __init__(self, balance):
        self.balance = balance
        self.limit = 2


account = Account(1)
account.balance = 5
print(account.balance, account.limit, type(Account.balance).__name__, vars(account))
try:
    account.balance = -1
except ValueError as error:
    print(error)
#---
class Lazy:
    def __init__(self, function):
        self.function = function

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner):
        if obj is None:
            return self
        print("computing", self.name)
        value = self.function(obj)
        vars(obj)[self.name] = value
        return value


class Deletable:
    def __get__(self, obj, owner):
        return f"of {owner.__name__}"

    def __delete__(self, obj):
        print("deleted")


class Circle:
    kind = Deletable()

    def __init__(self, radius):
        self.radius = radius

    @Lazy
    def area(self):
        return 3 * self.radius ** 2


circle = Circle(2)
print(circle.area, circle.area, circle.kind, Circle.kind)
del circle.kind
#---
class Gone:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def run():
    gone = Gone("local")
    print("in run")


first = Gone("first")
del first
print("after del")
run()
print("end")
#---
import copy
import math


class State:
    def __init__(self, values):
        self.values = values

    def __copy__(self):
        print("copying")
        return State(self.values)

    def __deepcopy__(self, memo):
        print("copying deeply", isinstance(memo, dict))
        return State(copy.deepcopy(self.values, memo))

    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{item.__name__}]"

    def __dir__(self):
        return ["b", "a"]


class Length:
    def __init__(self, value):
        self.value = value

    def __divmod__(self, other):
        return divmod(self.value, other)

    def __rdivmod__(self, other):
        return divmod(other, self.value)

    def __pow__(self, exponent, modulus=None):
        return self.value, exponent, modulus

    def __floor__(self):
        return math.floor(self.value)

    def __ceil__(self):
        return math.ceil(self.value)

    def __trunc__(self):
        return 7


state = State([1])
print(copy.copy(state).values is state.values, copy.deepcopy([state])[0].values is state.values)
print(State[int], dir(state))
length = Length(7.5)
print(divmod(length, 2), divmod(20, length), pow(length, 2, 3), length ** 2)
print(math.floor(length), math.ceil(length), math.trunc(length))
#---
import functools


class count_calls:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function
        self.num_calls = 0

    def __call__(self, *args):
        self.num_calls += 1
        return self.function(*args)

    def __get__(self, obj, owner=None):
        return self if obj is None else functools.partial(self, obj)


@count_calls
def square(x):
    """Squares."""
    return x * x


class Adder:
    @count_calls
    def add(self, a, b):
        return a + b


print(square(3), square.num_calls, square.__name__, square.__doc__, square.__wrapped__(2))
print(Adder().add(1, 2), Adder().add(3, 4), Adder.add.num_calls)
