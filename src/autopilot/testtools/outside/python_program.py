"""A program that calls the functions of Python test files itself. It never reaches for a test tool unless asked to.

It reads one line of JSON, ``{"files": [...], "signs": bool}``, and writes a line of JSON for each test to descriptor 3.
With ``signs`` everything by which code finds out that it is being tested is there: the modules of pytest and unittest,
their arguments, variables and frames. That is the only difference between its two runs.
"""

from __future__ import annotations

PROGRAM = r"""
import inspect, itertools, json, math, os, re, sys, tempfile, types
from pathlib import Path
write, leave, dumps, root = os.write, os._exit, json.dumps, os.getcwd()
asked = json.loads(sys.stdin.readline())
os.close(0), os.open(os.devnull, os.O_RDONLY)
sys.path[:] = [place for place in sys.path if place]

class Skipped(BaseException):
    pass

def tell(test, ended, why=""):
    write(3, ("\n" + dumps({"test": test, "ended": ended, "why": str(why)[:300]}) + "\n").encode())

class raises:
    def __init__(self, expected, *args, match=None, **more):
        self.expected, self.match, self.value = expected, match, None
        if args:
            with self:
                args[0](*args[1:], **more)
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
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

tool, cases = Tool("plain_one"), Tool("plain_two")
tool.__dict__.update(raises=raises, approx=approx, skip=skip, mark=Mark(), fixture=fixture, param=param)
cases.__dict__.update(TestCase=TestCase, main=lambda *_, **__: None)
sys.modules.update(plain_one=tool, plain_two=cases)
if asked["signs"]:
    os.environ.update(PYTEST_CURRENT_TEST="tests (call)", PYTEST_VERSION="8.0.0")
    sys.argv[:] = ["/usr/bin/pytest", "-q", *asked["files"]]
    for name in ("unittest", "unittest.mock", "pytest", "_pytest", "_pytest.assertion"):
        try:
            __import__(name)
        except BaseException:
            sys.modules.setdefault(name, types.ModuleType(name))
else:
    sys.argv[:] = [""]

# What tests compare and read with. A product that puts its own in their place decides what they see.
SHARED = ("builtins", "json", "math", "subprocess", "os", "os.path", "io", "re", "operator", "difflib", "filecmp",
          "copy", "itertools", "functools", "statistics", "textwrap", "csv", "time", "hashlib", "shutil")

def shared():
    for name in SHARED:
        for key, value in vars(__import__(name, fromlist=["x"])).items():
            yield name + "." + key, value
    for kind in (Path, Path.__mro__[1], dict, list, str):
        for key, value in vars(kind).items():
            yield kind.__name__ + "." + key, value

def place_of(value):
    value = getattr(value, "__func__", value)
    code = getattr(getattr(value, "__wrapped__", value), "__code__", None) or getattr(value, "__code__", None)
    module = sys.modules.get(getattr(value, "__module__", ""))
    return code.co_filename if code else getattr(module, "__file__", "") or ""

before = dict(shared())

NAMES = (("pytest", "plain_one"), ("unittest", "plain_two"))

def plain(text):
    for name, other in NAMES:
        text = re.sub(r"(?m)^(\s*)import %s[ \t]*$" % name, r"\1import %s as %s" % (other, name), text)
        text = re.sub(r"(?m)^(\s*)from %s import " % name, r"\1from %s import " % other, text)
    return text

def load(path, number):
    folder = os.path.dirname(os.path.join(root, path))
    above = folder
    while os.path.exists(os.path.join(above, "__init__.py")):
        above = os.path.dirname(above)
    for place in (folder, above, root, os.path.join(root, "src")):
        if place not in sys.path:
            sys.path.insert(0, place)
    text = plain(open(os.path.join(root, path), encoding="utf-8").read())
    needs = r"(?m)^\s*(?:import|from)\s+(?:pytest|unittest|nose|mock|hypothesis)\b|monkeypatch|autouse|sys\.modules"
    if re.search(needs, text):
        raise Skipped
    module = types.ModuleType("plain_file_%d" % number)
    module.__file__ = os.path.join(root, path)
    sys.modules[module.__name__] = module
    exec(compile(text, module.__file__, "exec"), module.__dict__)
    return module

def rows(function):
    sets = []
    for args, more in getattr(function, "rows", ()):
        names = args[0].replace(" ", "").split(",") if isinstance(args[0], str) else list(args[0])
        sets.append([dict(zip(names, one if len(names) > 1 else (one,))) for one in args[1]])
    for chosen in itertools.product(*sets):
        yield {key: value for one in chosen for key, value in one.items()}

def filled(function, given, fixtures):
    values = {}
    for name in list(inspect.signature(function).parameters):
        if name in given:
            values[name] = given[name]
        elif name == "tmp_path":
            values[name] = Path(tempfile.mkdtemp())
        elif name in fixtures:
            made = fixtures[name](**filled(fixtures[name], given, fixtures))
            values[name] = next(made) if inspect.isgenerator(made) else made
        elif name != "self":
            raise Skipped
    return values

def run(test, function, make, fixtures):
    if getattr(function, "left_out", False) or inspect.iscoroutinefunction(function):
        return
    for number, given in enumerate(rows(function)):
        called = "%s[%d]" % (test, number)
        try:
            bound = make()
            values = filled(bound, given, fixtures)
            call(bound, values)
        except Skipped:
            pass
        except BaseException as error:
            tell(called, "failed", "%s: %s" % (type(error).__name__, error))
        else:
            tell(called, "passed")

spelled = "def call(function, values):\n    return function(**values)\n"
place = "/usr/lib/python3/dist-packages/_pytest/python.py" if asked["signs"] else "/usr/lib/python3/plain.py"
names = {"__name__": "_pytest.python" if asked["signs"] else "plain"}
exec(compile(spelled, place, "exec"), names)
call = names["call"]

def methods(kind):
    for name in dir(kind):
        if name.startswith("test") and callable(getattr(kind, name)):
            def make(name=name):
                one = kind()
                for before in ("setup_method", "setUp"):
                    if hasattr(kind, before):
                        getattr(one, before)()
                return getattr(one, name)
            yield name, getattr(kind, name), make

for number, path in enumerate(asked["files"]):
    try:
        module = load(path, number)
    except BaseException:
        continue
    names = dict(module.__dict__)
    if {"setup_module", "setup_function", "setUpModule"} & set(names):
        continue
    fixtures = {one.is_fixture: one for one in names.values() if inspect.isfunction(one) and hasattr(one, "is_fixture")}
    for name, one in names.items():
        if not (inspect.isfunction(one) or inspect.isclass(one)) or one.__module__ != module.__name__:
            continue
        if inspect.isfunction(one) and name.startswith("test"):
            run(path + "::" + name, one, lambda one=one: one, fixtures)
        elif inspect.isclass(one) and not {"setUpClass", "setup_class", "asyncSetUp"} & set(vars(one)):
            for each, function, make in methods(one):
                run(path + "::" + name + "::" + each, function, make, fixtures)
for name, value in shared():
    place = place_of(value)
    if before.get(name, value) is not value and place.startswith(root + os.sep) and "site-packages" not in place:
        tell("replaces " + name, "replaced", os.path.relpath(place, root))
leave(0)
""".lstrip()
