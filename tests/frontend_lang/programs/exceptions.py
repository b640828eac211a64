e = ValueError("a", 1)
print(e, repr(e), e.args, str(ValueError()), repr(ValueError()), str(ValueError("x")))
print(repr(KeyError("k")), str(KeyError("k")), str(KeyError(1)), str(KeyError("a", "b")), str(KeyError()))
#---
try:
    {}["missing"]
except KeyError as e:
    print(e, repr(e), e.args)
try:
    {(1, 2): 3}[(1, 3)]
except KeyError as e:
    print(e, e.args)
try:
    [].pop()
except IndexError as e:
    print(e, e.args)
#---
try:
    undefined_name
except NameError as e:
    print(e)
try:
    "".missing
except AttributeError as e:
    print(e)
try:
    import no_such_module
except ModuleNotFoundError as e:
    print(e)
try:
    from math import no_such_name
except ImportError as e:
    print("import error")
#---
for kind in [ArithmeticError, ZeroDivisionError, LookupError, KeyError, IndexError, OSError, FileNotFoundError,
             ValueError, UnicodeError, RuntimeError, NotImplementedError, RecursionError, StopIteration,
             AssertionError, AttributeError, NameError, UnboundLocalError, ImportError, TypeError, EOFError,
             MemoryError, BufferError, SystemError, ReferenceError, Warning, UserWarning, DeprecationWarning,
             KeyboardInterrupt, SystemExit, GeneratorExit, ConnectionError, TimeoutError, PermissionError]:
    e = kind()
    print(kind.__name__, isinstance(e, Exception), isinstance(e, LookupError), isinstance(e, OSError))
#---
try:
    raise OSError(2, "No such file or directory")
except FileNotFoundError as e:
    print(e, type(e).__name__, e.args)
print(IOError is OSError, EnvironmentError is OSError)
#---
def f():
    try:
        return "try"
    finally:
        print("finally")
print(f())
def g():
    try:
        return "try"
    finally:
        return "finally"
print(g())
def h():
    for i in range(3):
        try:
            continue
        finally:
            print("f", i)
    while True:
        try:
            break
        finally:
            print("b")
    return "end"
print(h())
#---
def f():
    try:
        raise ValueError("lost")
    finally:
        return "swallowed"
print(f())
def g(x):
    try:
        if x: raise KeyError("k")
    except KeyError:
        return "except"
    else:
        return "else"
    finally:
        print("finally", x)
print(g(True), g(False))
#---
e = "outer"
try:
    raise ValueError("v")
except ValueError as e:
    print(e)
try:
    print(e)
except NameError as err:
    print(err)
#---
def f():
    try:
        raise ValueError("v")
    except ValueError as e:
        pass
    return e
try:
    f()
except UnboundLocalError as err:
    print(err)
#---
try:
    try:
        raise KeyError("first")
    except KeyError as e:
        raise ValueError("second") from e
except ValueError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
try:
    try:
        raise KeyError("first")
    except KeyError:
        raise ValueError("second")
except ValueError as e:
    print(e.__cause__, repr(e.__context__), e.__suppress_context__)
try:
    try:
        raise KeyError("first")
    except KeyError:
        raise ValueError("second") from None
except ValueError as e:
    print(e.__cause__, repr(e.__context__), e.__suppress_context__)
#---
e = ValueError("x")
e.add_note("one")
e.add_note("two")
print(e.__notes__, e)
try:
    e.add_note(5)
except TypeError as err:
    print(err)
#---
def f():
    raise
try:
    f()
except RuntimeError as e:
    print(e)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        f()
except ZeroDivisionError as e:
    print("reraised", e)
#---
try:
    raise ValueError
except (KeyError, ValueError) as e:
    print(repr(e))
kinds = (TypeError, IndexError)
try:
    [][0]
except kinds as e:
    print(type(e) is IndexError, isinstance(e, LookupError), isinstance(e, kinds))
#---
try:
    assert (1, "always true")
    print("passed")
    assert 1 == 1, "no"
    assert [], f"empty {1 + 1}"
except AssertionError as e:
    print(e, e.args)
try:
    assert 0
except AssertionError as e:
    print(repr(e), e.args)
#---
def f(n):
    try:
        if n == 0:
            raise ValueError("bottom")
        f(n - 1)
    finally:
        print("leave", n)
try:
    f(3)
except ValueError as e:
    print(e)
#---
log = []
def note(x):
    log.append(x)
    return x
def f():
    try:
        note(1)
        note(1 / 0)
        note(2)
    except ZeroDivisionError:
        note(3)
    else:
        note(4)
    finally:
        note(5)
    note(6)
f()
print(log)
#---
try:
    raise KeyboardInterrupt("stop")
except Exception:
    print("no")
except BaseException as e:
    print("base", repr(e))
try:
    raise SystemExit(3)
except SystemExit as e:
    print(e.code, e.args)
try:
    raise StopIteration(7)
except StopIteration as e:
    print(e.value, StopIteration().value)
#---
def risky(x):
    if x < 0:
        raise ValueError("negative", x)
    return x ** 0.5
for v in [4, -1]:
    try:
        print(risky(v))
    except ValueError as e:
        message, value = e.args
        print(message, value)
#---
errors = []
for s in ["1", "x", "2.5", "", " 7 ", "0x1f", "1_000", "-3"]:
    try:
        errors.append(int(s))
    except ValueError as e:
        errors.append(str(e))
print(errors)
#---
try:
    try:
        raise ValueError("a")
    except ValueError as e:
        saved = e
    raise saved
except ValueError as e:
    print(e is saved, e.__context__)
#---
def outer():
    try:
        inner()
    except KeyError as e:
        return f"outer caught {e}"
def inner():
    try:
        raise KeyError("k")
    except ValueError:
        return "wrong"
print(outer())
#---
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        [][1]
except IndexError as e:
    print(repr(e), "while handling", repr(e.__context__))
#---
while True:
    try:
        try:
            break
        finally:
            print("inner")
    finally:
        print("outer")
print("out")
#---
def gen_values():
    for s in ["1", "b", "3"]:
        try:
            yield int(s)
        except ValueError:
            yield None
print(list(gen_values()))
#---
print(repr(Exception("it's")), repr(Exception('say "hi"')), repr(Exception("a\nb")), str(Exception(None)), str(Exception([1])))
print(isinstance(ValueError(), Exception), ValueError("a") == ValueError("a"), ValueError.__name__)
#---
x = 0
try:
    x = 1
    raise TypeError("t")
except ValueError:
    x = 2
except TypeError as e:
    x = 3
    print(e)
else:
    x = 4
finally:
    x += 10
print(x)
