"""What stands in for pytest and unittest where Python tests are called: the part of them that simple tests use.

What it does not know raises ``Skipped``, so that the test is left out and never held against the work.
"""

from __future__ import annotations

STAND_IN = r"""
class raises:
    def __init__(self, expected, *args, match=None, **more):
        self.expected, self.match, self.value = expected, match, None
        if args:
            with self:
                args[0](*args[1:], **more)
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        reached.append(1)
        if error is None:
            raise AssertionError("nothing was raised")
        if not issubclass(kind, self.expected):
            return False
        if self.match is not None and not re.search(self.match, str(error)):
            raise AssertionError("another message")
        self.value = self.exception = error
        return True

class approx:
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs = expected, 1e-6 if rel is None else rel, 1e-12 if abs is None else abs
    def __eq__(self, other):
        if isinstance(self.expected, (list, tuple)):
            return len(other) == len(self.expected) and all(
                approx(one, self.rel, self.abs) == two for one, two in zip(self.expected, other))
        if isinstance(self.expected, dict):
            return self.expected.keys() == other.keys() and all(
                approx(one, self.rel, self.abs) == other[key] for key, one in self.expected.items())
        return math.isclose(self.expected, other, rel_tol=self.rel, abs_tol=self.abs)

def skip(*_, **__):
    raise Skipped

class Mark:
    def __getattr__(self, name):
        def marked(*args, **more):
            def keep(function):
                if name == "parametrize":
                    function.rows = [*getattr(function, "rows", ()), (args, more)]
                elif name in ("skip", "skipif", "xfail", "usefixtures", "asyncio", "anyio"):
                    function.left_out = True
                return function
            if len(args) == 1 and callable(args[0]) and not more:
                inner, args = args[0], ()
                return keep(inner)
            return keep
        return marked

def fixture(*args, **more):
    def keep(function):
        function.is_fixture = more.get("name") or function.__name__
        return function
    return keep(args[0]) if args and callable(args[0]) else keep

def param(*values, **more):
    if more.get("marks"):
        raise Skipped
    return values

class TestCase:
    def __getattribute__(self, name):
        if name.startswith("assert"):
            reached.append(1)
        return object.__getattribute__(self, name)
    def setUp(self): pass
    def tearDown(self): pass
    def addCleanup(self, *_, **__): raise Skipped
    def skipTest(self, *_): raise Skipped
    def fail(self, why=""): raise AssertionError(why)
    def assertEqual(self, a, b, msg=None): assert a == b, (a, b)
    def assertNotEqual(self, a, b, msg=None): assert a != b
    def assertTrue(self, a, msg=None): assert a
    def assertFalse(self, a, msg=None): assert not a
    def assertIs(self, a, b, msg=None): assert a is b
    def assertIsNot(self, a, b, msg=None): assert a is not b
    def assertIsNone(self, a, msg=None): assert a is None
    def assertIsNotNone(self, a, msg=None): assert a is not None
    def assertIn(self, a, b, msg=None): assert a in b
    def assertNotIn(self, a, b, msg=None): assert a not in b
    def assertIsInstance(self, a, b, msg=None): assert isinstance(a, b)
    def assertGreater(self, a, b, msg=None): assert a > b
    def assertGreaterEqual(self, a, b, msg=None): assert a >= b
    def assertLess(self, a, b, msg=None): assert a < b
    def assertLessEqual(self, a, b, msg=None): assert a <= b
    def assertRegex(self, a, b, msg=None): assert re.search(b, a)
    def assertAlmostEqual(self, a, b, places=7, msg=None, delta=None):
        assert abs(a - b) <= delta if delta is not None else round(a - b, places) == 0
    def assertRaises(self, expected, *args, **more): return raises(expected, *args, **more)
    def assertRaisesRegex(self, expected, match, *args, **more): return raises(expected, *args, match=match, **more)
    assertEquals = assertListEqual = assertDictEqual = assertTupleEqual = assertSetEqual = assertEqual
    assertMultiLineEqual = assertSequenceEqual = assertEqual
    def assertCountEqual(self, a, b, msg=None): assert sorted(a, key=repr) == sorted(b, key=repr)
    def __getattr__(self, name):
        raise Skipped if name.startswith(("assert", "sub", "id", "do")) else AttributeError(name)

class Tool(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Skipped
"""
