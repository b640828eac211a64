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
    def test_l(self):
        with self.assertRaises(KeyError): pass
    def test_m(self):
        import logging
        with self.assertLogs("foo", level="INFO") as cm:
            logging.getLogger("foo").info("first message")
            logging.getLogger("foo.bar").error("second message")
        print(cm.output)
    @unittest.expectedFailure
    def test_k(self): self.fail("x")
suite = unittest.defaultTestLoader.loadTestsFromTestCase(T)
res = unittest.TestResult(); suite.run(res)
print(res.testsRun, len(res.failures), len(res.errors), res.skipped, res.wasSuccessful(), len(res.expectedFailures))
for t, text in res.failures: print(t, "|", text.split("AssertionError", 1)[1])
class Async(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self): self.y = 2
    async def test_q(self): self.assertEqual(self.y, 3)
suite = unittest.TestSuite(); suite.addTest(Async("test_q")); r = unittest.TestResult(); suite.run(r); print(r.failures[0][1].splitlines()[-1], r.testsRun)
