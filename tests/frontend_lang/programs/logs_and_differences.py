import logging, sys, io
logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s", stream=sys.stdout)
log = logging.getLogger("app.sub"); log.info("hi %s %d", "x", 3); log.debug("no"); log.warning("w")
print(log, log.parent, logging.getLevelName(30), logging.getLevelName("INFO"), log.isEnabledFor(10), log.getEffectiveLevel())
buf = io.StringIO(); h = logging.StreamHandler(buf); h.setFormatter(logging.Formatter("[%(levelname)-8s] %(name)s - %(message)s")); h.setLevel(logging.ERROR)
log.addHandler(h); log.propagate = False
log.error("bad"); log.info("not"); print(buf.getvalue())
try: 1/0
except ZeroDivisionError: log.exception("oops")
print(buf.getvalue().splitlines()[1:2], buf.getvalue().splitlines()[-1])
class H(logging.Handler):
    def __init__(self): super().__init__(); self.r = []
    def emit(self, record): self.r.append((record.levelname, record.getMessage(), record.name))
x = H(); lg = logging.getLogger("t"); lg.addHandler(x); lg.setLevel("DEBUG"); lg.propagate = False
lg.debug("a %(k)s", {"k": 1}); lg.log(25, "custom"); print(x.r)
ad = logging.LoggerAdapter(lg, {"u": 1}); ad.info("adapt"); print(x.r[-1])
class Flt(logging.Filter):
    def filter(self, r): return "secret" not in r.getMessage()
lg.addFilter(Flt()); lg.info("secret"); lg.info("ok"); print(x.r[-1], len(x.r))
f = logging.Formatter("{levelname} {message}", style="{"); print(f.format(logging.LogRecord("n", 20, "p", 1, "m %s", ("z",), None)))
print(logging.getLogger("t").handlers == [x], logging.getLogger() is logging.root, x)
logging.getLogger("n").addHandler(logging.NullHandler())
import logging.config
logging.config.dictConfig({"version": 1, "formatters": {"f": {"format": "%(name)s|%(message)s"}}, "handlers": {"h": {"class": "logging.StreamHandler", "formatter": "f", "stream": "ext://sys.stdout"}}, "loggers": {"cfg": {"handlers": ["h"], "level": "INFO", "propagate": False}}})
logging.getLogger("cfg").info("configured")
try: logging.getLogger("q").setLevel("NOPE")
except ValueError as e: print(e)
logging.disable(logging.CRITICAL); log.error("gone"); logging.disable(logging.NOTSET)
logging.info("root"); logging.warning("root %s", 1)
r = logging.makeLogRecord({"msg": "x", "levelname": "I"}); print(r.getMessage())
#---
import difflib
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), difflib.SequenceMatcher(None, "abcd", "bcde").ratio())
s = difflib.SequenceMatcher(None, "qabxcd", "abycdf"); print(s.get_opcodes(), s.get_matching_blocks(), s.find_longest_match())
a = "one\ntwo\nthree\nfour\n".splitlines(True); b = "ore\ntree\nthree\nfive\nfour\n".splitlines(True)
print("".join(difflib.ndiff(a, b))); print("".join(difflib.unified_diff(a, b, "a.txt", "b.txt"))); print("".join(difflib.context_diff(a, b)))
print(list(difflib.unified_diff(["a"], ["b"], lineterm="")), difflib.SequenceMatcher(lambda c: c == " ", "private Thread currentThread;", "private volatile Thread currentThread;").ratio())
#---
import difflib
import random
random.seed(3)
for _ in range(60):
    p = "".join(random.choice("abc ") for _ in range(random.randint(0, 30))); q = "".join(random.choice("abc ") for _ in range(random.randint(0, 30)))
    m = difflib.SequenceMatcher(random.choice([None, lambda c: c == " "]), p, q); print(m.ratio(), m.quick_ratio(), m.real_quick_ratio(), m.get_opcodes())
    L = [p[i:i+4] + "\n" for i in range(0, len(p), 4)]; M = [q[i:i+4] + "\n" for i in range(0, len(q), 4)]
    print("".join(difflib.ndiff(L, M)), "".join(difflib.unified_diff(L, M, n=1)))
#---
import unittest
class T(unittest.TestCase):
    def setUp(self): self.x = 1
    def test_a(self): self.assertEqual(self.x, 1); self.assertIn(1, [1]); self.assertAlmostEqual(0.1 + 0.2, 0.3)
    def test_b(self):
        with self.assertRaises(ValueError) as cm: int("x")
        print(cm.exception)
        with self.assertRaisesRegex(KeyError, "k"): {}["k"]
    @unittest.skip("later")
    def test_c(self): self.fail()
    def test_d(self): self.assertEqual([1, 2], [1, 3])
    def test_e(self): self.assertEqual("abc", "abd", "msg")
    def test_f(self): self.assertTrue(0)
    def test_g(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
    def test_h(self): {}["zz"]
    def test_i(self): self.assertEqual({1, 2}, {2, 3})
    def test_j(self): self.assertEqual({"a": 1}, {"a": 2})
    @unittest.expectedFailure
    def test_k(self): self.fail("x")
suite = unittest.defaultTestLoader.loadTestsFromTestCase(T)
res = unittest.TestResult(); suite.run(res)
print(res.testsRun, len(res.failures), len(res.errors), res.skipped, res.wasSuccessful())
for t, text in res.failures: print(t, "|", text.split("AssertionError", 1)[1])
