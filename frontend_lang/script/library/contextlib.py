"""With statements: out of generators, and around what has no __enter__ of its own."""
import functools as _functools
import sys as _sys


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return None


class AbstractAsyncContextManager:
    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        return None


class ContextDecorator:
    def _fresh(self):
        return self

    def __call__(self, function):
        @_functools.wraps(function)
        def inner(*args, **kwargs):
            with self._fresh():
                return function(*args, **kwargs)
        return inner


def _is_passed_on(raised, error):
    """Whether a generator let the error through that was thrown into it."""
    if raised is error:
        return True
    # What ends a loop leaves a generator only as the cause of another error.
    return (isinstance(raised, RuntimeError) and isinstance(error, (StopIteration,
                                                                    StopAsyncIteration))
            and raised.__cause__ is error)


class _GeneratorContextManager(ContextDecorator, AbstractContextManager):
    def __init__(self, function, args, kwargs):
        self._make = lambda: _GeneratorContextManager(function, args, kwargs)
        self._generator = function(*args, **kwargs)

    def _fresh(self):
        return self._make()

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, error, trace):
        if kind is None:
            try:
                next(self._generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self._generator.throw(kind() if error is None else error)
        except StopIteration as stop:
            return stop is not error
        except BaseException as raised:
            if not _is_passed_on(raised, error):
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    @_functools.wraps(function)
    def make(*args, **kwargs):
        return _GeneratorContextManager(function, args, kwargs)
    return make


class _AsyncGeneratorContextManager(AbstractAsyncContextManager):
    def __init__(self, generator):
        self._generator = generator

    async def __aenter__(self):
        try:
            return await anext(self._generator)
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, kind, error, trace):
        if kind is None:
            try:
                await anext(self._generator)
            except StopAsyncIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            await self._generator.athrow(kind() if error is None else error)
        except StopAsyncIteration as stop:
            return stop is not error
        except BaseException as raised:
            if not _is_passed_on(raised, error):
                raise
            return False
        raise RuntimeError("generator didn't stop after athrow()")


def asynccontextmanager(function):
    @_functools.wraps(function)
    def make(*args, **kwargs):
        return _AsyncGeneratorContextManager(function(*args, **kwargs))
    return make


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, error, trace):
        self.thing.close()


class aclosing(AbstractAsyncContextManager):
    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, kind, error, trace):
        await self.thing.aclose()


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, kind, error, trace):
        pass

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, kind, error, trace):
        pass


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self._exceptions)


class _Redirect(AbstractContextManager):
    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(getattr(_sys, self._stream))
        setattr(_sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, kind, error, trace):
        setattr(_sys, self._stream, self._old_targets.pop())


class redirect_stdout(_Redirect):
    _stream = "stdout"


class redirect_stderr(_Redirect):
    _stream = "stderr"


class _ExitStackOfBoth:
    """What the two kinds of ExitStack share: the exits, last come first left."""

    def __init__(self):
        self._exits = []  # (is it async, function of (kind, error, trace))

    def pop_all(self):
        moved = type(self)()
        moved._exits, self._exits = self._exits, []
        return moved

    def push(self, exit):
        method = getattr(exit, "__exit__", None)
        self._exits.append((False, exit if method is None else method))
        return exit

    def enter_context(self, manager):
        enter, leave = getattr(manager, "__enter__", None), getattr(manager, "__exit__", None)
        if enter is None or leave is None:
            raise TypeError(f"'{_full_name(manager)}' object does not support the context manager "
                            "protocol")
        result = enter()
        self._exits.append((False, leave))
        return result

    def callback(self, callback, /, *args, **kwargs):
        self._exits.append((False, lambda kind, error, trace: _call(callback, args, kwargs)))
        return callback


def _full_name(thing):
    name = str(type(thing))
    name = name[len("<class '"):-len("'>")]
    return name if "." in name else "builtins." + name


def _call(callback, args, kwargs):
    callback(*args, **kwargs)
    return False


class ExitStack(_ExitStackOfBoth, AbstractContextManager):
    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, error, trace):
        pending, raised = error, False
        while self._exits:
            leave = self._exits.pop()[1]
            try:
                if leave(None if pending is None else type(pending), pending, None):
                    pending, raised = None, False
            except BaseException as new:
                pending, raised = new, True
        if raised:
            raise pending
        return error is not None and pending is None


class AsyncExitStack(_ExitStackOfBoth, AbstractAsyncContextManager):
    async def enter_async_context(self, manager):
        result = await manager.__aenter__()
        self._exits.append((True, manager.__aexit__))
        return result

    def push_async_callback(self, callback, /, *args, **kwargs):
        async def leave(kind, error, trace):
            await callback(*args, **kwargs)
        self._exits.append((True, leave))
        return callback

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aexit__(self, kind, error, trace):
        pending, raised = error, False
        while self._exits:
            is_async, leave = self._exits.pop()
            try:
                done = leave(None if pending is None else type(pending), pending, None)
                if is_async:
                    done = await done
                if done:
                    pending, raised = None, False
            except BaseException as new:
                pending, raised = new, True
        if raised:
            raise pending
        return error is not None and pending is None
