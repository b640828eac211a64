"""tqdm.asyncio: tqdm, and what it awaits."""
import asyncio as _asyncio
import tqdm as _tqdm


class tqdm_asyncio(_tqdm.tqdm):
    async def __aiter__(self):
        if hasattr(self._iterable, "__aiter__"):
            async for item in self._iterable:
                yield item
        else:
            for item in self._iterable:
                yield item

    @staticmethod
    async def gather(*fs, loop=None, timeout=None, total=None, **options):
        return await _asyncio.gather(*fs)

    @staticmethod
    def as_completed(fs, *, loop=None, timeout=None, total=None, **options):
        return _asyncio.as_completed(fs, timeout=timeout)


tqdm = tqdm_asyncio


def trange(*args, **options):
    return tqdm(range(*args), **options)
