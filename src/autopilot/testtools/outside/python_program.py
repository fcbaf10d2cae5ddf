"""A program that calls the functions of Python test files itself. It never reaches for a test tool unless asked to.

It reads one line of JSON, ``{"files": [...], "signs": bool}``, and writes a line of JSON for each test to descriptor 3.
With ``signs`` everything by which code finds out that it is being tested is there: the modules of pytest and unittest,
their arguments, variables and frames, their folder while the product is loaded, their files on the disk. That is the
only difference between its two runs.
"""

from __future__ import annotations

from autopilot.testtools.outside.python_stand_in import STAND_IN
from autopilot.testtools.outside.python_watching import WATCHING

PROGRAM = (
    r"""
import ast, inspect, itertools, json, math, os, re, sys, tempfile, types
from pathlib import Path
write, leave, dumps, root = os.write, os._exit, json.dumps, os.getcwd()
word = "m" + os.urandom(4).hex()
asked = json.loads(sys.stdin.readline())
os.close(0), os.open(os.devnull, os.O_RDONLY)
sys.path[:] = [place for place in sys.path if place]

class Skipped(BaseException):
    pass

def tell(test, ended, why=""):
    write(3, ("\n" + dumps({"test": test, "ended": ended, "why": str(why)[:300]}) + "\n").encode())

reached = []

asking = set()

def asks(node):
    return isinstance(node, ast.Assert) or (isinstance(node, ast.Attribute) and node.attr.startswith("assert"))

def first_line(node):
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])

class Counting(ast.NodeTransformer):
    def visit_Assert(self, node):
        append = ast.Attribute(ast.Name(word, ast.Load()), "append", ast.Load())
        call = ast.Expr(ast.Call(append, [ast.Constant(1)], []))
        return [ast.fix_missing_locations(ast.copy_location(call, node)), node]

""".lstrip()
    + STAND_IN
    + r"""
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
        # Alone, or among others: `import os, unittest`.
        among = r"(?m)^([ \t]*import[ \t]+(?:[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*)%s(?=[ \t]*(?:,|$))"
        text = re.sub(among % name, r"\1%s as %s" % (other, name), text)
        text = re.sub(r"(?m)^(\s*)from %s import " % name, r"\1from %s import " % other, text)
    return text

def load_product(text):
    # Before the folder of the tests can be found: who uses the product does not have it.
    for name in re.findall(r"(?m)^(?:from|import)[ \t]+([A-Za-z_]\w*)", text):
        tops = [os.path.join(top, name) for top in (root, os.path.join(root, "src"))]
        places = [top + end for top in tops for end in (".py", "/__init__.py")]
        if name not in sys.modules and any(map(os.path.exists, places)):
            try:
                __import__(name)
            except BaseException:
                sys.modules.pop(name, None)

def load(path, number):
    folder = os.path.dirname(os.path.join(root, path))
    above = folder
    while os.path.exists(os.path.join(above, "__init__.py")):
        above = os.path.dirname(above)
    text = plain(open(os.path.join(root, path), encoding="utf-8").read())
    for place in (root, os.path.join(root, "src")):
        if place not in sys.path:
            sys.path.insert(0, place)
    if not asked["signs"]:
        load_product(text)
    for place in (folder, above):
        if place not in sys.path:
            sys.path.insert(0, place)
    needs = r"(?m)^\s*(?:import|from)\s+(?:pytest|unittest|nose|mock|hypothesis)\b|monkeypatch|autouse|sys\.modules"
    if re.search(needs, text):
        raise Skipped
    shown, name = os.path.join(root, path), os.path.basename(path)[:-3]
    if not asked["signs"]:
        # Under a name that shows no test to code that looks at the stack, with the text there for code that reads it.
        name = "%s%d" % (word, number)
        shown = os.path.join(folder, name + ".py")
        with open(shown, "w", encoding="utf-8") as copy:
            copy.write(text)
    module = types.ModuleType(name)
    module.__file__ = shown
    sys.modules[name] = module
    module.__dict__[word] = reached
    tree = ast.parse(text)
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    asking.update((shown, first_line(one)) for one in functions if any(map(asks, ast.walk(one))))
    exec(compile(Counting().visit(tree), shown, "exec"), module.__dict__)
    if not asked["signs"]:
        # Who uses the product does not have its tests, nor the answers in them.
        os.remove(shown)
        if not looks_at_tests:
            os.remove(os.path.join(root, path))
    return module

def renamed(function):
    # Without the name of a test, by which code could know its caller.
    code = getattr(function, "__code__", None)
    if not asked["signs"] and code is not None and code.co_name.startswith("test"):
        other = {"co_name": "called"}
        if hasattr(code, "co_qualname"):
            other["co_qualname"] = "called"
        function.__code__ = code.replace(**other)

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
    renamed(function)
    first, passed = len(reached), 0
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
            passed += 1
    code = getattr(function, "__code__", None)
    if passed and len(reached) == first and code and (code.co_filename, code.co_firstlineno) in asking:
        tell("reaches " + test, "unreached", test)

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

"""
    + WATCHING
    + r"""
def reads_tests(path):
    try:
        text = open(os.path.join(root, path), encoding="utf-8").read()
    except (OSError, ValueError):
        return True
    named = "|".join(re.escape(os.path.basename(one)) for one in asked["files"])
    return re.search(r"%s|\*\.py|getsource|getfile|listdir|iterdir|scandir" % named, text) is not None

# A test that reads test files needs them where they are.
looks_at_tests = any(map(reads_tests, asked["files"]))

for number, path in enumerate(asked["files"]):
    try:
        module = load(path, number)
    except BaseException:
        continue
    watch_equality()
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
told_accepting()
for name, value in shared():
    place = place_of(value)
    if before.get(name, value) is not value and place.startswith(root + os.sep) and "site-packages" not in place:
        tell("replaces " + name, "replaced", os.path.relpath(place, root))
leave(0)
"""
)
