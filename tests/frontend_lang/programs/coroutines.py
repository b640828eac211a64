import asyncio
async def f():
    print("f")
    return 5
async def main():
    print(await f())
    x = await f() + await f()
    return x
print(asyncio.run(main()))
#---
import asyncio
async def work(name, n):
    for i in range(n):
        print(name, i)
        await asyncio.sleep(0)
    return name * n
async def main():
    print(await asyncio.gather(work("a", 2), work("b", 3), work("c", 1)))
asyncio.run(main())
#---
import asyncio
async def work(name, delay):
    await asyncio.sleep(delay)
    print(name)
    return name
async def main():
    r = await asyncio.gather(work("slow", 0.03), work("fast", 0.01), work("mid", 0.02))
    print(r)
asyncio.run(main())
#---
import asyncio
async def bad(x):
    await asyncio.sleep(0)
    raise ValueError(x)
async def good():
    return 1
async def main():
    r = await asyncio.gather(bad("a"), good(), bad("b"), return_exceptions=True)
    print([type(x).__name__ if isinstance(x, Exception) else x for x in r])
    try:
        await asyncio.gather(bad("c"), good())
    except ValueError as e:
        print("caught", e)
asyncio.run(main())
#---
import asyncio
async def work(n):
    print("start", n)
    await asyncio.sleep(0)
    print("end", n)
    return n
async def main():
    t = asyncio.create_task(work(1))
    u = asyncio.create_task(work(2))
    print("created")
    print(await u, await t, t.done(), t.result())
asyncio.run(main())
#---
import asyncio
async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
async def main():
    async for x in numbers(3):
        print(x)
    else:
        print("else")
    print([x async for x in numbers(4) if x % 2], {x: x * x async for x in numbers(3)})
    print({x async for x in numbers(3)}, [y for x in [1, 2] for y in [x, await asyncio.sleep(0, x)]])
    async for x in numbers(10):
        if x == 2:
            break
    print("broke at", x)
asyncio.run(main())
#---
import asyncio
async def slow():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        print("cancelled")
        raise
async def main():
    try:
        await asyncio.wait_for(slow(), timeout=0.01)
    except asyncio.TimeoutError:
        print("timeout")
    print(await asyncio.wait_for(asyncio.sleep(0, "ok"), 1))
    t = asyncio.create_task(slow())
    await asyncio.sleep(0)
    print(t.cancel(), t.cancelled())
    try:
        await t
    except asyncio.CancelledError:
        print("main saw it", t.cancelled())
asyncio.run(main())
#---
import asyncio
async def producer(q):
    for i in range(4):
        await q.put(i)
        print("put", i)
    await q.put(None)
async def consumer(q):
    while True:
        x = await q.get()
        if x is None:
            break
        print("got", x)
async def main():
    q = asyncio.Queue(maxsize=2)
    await asyncio.gather(producer(q), consumer(q))
    print(q.empty(), q.qsize())
asyncio.run(main())
#---
import asyncio
async def worker(name, q):
    while True:
        item = await q.get()
        print(name, item)
        await asyncio.sleep(0.001 * item)
        q.task_done()
async def main():
    q = asyncio.Queue()
    for i in range(5):
        q.put_nowait(i)
    tasks = [asyncio.create_task(worker(f"w{i}", q)) for i in range(2)]
    await q.join()
    for t in tasks:
        t.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print("done")
asyncio.run(main())
#---
import asyncio
async def work(sem, i):
    async with sem:
        print("in", i)
        await asyncio.sleep(0)
        print("out", i)
async def main():
    sem = asyncio.Semaphore(2)
    await asyncio.gather(*(work(sem, i) for i in range(4)))
asyncio.run(main())
#---
import asyncio
async def work(lock, name):
    async with lock:
        print(name, "has it", lock.locked())
        await asyncio.sleep(0)
    print(name, "gave it")
async def main():
    lock = asyncio.Lock()
    await asyncio.gather(work(lock, "a"), work(lock, "b"))
    await lock.acquire()
    lock.release()
    try:
        lock.release()
    except RuntimeError as e:
        print(e)
asyncio.run(main())
#---
import asyncio
async def waiter(e, n):
    await e.wait()
    print("woken", n)
async def main():
    e = asyncio.Event()
    ts = [asyncio.create_task(waiter(e, i)) for i in range(3)]
    await asyncio.sleep(0)
    print(e.is_set())
    e.set()
    await asyncio.gather(*ts)
asyncio.run(main())
#---
import asyncio
async def work(d):
    await asyncio.sleep(d / 100)
    return d
async def main():
    for c in asyncio.as_completed([work(3), work(1), work(2)]):
        print(await c)
    done, pending = await asyncio.wait([asyncio.create_task(work(i)) for i in (1, 5)],
                                       return_when=asyncio.FIRST_COMPLETED)
    print([t.result() for t in done], len(pending))
    for t in pending:
        t.cancel()
asyncio.run(main())
#---
import asyncio
def blocking(x, y=1):
    return x + y
