from contextlib import contextmanager, suppress, closing, nullcontext, ExitStack

@contextmanager
def tag(name, log):
    log.append(f"<{name}>")
    try:
        yield name.upper()
    except ValueError as error:
        log.append(f"caught {error}")
    finally:
        log.append(f"</{name}>")

log = []
with tag("a", log) as outer, tag("b", log) as inner:
    log.append(outer + inner)
with tag("c", log):
    raise ValueError("bad")
try:
    with tag("d", log):
        raise KeyError("k")
except KeyError as error:
    log.append(repr(error))
print(log)
#---
from contextlib import contextmanager

@contextmanager
def never():
    if False:
        yield

@contextmanager
def twice():
    yield 1
    yield 2

for manager in (never, twice):
    try:
        with manager() as value:
            print("inside", value)
    except RuntimeError as error:
        print(error)

@contextmanager
def swallow():
    try:
        yield
    except Exception as error:
        print("swallowed", type(error).__name__)

with swallow():
    raise StopIteration("s")
with swallow():
    1 / 0
print("end")
#---
from contextlib import contextmanager

@contextmanager
def doubled(n):
    print("enter", n)
    yield n * 2
    print("leave", n)

@doubled(3)
def work(x):
    print("work", x)
    return x + 1

print(work(1), work(2))
print(work.__name__, doubled.__name__)

class Resource:
    @contextmanager
    def opened(self):
        self.is_open = True
        yield self
        self.is_open = False

r = Resource()
with r.opened() as same:
    print(same is r, r.is_open)
print(r.is_open)
#---
from contextlib import suppress, closing, nullcontext

with suppress(KeyError, IndexError):
    print({}["x"])
with suppress(LookupError):
    [][1]
try:
    with suppress(KeyError):
        1 / 0
except ZeroDivisionError as error:
    print("not suppressed:", error)

class Door:
    def close(self):
        print("closed")

with closing(Door()) as door:
    print(type(door).__name__)
with nullcontext(5) as five:
    print(five)
with nullcontext() as nothing:
    print(nothing)
#---
from contextlib import ExitStack, contextmanager

@contextmanager
def part(name):
    print("open", name)
    try:
        yield name
    finally:
        print("close", name)

with ExitStack() as stack:
    names = [stack.enter_context(part(n)) for n in "abc"]
    stack.callback(print, "callback", sep="-")
    print(names)
try:
    with ExitStack() as stack:
        stack.enter_context(part("x"))
        raise ValueError("v")
except ValueError as error:
    print("out:", error)

class Handler:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        print("saw", kind.__name__ if kind else None)
        return True

with ExitStack() as stack:
    stack.enter_context(part("y"))
    stack.enter_context(Handler())
    raise KeyError("gone")
kept = ExitStack()
with ExitStack() as stack:
    stack.enter_context(part("z"))
    kept = stack.pop_all()
print("still open")
kept.close()
try:
    ExitStack().enter_context(5)
except TypeError as error:
    print(error)
#---
import io
from contextlib import redirect_stdout

buffer = io.StringIO()
with redirect_stdout(buffer):
    print("hidden", 1)
    with redirect_stdout(io.StringIO()) as inner:
        print("deeper")
    print("hidden again")
print(repr(buffer.getvalue()), repr(inner.getvalue()))
#---
import asyncio
from contextlib import asynccontextmanager, AsyncExitStack

@asynccontextmanager
async def session(name):
    print("open", name)
    await asyncio.sleep(0)
    try:
        yield name
    except ValueError as error:
        print("handled", error)
    finally:
        print("close", name)

async def main():
    async with session("a") as a:
        print("in", a)
    async with session("b"):
        raise ValueError("v")
    async with AsyncExitStack() as stack:
        print([await stack.enter_async_context(session(n)) for n in "cd"])

asyncio.run(main())
