x = = 1
#---
if x = 1:
    pass
#---
print "hi"
#---
print x
#---
x = (1,
y = 2
#---
x = [1, 2
#---
x = 'abc
#---
x = """abc
#---
if True
    pass
#---
def f()
    pass
#---
def f(:
    pass
#---
for i in range(3)
    print(i)
#---
while True print(1)
#---
x = 5 5
#---
f(a b)
#---
x = [1 2]
#---
x = {1: 2 3: 4}
#---
x = {'a' 1}
#---
1 = x
#---
f() = 1
#---
x + 1 = 2
#---
None = 1
#---
x = None = 1
#---
"a" = 1
#---
(a, 1) = 2
#---
[a, f()] = 1
#---
a + 1 += 2
#---
f() += 1
#---
del f()
#---
del 1
#---
del (a, b + 1)
#---
for 1 in x: pass
#---
for f() in x: pass
#---
with x as 1: pass
#---
with x as f(): pass
#---
return 1
#---
yield 1
#---
break
#---
continue
#---
def f():
    break
#---
def f():
pass
#---
if True:
x = 1
#---
  x = 1
#---
x = 1
  y = 2
#---
if True:
    x = 1
  y = 2
#---
if True:
	x = 1
        y = 2
#---
def f(a, a): pass
#---
def f(a=1, b): pass
#---
def f(*): pass
#---
def f(*, **k): pass
#---
def f(**k, a): pass
#---
def f(**k, *a): pass
#---
def f(*a, *b): pass
#---
def f(/, a): pass
#---
def f(a, /, b, /): pass
#---
def f(*a, /): pass
#---
f(a=1, 2)
#---
f(**a, 2)
#---
f(**a, *b)
#---
f(a=1, a=2)
#---
f(x for x in y, 1)
#---
f(1, x for x in y)
#---
f(a.b=1)
#---
f(1=2)
#---
f(True=2)
#---
f(a, b=)
#---
x = a if b
#---
x = (a if b)
#---
lambda: (yield)
x = lambda a, a: 1
#---
x = 0777
#---
x = 1_
#---
x = 1__0
#---
x = 0xg
#---
x = 0b12
#---
x = 0o8
#---
x = 1a
#---
x = 1.5a
#---
x = 12e
#---
x = $5
#---
x = a?b
#---
x = a ! b
#---
x = “hi”
#---
x = 1 \ 2
#---
x = \
#---
)
#---
x = (1]
#---
x = [1,
  2)
#---
x = {
#---
import
#---
import a.
#---
from x import
#---
from x import (a
#---
from x import a,
#---
from import x
#---
import a as b.c
#---
def f():
    global x
    x = 1
    global x
#---
def f():
    x = 1
    global x
#---
def f():
    print(x)
    global x
#---
def f(x):
    global x
#---
def f():
    nonlocal x
#---
nonlocal x
#---
def f():
    x = 1
    def g():
        x = 2
        nonlocal x
#---
try:
    pass
#---
try:
    pass
x = 1
#---
try:
    pass
except:
    pass
except ValueError:
    pass
#---
try:
    pass
except ValueError, TypeError:
    pass
#---
try:
    pass
except ValueError as 1:
    pass
#---
else:
    pass
#---
if x:
    pass
else
    pass
#---
if x:
    pass
elif:
    pass
#---
if x:
#---
for x in y:
#---
while x:
#---
with x:
#---
try:
#---
def f():
#---
else:
#---
async x
#---
await x
#---
def f():
    await x
#---
def f():
    async with x: pass
#---
def f():
    async for x in y: pass
#---
def f():
    [x async for x in y]
#---
async def f():
    yield 1
    return 2
#---
async def f():
    yield from x
#---
(x := 1) = 2
#---
x := 1
#---
(a.b := 1)
#---
(a[0] := 1)
#---
[i := 0 for i in range(5)]
#---
[i for i in (j := range(5))]
#---
*a = 1
#---
*a, *b = 1, 2
#---
x = *a
#---
f"{x"
#---
f"{x!}"
#---
f"{x!z}"
#---
f"{}"
#---
f"{ }"
#---
f"}"
#---
f"{x:{y:{z}}}"
#---
f"{x +}"
#---
f"{'a' 'b' c}"
#---
f"{x\n}"
#---
f"{lambda x: 1}"
#---
f"{a b}"
#---
"\x1"
#---
"\u12"
#---
match x:
    case a: pass
    case b: pass
#---
match x:
    case _: pass
    case 1: pass
#---
match x:
    case a | 1: pass
#---
match x:
    case (a, a): pass
#---
match x:
    case a | b: pass
#---
match x:
    case 1 | a: pass
#---
match x:
    case [*a, *b]: pass
#---
match x:
    case {**r, 'a': 1}: pass
#---
match x:
    case A(a=1, a=2): pass
#---
match x:
    case A(a=1, 2): pass
#---
match x:
    case 1 as _: pass
#---
match x:
    case f"a": pass
#---
match x:
    case 1 as f(): pass
#---
match x:
    case {a: 1}: pass
#---
match x:
case 1: pass
#---
match x:
    pass
#---
match x:
    case 1:
    pass
#---
def f(a: int b): pass
#---
@
def f(): pass
#---
@f
x = 1
#---
raise from x
#---
raise x from
#---
assert
#---
assert (x, "msg")
#---
del
#---
global
#---
lambda x: = 1
#---
x = [i for i in range(3) if]
#---
x = [for i in y]
#---
x = {**a for a in b}
#---
x = [*a for a in b]
#---
x = (*a for a in b)
#---
x = {a: b, c}
#---
x = {a, b: c}
#---
x = {a: }
#---
x = {a: *b}
#---
x = {**a, b: }
#---
x[1:2, ] = 3
x[] = 3
#---
x.1
#---
x..y
#---
x.
#---
if x == 1 and: pass
#---
not
#---
x = not
#---
x +
#---
x = 1 +
#---
x = (1 +)
#---
a, b += 1, 2
#---
(a) : int = 1
a, b: int = 1
#---
[a]: int = 1
#---
x: int y
#---
True = 1
#---
def True(): pass
#---
import True
#---
for True in x: pass
#---
def f(None): pass
#---
x = yield = 1
#---
a = b + c = d
#---
if (a = b): pass
#---
while a = b: pass
#---
print(a = b = c)
#---
f(a for a in b for c in d, e=1)
#---
exec "x"
#---
def f(x, (y, z)): pass
#---
x <> y
#---
x++
#---
x = y++
#---
x && y
#---
x || y
#---
!x
#---
x = y ? 1 : 2
#---
else if x: pass
#---
elif x: pass
#---
x = "a" "b
#---
x = 'it's'
#---
x = "say "hi""
#---
if x then: pass
#---
def f(x) -> : pass
#---
def f(x) => int: pass
#---
function f(): pass
#---
var x = 1
#---
let x = 1
#---
int x = 1
#---
x = new Foo()
#---
for (i = 0; i < 3; i++): pass
#---
foreach x in y: pass
#---
switch x: pass
#---
try
    pass
except:
    pass
#---
except ValueError: pass
#---
finally: pass
#---
try:
    pass
else:
    pass
#---
import a from b
#---
from a import *, b
#---
def f():
    from a import *
#---
with open("x") as f, : pass
#---
with : pass
#---
with (a as b, c as d: pass
#---
async def f(): await
#---
x = await
#---
return
#---
def f(x):
    def g():
        nonlocal y
#---
foo(a b
#---
foo(a b
x = 1
#---
x = [1, 2
y = 3
#---
for x in y print(x)
#---
with x print(x)
#---
try print(x)
#---
def f() print(x)
#---
else print(x)
#---
if x: pass
else print(x)
#---
try: pass
except print(x)
#---
try: pass
finally print(x)
#---
try: pass
except A print(x)
#---
with x
    pass
#---
while x
    pass
#---
try:
    pass
except A
    pass
#---
try:
    pass
except
    pass
#---
match x
    case 1: pass
#---
match x:
    case 1
        pass
#---
lambda x 1
#---
x[1 2]
#---
x = 1 +
y = "abc
#---
if a.b = 1: pass
#---
if (a, b) = 1: pass
#---
if f() = 1: pass
#---
f() = x = 1
#---
def f(*a=1): pass
#---
def f(a, b=1, *, c=2, d): pass
#---
def f(a, b=1, c): pass
#---
x = (a, b c)
#---
print("a" x)
#---
print(f"a" "b" x)
#---
print("a", x y)
#---
x = a.b c
#---
x = [a, b
c = 1]
#---
print("hello'
#---
print 'a'; x
#---
x = {"a": 1, "b" 2}
#---
x = {"a": 1 "b": 2}
#---
d = dict(a=1 b=2)
#---
if x == 1 y: pass
#---
def f(a b): pass
#---
def f(a, 1): pass
#---
def f("a"): pass
#---
def f(a.b): pass
#---
def 1f(): pass
#---
def (): pass
#---
import a b
#---
from a import b c
#---
x = not in y
#---
a = 1 if else 2
#---
for in x: pass
#---
for x y in z: pass
#---
for x in : pass
#---
x = = 2
#---
x == = 2
#---
return = 1
#---
import = 1
#---
x = import
#---
a b
#---
a b c
#---
5x = 1
#---
@property x
#---
x = (yield) = 1
#---
'a' 'b' = 1
#---
f"a" = 1
#---
-x = 1
#---
x if y else z = 1
#---
[x for x in y] = 1
#---
{1} = 1
#---
{1: 2} = 1
#---
x < y = 1
#---
... = 1
#---
lambda: 1 = 2
#---
x and y = 1
#---
not x = 1
#---
(x) = (y) = 1
(x, y)() = 1
#---
() += 1
#---
x: y: z = 1
#---
def f(): return yield
#---
async def f(): await = 1
#---
with open("f") as f
    pass
#---
print(1
print(2)
