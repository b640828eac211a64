"""Of unittest: TestCase."""
import collections as _collections
import difflib as _difflib
import logging as _logging
import pprint as _pprint
import re as _re
from _unittest_contexts import SkipTest, Logs as _Logs, Raises as _Raises, SubTest as _SubTest
from _unittest_contexts import Warns as _Warns


def skip(reason):
    def mark(item):
        item._skip_reason = reason if isinstance(reason, str) else ""
        return item
    return mark(reason) if callable(reason) else mark


def skipIf(condition, reason):
    return skip(reason) if condition else lambda item: item


def skipUnless(condition, reason):
    return skipIf(not condition, reason)


def expectedFailure(item):
    item._expects_failure = True
    return item


def _module_of(cls):
    return getattr(cls, "__module__")


def _short(value, maximum=80):
    text = repr(value)
    return text if len(text) < maximum else text[:maximum] + " [truncated]..."


class TestCase:
    failureException = AssertionError
    longMessage, maxDiff = True, 640

    def __init__(self, methodName="runTest"):
        self._testMethodName, self._cleanups, self._sub_failures = methodName, [], []

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def countTestCases(self):
        return 1

    def id(self):
        cls = type(self)
        return f"{_module_of(cls)}.{cls.__qualname__}.{self._testMethodName}"

    def shortDescription(self):
        doc = getattr(self, self._testMethodName).__doc__
        return doc.strip().split("\n")[0].strip() if doc else None

    def __str__(self):
        return f"{self._testMethodName} ({self.id()})"

    def __repr__(self):
        cls = type(self)
        return f"<{_module_of(cls)}.{cls.__qualname__} testMethod={self._testMethodName}>"

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    def skipTest(self, reason):
        raise SkipTest(reason)

    def subTest(self, msg=None, **params):
        return _SubTest(self, msg, params)

    def _callTestMethod(self, method):
        method()

    def run(self, result=None):
        result.startTest(self)
        method = getattr(self, self._testMethodName)
        for holder in (type(self), method):
            if hasattr(holder, "_skip_reason"):
                result.addSkip(self, holder._skip_reason)
                return result
        expects = hasattr(method, "_expects_failure")
        error = self._error_of(method)
        if isinstance(error, SkipTest):
            result.addSkip(self, str(error))
        elif expects and (error is not None or self._sub_failures):
            result.addExpectedFailure(self, error or self._sub_failures[0][1])
        elif expects:
            result.addUnexpectedSuccess(self)
        elif error is None and not self._sub_failures:
            result.addSuccess(self)
        for sub, found in self._sub_failures if not expects else ():
            self._tell(result, sub, found)
        if error is not None and not expects and not isinstance(error, SkipTest):
            self._tell(result, self, error)
        result.stopTest(self)
        return result

    def _tell(self, result, test, error):
        add = result.addFailure if isinstance(error, self.failureException) else result.addError
        add(test, error)

    def _error_of(self, method):
        error = None
        try:
            self.setUp()
            try:
                self._callTestMethod(method)
            finally:
                self.tearDown()
        except Exception as found:
            error = found
        try:
            self.doCleanups()
        except Exception as found:
            error = error or found
        return error

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def debug(self):
        self.setUp()
        self._callTestMethod(getattr(self, self._testMethodName))
        self.tearDown()
        self.doCleanups()

    # ---- Assertions.

    def _formatMessage(self, msg, standardMsg):
        return standardMsg if msg is None else f"{standardMsg} : {msg}"

    def fail(self, msg=None):
        raise self.failureException(msg)

    def _check(self, holds, msg, standard):
        if not holds:
            self.fail(self._formatMessage(msg, standard))

    def assertTrue(self, expr, msg=None):
        self._check(expr, msg, f"{_short(expr)} is not true")

    def assertFalse(self, expr, msg=None):
        self._check(not expr, msg, f"{_short(expr)} is not false")

    def _difference(self, first, second):
        if isinstance(first, str) and isinstance(second, str):
            before, after = first.splitlines(keepends=True), second.splitlines(keepends=True)
            if len(before) == len(after) == 1 and first.strip("\r\n") == first:
                before, after = [first + "\n"], [second + "\n"]
            return "\n" + "".join(_difflib.ndiff(before, after))
        return "\n" + "\n".join(_difflib.ndiff(_pprint.pformat(first).splitlines(),
                                               _pprint.pformat(second).splitlines()))

    def assertEqual(self, first, second, msg=None):
        if first == second:
            return
        standard = f"{_short(first)} != {_short(second)}"
        if type(first) is type(second) and isinstance(first, (str, dict)):
            standard = f"{first!r} != {second!r}"
            standard += self._difference(first, second)
        elif type(first) is type(second) and isinstance(first, (list, tuple)):
            standard = self._sequence_difference(first, second)
        elif type(first) is type(second) and isinstance(first, (set, frozenset)):
            standard = self._set_difference(first, second)
        self.fail(self._formatMessage(msg, standard))

    assertDictEqual = assertListEqual = assertTupleEqual = assertSetEqual = assertEqual
    assertMultiLineEqual = assertSequenceEqual = assertEqual

    def _sequence_difference(self, first, second):
        kind = type(first).__name__.capitalize()
        text = f"{kind}s differ: {_short(first)} != {_short(second)}\n"
        for at in range(min(len(first), len(second))):
            if first[at] != second[at]:
                text += (f"\nFirst differing element {at}:\n{_short(first[at])}\n"
                         f"{_short(second[at])}\n")
                break
        for name, longer, shorter in (("First", first, second), ("Second", second, first)):
            if len(longer) > len(shorter):
                text += (f"\n{name} {kind.lower()} contains {len(longer) - len(shorter)} "
                         f"additional elements.\nFirst extra element {len(shorter)}:\n"
                         f"{_short(longer[len(shorter)])}\n")
        return text + self._difference(first, second)

    def _set_difference(self, first, second):
        lines = []
        for here, there, only in (("first", "second", first - second),
                                  ("second", "first", second - first)):
            if only:
                lines.append(f"Items in the {here} set but not the {there}:")
                lines += map(repr, only)
        return "\n".join(lines)

    def assertNotEqual(self, first, second, msg=None):
        self._check(first != second, msg, f"{_short(first)} == {_short(second)}")

    def assertIs(self, expr1, expr2, msg=None):
        self._check(expr1 is expr2, msg, f"{_short(expr1)} is not {_short(expr2)}")

    def assertIsNot(self, expr1, expr2, msg=None):
        self._check(expr1 is not expr2, msg, f"unexpectedly identical: {_short(expr1)}")

    def assertIsNone(self, obj, msg=None):
        self._check(obj is None, msg, f"{_short(obj)} is not None")

    def assertIsNotNone(self, obj, msg=None):
        self._check(obj is not None, msg, "unexpectedly None")

    def assertIn(self, member, container, msg=None):
        self._check(member in container, msg, f"{_short(member)} not found in {_short(container)}")

    def assertNotIn(self, member, container, msg=None):
        self._check(member not in container, msg,
                    f"{_short(member)} unexpectedly found in {_short(container)}")

    def assertIsInstance(self, obj, cls, msg=None):
        self._check(isinstance(obj, cls), msg, f"{_short(obj)} is not an instance of {cls!r}")

    def assertNotIsInstance(self, obj, cls, msg=None):
        self._check(not isinstance(obj, cls), msg, f"{_short(obj)} is an instance of {cls!r}")

    def assertGreater(self, a, b, msg=None):
        self._check(a > b, msg, f"{_short(a)} not greater than {_short(b)}")

    def assertGreaterEqual(self, a, b, msg=None):
        self._check(a >= b, msg, f"{_short(a)} not greater than or equal to {_short(b)}")

    def assertLess(self, a, b, msg=None):
        self._check(a < b, msg, f"{_short(a)} not less than {_short(b)}")

    def assertLessEqual(self, a, b, msg=None):
        self._check(a <= b, msg, f"{_short(a)} not less than or equal to {_short(b)}")

    def _close(self, first, second, places, delta):
        difference = abs(first - second)
        within = difference <= delta if delta is not None else round(difference, places or 7) == 0
        shown = (f"within {_short(delta)} delta ({_short(difference)} difference)"
                 if delta is not None else
                 f"within {7 if places is None else places} places "
                 f"({_short(difference)} difference)")
        return first == second or within, shown

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        close, shown = self._close(first, second, places, delta)
        self._check(close, msg, f"{_short(first)} != {_short(second)} {shown}")

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        close, shown = self._close(first, second, places, delta)
        self._check(not close, msg, f"{_short(first)} == {_short(second)} {shown}")

    def assertCountEqual(self, first, second, msg=None):
        self._check(_collections.Counter(first) == _collections.Counter(second), msg,
                    "Element counts were not equal")

    def assertRegex(self, text, expected_regex, msg=None):
        pattern = getattr(expected_regex, "pattern", expected_regex)
        self._check(_re.search(expected_regex, text), msg,
                    f"Regex didn't match: {pattern!r} not found in {text!r}")

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        match = _re.search(unexpected_regex, text)
        pattern = getattr(unexpected_regex, "pattern", unexpected_regex)
        found = match and match.group()
        self._check(not match, msg, f"Regex matched: {found!r} matches {pattern!r} in {text!r}")

    def _expecting(self, expectation, args, kwargs):
        if not args:
            return expectation
        with expectation:
            args[0](*args[1:], **kwargs)

    def assertRaises(self, expected_exception, *args, msg=None, **kwargs):
        return self._expecting(_Raises(self, expected_exception, msg=msg), args, kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, msg=None, **kwargs):
        return self._expecting(_Raises(self, expected_exception, expected_regex, msg), args, kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        return self._expecting(_Warns(self, expected_warning), args, kwargs)

    def assertLogs(self, logger=None, level=None):
        if not isinstance(logger, _logging.Logger):
            logger = _logging.getLogger(logger)
        return _Logs(self, logger, level)


class FunctionTestCase(TestCase):
    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        super().__init__("runTest")
        self._function = testFunc

    def runTest(self):
        self._function()


class IsolatedAsyncioTestCase(TestCase):
    async def asyncSetUp(self):
        pass

    async def asyncTearDown(self):
        pass

    def _callTestMethod(self, method):
        import asyncio

        async def whole():
            await self.asyncSetUp()
            try:
                awaited = method()
                if asyncio.iscoroutine(awaited):
                    await awaited
            finally:
                await self.asyncTearDown()
        asyncio.run(whole())
