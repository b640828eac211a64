import threading
results = []
lock = threading.Lock()
def work(n):
    with lock:
        results.append(n * n)
threads = [threading.Thread(target=work, args=(i,), name=f"w{i}") for i in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results), threads[0].name, threads[0].is_alive())
try:
    threads[0].start()
except RuntimeError as error:
    print(error)
#---
from concurrent.futures import ThreadPoolExecutor, as_completed
import time
def slow(seconds):
    time.sleep(seconds)
    return seconds
with ThreadPoolExecutor(max_workers=3) as pool:
    futures = {pool.submit(slow, s): s for s in (0.06, 0.02, 0.04)}
    print(sorted(futures[f] for f in as_completed(futures)))
    print(list(pool.map(lambda a, b: a + b, [1, 2, 3], [10, 20, 30])))
def fail():
    raise ValueError("no")
with ThreadPoolExecutor() as pool:
    future = pool.submit(fail)
    print(repr(future.exception()))
    try:
        future.result()
    except ValueError as error:
        print("raised", error)
    print(future.done(), future.cancelled(), future.cancel())
try:
    pool.submit(fail)
except RuntimeError as error:
    print(error)
#---
import queue, threading
q = queue.Queue()
out = []
def worker():
    while True:
        item = q.get()
        if item is None:
            break
        out.append(item * 2)
        q.task_done()
thread = threading.Thread(target=worker)
thread.start()
for i in range(4):
    q.put(i)
q.join()
q.put(None)
thread.join()
print(out, q.empty(), q.qsize())
try:
    q.get_nowait()
except queue.Empty:
    print("empty")
try:
    q.get(timeout=0.01)
except queue.Empty:
    print("empty after a while")
small = queue.Queue(1)
small.put(1)
try:
    small.put_nowait(2)
except queue.Full:
    print("full")
heap = queue.PriorityQueue()
for n in (3, 1, 2):
    heap.put((n, str(n)))
print([heap.get() for _ in range(3)])
#---
import threading, time
event = threading.Event()
order = []
def waiter():
    order.append("waits")
    event.wait()
    order.append("goes on")
t = threading.Thread(target=waiter, daemon=True)
t.start()
time.sleep(0.01)
order.append("sets")
event.set()
t.join()
print(order, event.is_set(), event.wait(0.01))
gate = threading.Semaphore(2)
print(gate.acquire(), gate.acquire(), gate.acquire(blocking=False))
box = threading.local()
box.x = 5
print(box.x, threading.current_thread().name, threading.main_thread() is threading.current_thread())
#---
import asyncio, time
def blocking(name, seconds):
    time.sleep(seconds)
    return name
async def beat():
    for i in range(3):
        await asyncio.sleep(0.02)
        print("beat", i)
async def main():
    result, _ = await asyncio.gather(asyncio.to_thread(blocking, "done", 0.05), beat())
    print(result)
    try:
        await asyncio.wait_for(asyncio.to_thread(blocking, "late", 0.1), timeout=0.02)
    except asyncio.TimeoutError:
        print("too late")
asyncio.run(main())
