"""The two programs that call a function of the product: everything they need is bound before its code is loaded.

Each takes one argument, ``{"path", "calls": [{"name", "arguments", "keywords"}]}``, of a method also its class
("owner") and what an object of it is made of ("made"), and writes one line of JSON for
each call to descriptor 3. With "fresh" no call knows of another: each has a process of its own. They end at once when
they are done, whatever the product left running.
"""

from __future__ import annotations

PYTHON = r"""
import sys
sys.path[:] = [place for place in sys.path if place]
import enum, importlib, importlib.util, inspect, json, itertools, math, numbers, os
dumps, write, leave, root = json.dumps, os.write, os._exit, os.getcwd()
asked = json.loads(sys.argv.pop())
if asked.get("elsewhere"):
    os.chdir("/")

def tell(number, how, **more):
    line = dumps({"answer": number, "how": how, **more})
    if len(line) > 8000:
        line = dumps({"answer": number, "how": "raised", "saw": "a value of %d characters" % len(line)})
    write(3, ("\n" + line + "\n").encode())

class Unspeakable(ValueError):
    pass

def plain(value, depth=0):
    if depth > 40:
        raise Unspeakable("a value nested too deeply")
    if isinstance(value, enum.Enum):
        return plain(value.value, depth + 1)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, numbers.Number) and not isinstance(value, complex):
        if not math.isfinite(value):
            raise Unspeakable("a number that JSON does not have: %r" % (value,))
        return float(value)
    if isinstance(value, dict):
        return {key if isinstance(key, (str, int)) else str(key): plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one, depth + 1) for one in value]
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return {name: plain(getattr(value, name), depth + 1) for name in value.__dataclass_fields__}
    if hasattr(value, "__next__") or type(value).__name__ in ("range", "dict_keys", "dict_values", "dict_items"):
        return [plain(one, depth + 1) for one in itertools.islice(value, 10000)]
    own = asked.get("elsewhere") and is_own(getattr(sys.modules.get(type(value).__module__), "__file__", "") or "")
    if type(value).__str__ is not object.__str__ and not isinstance(value, (bytes, bytearray, set, frozenset, type)):
        if not own:
            return str(value)
    raise Unspeakable("an object of %s, which JSON does not have" % type(value).__name__)

def is_own(path):
    path = "/" if not path or path.startswith("<") else os.path.abspath(path)
    return path.startswith(root + os.sep) and not {"site-packages", ".venv", "venv"} & set(path.split(os.sep))

def how_of(error, loading):
    if isinstance(error, NotImplementedError):
        return "unfinished"
    if isinstance(error, ImportError) and error.name:
        top = error.name.split(".")[0]
        known = any(os.path.exists(os.path.join(place, top + end)) for place in roots for end in ("", ".py"))
        return "raised" if known else "elsewhere"
    if isinstance(error, OSError) and error.errno is not None:
        return "elsewhere"
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    own = isinstance(error, SyntaxError) or last and is_own(last.tb_frame.f_code.co_filename)
    return "elsewhere" if loading and not own else "raised"

def kinds(error):
    own = [] if isinstance(error, Unspeakable) else type(error).__mro__[:-1]
    return [one.__name__[:80] for one in own][:20]

def words(error):
    return ("%s: %s" % (type(error).__name__, error))[:300]

def by_name(name, path):
    module = importlib.import_module(name)
    if getattr(module, "__file__", None) and os.path.samefile(module.__file__, path):
        return module
    found = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module

folder, name = os.path.split(asked["path"][:-3])
names = [] if name == "__init__" and folder else [name]
while folder and os.path.exists(os.path.join(root, folder, "__init__.py")):
    folder, name = os.path.split(folder)
    names.insert(0, name)
roots = list(dict.fromkeys([os.path.join(root, folder), root, os.path.join(root, "src")]))
sys.path[:0] = roots

def load():
    path = os.path.join(root, asked["path"])
    tries = list(dict.fromkeys([".".join(names), asked["path"][:-3].replace("/", ".")]))
    for name in tries:
        try:
            return by_name(name, path)
        except ImportError as error:
            if name == tries[-1] or "relative import" not in str(error):
                raise

def call(function, one):
    value = function(*one["arguments"], **one["keywords"])
    if inspect.isawaitable(value):
        import asyncio
        async def wait():
            return await value
        value = asyncio.run(wait())
    return plain(value)

try:
    module = load()
except BaseException as error:
    for number in range(len(asked["calls"])):
        tell(number, how_of(error, True), saw="cannot load the module: " + words(error))
    leave(0)

def ask(number, one):
    before = dumps(one["arguments"])
    try:
        asked_of = getattr(module, one["owner"])(*one["made"]) if one.get("owner") else module
        function = getattr(asked_of, one["name"], None)
        if function is None:
            tell(number, "raised", saw="the module has no %s" % one["name"])
        else:
            value = call(function, one)
            changed = value is not None and dumps(plain(one["arguments"])) != before
            tell(number, "value", value=value, changed=changed)
    except BaseException as error:
        tell(number, how_of(error, False), saw=words(error), kinds=kinds(error))

for number, one in enumerate(asked["calls"]):
    child = os.fork() if asked.get("fresh") else 0
    if child:
        os.waitpid(child, 0)
        continue
    ask(number, one)
    if asked.get("fresh"):
        leave(0)
leave(0)
""".lstrip()

