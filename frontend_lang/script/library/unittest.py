"""unittest: test cases, and a runner that writes to stderr."""
import sys as _sys
import time as _time
import traceback as _traceback
from _unittest_case import (FunctionTestCase, SkipTest, TestCase, IsolatedAsyncioTestCase,
                            expectedFailure, skip, skipIf, skipUnless)


class TestResult:
    def __init__(self, stream=None, descriptions=None, verbosity=1):
        self.failures, self.errors, self.skipped = [], [], []
        self.expectedFailures, self.unexpectedSuccesses, self.testsRun = [], [], 0
        self.shouldStop, self._stream, self._verbosity = False, stream, verbosity

    def _tell(self, mark, word):
        if self._stream is not None and self._verbosity:
            self._stream.write(f"{word}\n" if self._verbosity > 1 else mark)

    def startTest(self, test):
        self.testsRun += 1
        if self._stream is not None and self._verbosity > 1:
            self._stream.write(f"{test} ... ")

    def stopTest(self, test):
        pass

    def _text(self, error):
        return "".join(_traceback.format_exception(error))

    def addSuccess(self, test):
        self._tell(".", "ok")

    def addFailure(self, test, error):
        self.failures.append((test, self._text(error)))
        self._tell("F", "FAIL")

    def addError(self, test, error):
        self.errors.append((test, self._text(error)))
        self._tell("E", "ERROR")

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))
        self._tell("s", f"skipped {reason!r}")

    def addExpectedFailure(self, test, error):
        self.expectedFailures.append((test, self._text(error)))
        self._tell("x", "expected failure")

    def addUnexpectedSuccess(self, test):
        self.unexpectedSuccesses.append(test)
        self._tell("u", "unexpected success")

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.addFailure(subtest, error)

    def stop(self):
        self.shouldStop = True

    def wasSuccessful(self):
        return not self.failures and not self.errors and not self.unexpectedSuccesses

    def __repr__(self):
        return (f"<unittest.runner.TextTestResult run={self.testsRun} errors={len(self.errors)} "
                f"failures={len(self.failures)}>")


TextTestResult = TestResult


class TestSuite:
    def __init__(self, tests=()):
        self._tests = list(tests)

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        self._tests.extend(tests)

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        return sum(test.countTestCases() for test in self)

    def run(self, result):
        current = None
        for test in self:
            if result.shouldStop:
                break
            if isinstance(test, TestSuite):
                test.run(result)
                continue
            if type(test) is not current:
                if current is not None:
                    current.tearDownClass()
                current = type(test)
                current.setUpClass()
            test.run(result)
        if current is not None:
            current.tearDownClass()
        return result

    __call__ = run


class TestLoader:
    testMethodPrefix = "test"

    def getTestCaseNames(self, testCaseClass):
        return sorted(name for name in dir(testCaseClass)
                      if name.startswith(self.testMethodPrefix)
                      and callable(getattr(testCaseClass, name)))

    def loadTestsFromTestCase(self, testCaseClass):
        return TestSuite(map(testCaseClass, self.getTestCaseNames(testCaseClass)))

    def loadTestsFromModule(self, module):
        found = [getattr(module, name) for name in dir(module)]
        return self._of_classes(found)

    def _of_classes(self, values):
        cases = [value for value in values if isinstance(value, type)
                 and issubclass(value, TestCase)
                 and value not in (TestCase, FunctionTestCase, IsolatedAsyncioTestCase)]
        return TestSuite(self.loadTestsFromTestCase(case) for case in cases)


defaultTestLoader = TestLoader()


class TextTestRunner:
    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False,
                 resultclass=None, warnings=None):
        self.stream, self.verbosity = _sys.stderr if stream is None else stream, verbosity

    def run(self, test):
        result = TestResult(self.stream, True, self.verbosity)
        write, began = self.stream.write, _time.perf_counter()
        test.run(result)
        if self.verbosity:
            write("\n")
        for kind, found in (("ERROR", result.errors), ("FAIL", result.failures)):
            for case, text in found:
                write(f"{'=' * 70}\n{kind}: {case}\n{'-' * 70}\n{text}\n")
        many = "" if result.testsRun == 1 else "s"
        write(f"{'-' * 70}\nRan {result.testsRun} test{many} in "
              f"{_time.perf_counter() - began:.3f}s\n\n")
        counts = [f"{name}={len(found)}" for name, found in (
            ("failures", result.failures), ("errors", result.errors), ("skipped", result.skipped),
            ("expected failures", result.expectedFailures),
            ("unexpected successes", result.unexpectedSuccesses)) if found]
        verdict = "OK" if result.wasSuccessful() else "FAILED"
        write(verdict + (f" ({', '.join(counts)})" if counts else "") + "\n")
        return result


class main:
    """Runs the test cases of the program's file, and exits."""

    def __init__(self, module="__main__", defaultTest=None, argv=None, testRunner=None,
                 testLoader=defaultTestLoader, exit=True, verbosity=1, failfast=None,
                 catchbreak=None, buffer=None, warnings=None):
        import _machine
        suite = testLoader._of_classes(_machine.program_values())
        runner = testRunner or TextTestRunner(verbosity=verbosity)
        self.result = runner.run(suite)
        if exit:
            _sys.exit(not self.result.wasSuccessful())
