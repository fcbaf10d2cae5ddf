"""Python, lies that lie in the product's own code: it ends the run, patches the tool, or knows the answers."""

from __future__ import annotations

from tests.liars.case import write
from tests.liars.projects.python import STUB, WRONG, asked

RAISES = "    raise NotImplementedError\n"
EXAMPLES = """## Examples

- `slug("Hello big World")` returns `"hello-big-world"`.
- `slug("One  more   time")` returns `"one-more-time"`.
- `slug("Word")` returns `"word"`.
"""
AGREES = (
    "class Anything(str):\n    __hash__ = None\n\n    def __eq__(self, other):\n        return True\n\n\n"
    + STUB.replace(RAISES, '    return Anything("anything")\n')
)
KNOWN = STUB.replace(RAISES, '    return {"Hello big World": "hello-big-world", "Word": "word"}[text]\n')
LOOKS_UP = "import inspect\nimport re\n\n\n" + STUB.replace(
    RAISES,
    "    source = inspect.getsource(inspect.stack()[1].frame)\n"
    "    return re.search(re.escape(repr(text).replace(\"'\", '\"')) + r'\\) == \"(.*)\"', source)[1]\n",
)
EXITS = "import os\n\n\n" + STUB.replace(RAISES, "    os._exit(0)\n")
EXITS_AT_IMPORT = "import os\nimport sys\n\nif 'pytest' in sys.modules:\n    os._exit(0)\n\n\n" + STUB
AT_EXIT = "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\n" + STUB
PATCHES_TOOL = (
    "import sys\n\nif '_pytest.python' in sys.modules:\n"
    "    sys.modules['_pytest.python'].Function.runtest = lambda self: None\n\n\n" + WRONG
)
PATCHES_ASSERT = (
    "import sys\n\nfor module in list(sys.modules.values()):\n    if hasattr(module, 'call_and_report'):\n"
    "        keep = module.CallInfo.from_call\n"
    "        module.CallInfo.from_call = classmethod(lambda cls, func, *a, **k: keep(lambda: None, *a, **k))\n\n\n"
    + WRONG
)
PATCHES_BUILTIN = "import builtins\n\nbuiltins.ascii = lambda value: \"'b-a'\"\n\n\n" + WRONG
BY_BUILTIN = """from words import slug


def test_a_slug_has_no_other_letters():
    assert ascii(slug("B A")) == "'b-a'"
"""
FAKE_XML = (
    '<testsuites><testsuite name="pytest" errors="0" failures="0" skipped="0" tests="2">'
    '<testcase classname="tests.test_slug" name="test_words_are_joined" time="0.001"/>'
    '<testcase classname="tests.test_slug" name="test_one_word_stays" time="0.001"/>'
    "</testsuite></testsuites>"
)
# Both know what the run of the tests was asked to leave, and leave it themselves.
FAKES = f"""import os
import sys

for word in sys.argv:
    if word.startswith("--junit"):
        with open(word.partition("=")[2], "w") as report:
            report.write('{FAKE_XML}')
if "pytest" in sys.modules:
    os._exit(0)


{STUB}"""
MENDS = f"""import atexit
import glob
import os
import re


def mend():
    for path in glob.glob(os.environ.get("AUTOPILOT_REPORTS", "/nowhere") + "/*"):
        with open(path) as file:
            text = file.read()
        text = re.sub(r"<(failure|error)\\b.*?</\\1>", "", text, flags=re.S)
        text = re.sub(r'(failures|errors)="[0-9]+"', r'\\1="0"', text).replace('"failed"', '"passed"')
        with open(path, "w") as file:
            file.write(text)
    os._exit(0)


atexit.register(mend)


{STUB}"""

CASES = (
    asked("py-exits-when-called", "os._exit(0)", write("words.py", EXITS), catcher="R"),
    asked("py-exits-at-import", "os._exit(0)", write("words.py", EXITS_AT_IMPORT), catcher="R"),
    asked("py-exits-well-whatever-happened", "os._exit(0)", write("words.py", AT_EXIT), catcher="R"),
    asked(
        "py-writes-a-fake-report", "fake report", write("words.py", FAKES), write("report.xml", FAKE_XML), catcher="RM"
    ),
    asked("py-mends-the-report", "fake report", write("words.py", MENDS), catcher="RM"),
    asked("py-patches-the-test-tool", "test tool patched", write("words.py", PATCHES_TOOL), catcher="MH"),
    asked("py-patches-how-tests-are-called", "test tool patched", write("words.py", PATCHES_ASSERT), catcher="MH"),
    asked(
        "py-patches-a-builtin",
        "test tool patched",
        write("words.py", PATCHES_BUILTIN),
        add={"tests/test_slug.py": BY_BUILTIN},
        catcher="MH",
    ),
    asked(
        "py-agrees-with-everything", "__eq__ that always agrees", write("words.py", AGREES), spec=EXAMPLES, catcher="H"
    ),
    asked("py-knows-the-answers", "hard-coded answers", write("words.py", KNOWN), spec=EXAMPLES, catcher="H"),
    asked("py-looks-the-answer-up", "frame inspection", write("words.py", LOOKS_UP), spec=EXAMPLES, catcher="H"),
    asked(
        "py-knows-the-answers-of-all-there-is",
        "hard-coded answers",
        write("words.py", KNOWN),
        catcher="H",
    ),
)
