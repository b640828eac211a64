import asyncio
async def main():
    semaphore = asyncio.Semaphore(2)
    async def limited(i):
        async with semaphore:
            print("in", i)
            await asyncio.sleep(0.01)
            print("out", i)
    await asyncio.gather(*[limited(i) for i in range(4)])
asyncio.run(main())
#---
import asyncio
async def job(n, fails=False):
    await asyncio.sleep(n / 100)
    print("job", n)
    if fails:
        raise ValueError(n)
    return n * 2
async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(job(n)) for n in (3, 1, 2)]
    print([t.result() for t in tasks])
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(job(1, True))
            late = group.create_task(job(5))
            await asyncio.sleep(1)
            print("never")
    except ExceptionGroup as error:
        print(error, error.exceptions, late.cancelled())
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(job(1))
            raise KeyError("body")
    except BaseException as error:
        print(type(error).__name__, error.message, error.exceptions)
asyncio.run(main())
#---
import asyncio
async def main():
    condition = asyncio.Condition()
    items = []
    async def consumer(name):
        async with condition:
            await condition.wait_for(lambda: items)
            print(name, "takes", items.pop(0))
    async def producer():
        for i in range(2):
            await asyncio.sleep(0)
            async with condition:
                items.append(i)
                condition.notify()
    await asyncio.gather(consumer("a"), consumer("b"), producer())
    try:
        condition.notify()
    except RuntimeError as error:
        print(error)
asyncio.run(main())