NODE = r"""
import { spawn } from "node:child_process";
import { writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
const { stringify, parse } = JSON, leave = (process.reallyExit ?? process.exit).bind(process);
const asked = parse(process.argv.pop());
if (asked.fresh) {
  const rest = asked.calls.map((one, first) => stringify({ ...asked, calls: [one], fresh: false, first }));
  const next = () => rest.length && new Promise((done) => {
    const words = [...process.execArgv, "--", rest.shift()];
    spawn(process.execPath, words, { stdio: ["ignore", "ignore", "ignore", 3] }).on("close", done).on("error", done);
  }).then(next);
  await Promise.all([next(), next()]);
  leave(0);
}
// Honest modules compare the file that was started with their own.
process.argv[1] = join(tmpdir(), `m${Math.random().toString(36).slice(2)}.mjs`);
writeFileSync(process.argv[1], "");
const AROUND = /^(E[A-Z]+|(ERR_)?MODULE_NOT_FOUND|ERR_(REQUIRE_ESM|UNKNOWN_FILE_EXTENSION|UNSUPPORTED_DIR_IMPORT))$/;
const BROWSER = /^(window|document|navigator|(local|session)Storage|self|HTMLElement|customElements) is not defined/;

const tell = (answer, how, more) => {
  for (const kind of [Object, Array, String, Number, Boolean]) delete kind.prototype.toJSON;
  answer += asked.first ?? 0;
  let line = stringify({ answer, how, ...more });
  if (line.length > 8000) line = stringify({ answer, how: "raised", saw: `a value of ${line.length} characters` });
  writeSync(3, `\n${line}\n`);
};
class Unspeakable extends TypeError {}
const plain = (value, depth = 0) => {
  if (depth > 40) throw new Unspeakable("a value nested too deeply");
  if (value === null || value === undefined) return null;
  for (const kind of [String, Number, Boolean]) if (value instanceof kind) value = kind.prototype.valueOf.call(value);
  switch (typeof value) {
    case "string": case "boolean": return value;
    case "bigint": return Number(value);
    case "number":
      if (!Number.isFinite(value)) throw new Unspeakable(`a number that JSON does not have: ${value}`);
      return value;
    case "object": break;
    default: throw new Unspeakable(`a ${typeof value}, which JSON does not have`);
  }
  if (Array.isArray(value)) return Array.from(value, (one) => plain(one, depth + 1));
  if (value instanceof Date) return Date.prototype.toJSON.call(value);
  if (value instanceof Set || typeof value.next === "function") return plain([...value], depth + 1);
  const pairs = (value instanceof Map ? [...value] : Object.entries(value)).filter(([, one]) => one !== undefined);
  return Object.fromEntries(pairs.map(([key, one]) => [String(key), plain(one, depth + 1)]));
};
const howOf = (error, loading) => {
  const code = String(error?.code ?? error?.cause?.code ?? ""), text = String(error?.message ?? error);
  if (/\bnot (yet )?implemented\b/i.test(text)) return "unfinished";
  if (AROUND.test(code) || (error?.name === "ReferenceError" && BROWSER.test(text))) return "elsewhere";
  // Modules that only a bundler understands.
  if (loading && error?.name === "SyntaxError" && /\b(import|export|named export)\b|'<'/.test(text)) return "elsewhere";
  return "raised";
};
const kindsOf = (error) => {
  const kinds = error instanceof Unspeakable ? [] : [String(error?.name ?? typeof error).slice(0, 80)];
  for (let one = error; kinds.length && kinds.length < 20 && one instanceof Object; one = Object.getPrototypeOf(one))
    kinds.push(String(one.constructor?.name).slice(0, 80));
  return kinds;
};
const words = (error) => `${error?.name ?? "Error"}: ${error?.message ?? error}`.slice(0, 300);
// An error of background work that no call waits for is not the answer to any call.
process.on("uncaughtException", () => {});
let module;
const place = pathToFileURL(resolve(asked.path));
if (asked.elsewhere) process.chdir("/");
try {
  module = await import(place);
} catch (error) {
  const more = { saw: `cannot load the module: ${words(error)}` };
  asked.calls.forEach((_, number) => tell(number, howOf(error, true), more));
  leave(0);
}
for (let at = 0; at < asked.calls.length; at++) {
  const { name, arguments: given, owner, made } = asked.calls[at];
  const known = (word) => [module[word], module.default?.[word], module.default];
  const pick = (word) => known(word).find((one) => typeof one === "function");
  try {
    const object = owner ? new (pick(owner))(...made) : null;
    const found = owner ? object[name]?.bind(object) : pick(name);
    if (!found) tell(at, "raised", { saw: `the module has no ${name}` });
    else {
      const before = stringify(given), value = plain(await found(...given));
      const changed = value !== null && stringify(given) !== before;
      tell(at, "value", { value, changed });
    }
  } catch (error) {
    tell(at, howOf(error, false), { saw: words(error), kinds: kindsOf(error) });
  }
}
leave(0);
""".lstrip()
