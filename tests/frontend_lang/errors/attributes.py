class Config:
    def __init__(self):
        self.temperature = 1


print(Config().temprature)
#---
class Dog:
    def bark(self):
        pass


Dog().brk()
#---
class Runner:
    def run_all(self):
        pass

    def run_one(self):
        self.run_al()


Runner().run_one()
#---
class Runner:
    def run_one(self):
        return 1 + self.missing_thing(2)


x = Runner().run_one()
#---
import json

json.lods("1")
#---
import math

print(math.sqr(4))
#---
def f():
    x += 1


f()
#---
not_defined += 1
#---
def g():
    total = 0

    def inner():
        total += 1

    inner()


g()
#---
x = "abc"
y = (
    x
    .upper()
    .foo()
)
#---
text = "abc"
y = (
    text
    .strip()
    .index("z")
)
#---
class A:
    pass


value = (
    A()
    .thing
)
#---
print(Tru)
#---
class Outer:
    class Err(Exception):
        pass


raise Outer.Err("x")
#---
def f():
    class Local(ValueError):
        pass

    raise Local("y")


f()
#---
class Lazy:
    def __getattr__(self, name):
        raise AttributeError(f"no {name}")


Lazy().thing()
#---
class P:
    @property
    def size(self):
        return self.sizes


P().size