async def main():
    print(await asyncio.to_thread(blocking, 1, y=2))
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, blocking, 5))
asyncio.run(main())
#---
import asyncio
async def main():
    return 3
loop = asyncio.new_event_loop()
print(loop.run_until_complete(main()))
loop.close()
#---
import asyncio
async def f():
    raise KeyError("k")
async def main():
    t = asyncio.create_task(f())
    try:
        await t
    except KeyError as e:
        print(repr(e), repr(t.exception()))
    try:
        await 5
    except TypeError as e:
        print(e)
    try:
        async for x in [1]:
            pass
    except TypeError as e:
        print(e)
    try:
        async with 5:
            pass
    except (TypeError, AttributeError) as e:
        print("no context")
asyncio.run(main())
#---
import asyncio
try:
    asyncio.run(5)
except ValueError as e:
    print(e)
async def f():
    return 1
c = f()
print(type(c).__name__)
try:
    for x in c:
        pass
except TypeError as e:
    print(e)
print(asyncio.iscoroutinefunction(f), asyncio.iscoroutine(c), asyncio.iscoroutinefunction(print))
c.close()
c = f()
try:
    c.send(None)
except StopIteration as e:
    print(e.value)
try:
    c.send(None)
except RuntimeError as e:
    print(e)
#---
import asyncio
async def gen():
    try:
        x = yield 1
        print("sent", x)
        yield 2
    finally:
        print("closed")
async def main():
    g = gen()
    print(await g.__anext__())
    print(await g.asend("s"))
    await g.aclose()
    g = gen()
    print(await anext(g), type(g).__name__)
    try:
        await g.athrow(ValueError("t"))
    except ValueError as e:
        print(e)
    try:
        await g.__anext__()
    except StopAsyncIteration:
        print("stop")
asyncio.run(main())
#---
import asyncio
async def child(n):
    try:
        await asyncio.sleep(1)
    finally:
        print("finally", n)
async def main():
    t = asyncio.gather(child(1), child(2))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("gather cancelled")
asyncio.run(main())
#---
import asyncio
async def main():
    asyncio.create_task(background())
    await asyncio.sleep(0)
    print("main ends")
async def background():
    try:
        await asyncio.sleep(100)
    except asyncio.CancelledError:
        print("background cancelled")
        raise
asyncio.run(main())
#---
import asyncio
async def main():
    t = asyncio.current_task()
    print(t.get_name().startswith("Task-"))
    u = asyncio.create_task(asyncio.sleep(0), name="mine")
    print(u.get_name())
    u.add_done_callback(lambda f: print("callback", f.done()))
    await u
    await asyncio.sleep(0)
    fut = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(fut.set_result, "r")
    print(await fut)
asyncio.run(main())
#---
import asyncio
async def main():
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError:
        print("timed out")
    async with asyncio.timeout(5):
        await asyncio.sleep(0)
        print("in time")
asyncio.run(main())
#---
import asyncio
async def step(n):
    if n == 0:
        return 0
    await asyncio.sleep(0)
    return 1 + await step(n - 1)
print(asyncio.run(step(20)))
#---
import asyncio
async def agen():
    for i in range(3):
        yield i
async def main():
    print([x async for x in (y * 2 async for y in agen())])
    total = 0
    async for a in agen():
        async for b in agen():
            total += a * b
    print(total)
    print([[b async for b in agen()] for a in range(2)])
asyncio.run(main())
#---
import asyncio
async def f(x):
    return x
async def main():
    results = [await f(i) for i in range(3)]
    print(results, (await f(1), await f(2)), {await f("k"): await f("v")})
    print(f"{await f(7)}", not await f(0), -await f(3), await f(2) ** 2)
    print(await f(1) if await f(True) else await f(2))
    x, y = await asyncio.gather(f(1), f(2))
    print(x, y)
asyncio.run(main())
#---
import asyncio
async def main():
    async def inner():
        nonlocal count
        count += 1
    count = 0
    await asyncio.gather(*[inner() for _ in range(10)])
    print(count)
asyncio.run(main())
#---
import asyncio
async def a():
    print("a1")
    await asyncio.sleep(0.02)
    print("a2")
async def b():
    print("b1")
    await asyncio.sleep(0.01)
    print("b2")
    await asyncio.sleep(0.02)
    print("b3")
async def main():
    t1 = asyncio.ensure_future(a())
    t2 = asyncio.ensure_future(b())
    await t1
    await t2
asyncio.run(main())
#---
import asyncio
async def main():
    shielded = asyncio.shield(asyncio.sleep(0, "value"))
    print(await shielded)
    q = asyncio.PriorityQueue()
    for x in [(3, "c"), (1, "a"), (2, "b")]:
        await q.put(x)
    print([await q.get() for _ in range(3)])
    l = asyncio.LifoQueue()
    for x in range(3):
        l.put_nowait(x)
    print([l.get_nowait() for _ in range(3)])
    try:
        l.get_nowait()
    except asyncio.QueueEmpty:
        print("empty")
asyncio.run(main())
