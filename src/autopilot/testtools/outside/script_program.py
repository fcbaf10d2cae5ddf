"""A Node program that calls the functions of a test file of node:test, Jest or Vitest itself. It never loads these.

It is called with one line of JSON, ``{"file": ..., "signs": bool}``, and writes a line of JSON for each test to
descriptor 3. With ``signs`` everything by which code finds out that it is being tested is there: the runner's variable,
its arguments, the names of files and functions on the stack, its file on the disk. That is the only difference
between its two runs: both have a file in ``process.argv[1]``, because honest programs compare it with their own.
"""

from __future__ import annotations

from autopilot.testtools.outside.script_expect import EXPECT

_PROGRAM = r"""
(function (require, line, load) {
const fs = require("fs"), path = require("path"), url = require("url"), vm = require("vm"), Module = require("module");
const write = fs.writeSync, remove = fs.rmSync, spell = JSON.stringify, source = Function.prototype.toString;
const later = setTimeout, stop = clearTimeout, leave = process.reallyExit.bind(process), define = Object.defineProperty;
const asked = JSON.parse(line), top = process.cwd(), file = path.join(top, asked.file);
const called = "m" + Math.random().toString(36).slice(2);
fs.closeSync(0), fs.openSync("/dev/null");
// Only a program on the command line has these by name.
for (const name of ["require", "module", "exports", "__filename", "__dirname", ...Module.builtinModules])
  if (!["process", "console"].includes(name)) delete globalThis[name];
delete process._eval;

const tell = (name, ended, why = "") =>
  write(3, "\n" + spell({ __proto__: null, test: name, ended, why: String(why).slice(0, 300) }) + "\n");
const reason = (error) => (error?.name ? error.name + ": " + error.message : String(error)).replace(/\s+/g, " ");

// The file under another name, in its own folder so that it finds what it imports, with our functions for its tool's.
const tool = called + "-a.cjs", main = path.join(top, called + path.extname(file));
const folder = path.dirname(file), kept = path.basename(file);
const copy = path.join(folder, asked.signs ? called + "-" + kept : called + "-b" + path.extname(file));
const shown = asked.signs ? file : main;
const given = fs.readFileSync(file, "utf8");
const IMPORTS = /(\b(?:from|import|require)\s*\(?\s*)(["'])(?:(?:node:)?test|vitest|@jest\/globals)\2/g;
const text = given.replace(IMPORTS, (_, before) => before + '"./' + tool + '"');
// Jest and Vitest give a file what it asks for, by import or by name.
const isNamed = /["'](?:node:)?test["']/.test(given);
const byExpect = !isNamed && /\bexpect\s*\(/.test(given) && /\b(?:test|it)\s*(?:\.\w+)?\s*\(/.test(given);
if ((text === given && !byExpect) || /["'`]node:test/.test(text)) leave(0);
const isModule = /^\s*(?:import|export)\b/m.test(text);
const OFFERED = ["test", "it", "describe", "suite", "before", "after", "beforeEach", "afterEach", "mock",
  "only", "skip", "todo", "each", "expect", "beforeAll", "afterAll", "jest", "vi"];
fs.writeFileSync(main, "");
fs.writeFileSync(path.join(folder, tool), "module.exports = (...given) => module.exports.test(...given);\n"
  + OFFERED.map((name) => "module.exports." + name + " = null;\n").join(""));
fs.writeFileSync(copy, text + "\n//# sourceURL=" + (isModule ? url.pathToFileURL(shown).href : shown) + "\n");

process.argv.splice(1, Infinity, shown);
process.execArgv.splice(0, Infinity, ...(asked.signs ? ["--test"] : []));
process.mainModule = new Module(shown, null);
process.mainModule.filename = shown;
delete process.env.NODE_TEST_CONTEXT;
const OF_TOOL = byExpect
  ? { NODE_ENV: "test", JEST_WORKER_ID: "1", VITEST: "true", VITEST_WORKER_ID: "1" }
  : { NODE_TEST_CONTEXT: "child-v8" };
if (asked.signs) Object.assign(process.env, OF_TOOL, { npm_lifecycle_event: "test" });
const PLACE = byExpect ? path.join(top, "node_modules/jest-circus/build/vitest.js") : "node:internal/test_runner/test";
const { Test: Caller } = vm.runInThisContext(
  "({ Test: class " + (asked.signs ? "Test" : "Main") + " { static run(body, given) { return body(...given); } } })",
  { filename: asked.signs ? PLACE : shown });

// What the file asks for while it is loaded.
class LeftOut extends Error {}
let broken = () => {};
const hooks = () => ({ before: [], after: [], beforeEach: [], afterEach: [] });
const group = (title, above) => ({ title, above, parts: [], ...hooks() });
const everything = group("", null), waiting = [];
let within = everything;
const pieces = (given) => ({
  title: given.find((one) => typeof one === "string"),
  body: given.find((one) => typeof one === "function"),
  options: given.find((one) => one && typeof one === "object") ?? {},
});
const isOut = ({ body, options }) => !body || options.skip || options.todo;
const nothing = () => Promise.resolve();
const each = (make) => (rows) => {
  if (!Array.isArray(rows) || rows.raw) unknown();
  return (title, body) => rows.forEach((row, place) =>
    make(title + " " + place, () => body(...(Array.isArray(row) ? row : [row]))));
};
const variants = (make) => Object.assign(make, { only: make, skip: nothing, todo: nothing, each: each(make) });
const single = variants((...given) => {
  const one = pieces(given);
  if (!isOut(one)) within.parts.push({ title: one.title ?? one.body.name, body: one.body });
  return nothing();
});
const several = variants((...given) => {
  const one = pieces(given), outer = within;
  if (isOut(one)) return nothing();
  within = group(one.title ?? one.body.name, outer);
  outer.parts.push(within);
  try {
    waiting.push(Caller.run(one.body, [{ name: within.title }]));
  } finally {
    within = outer;
  }
  return nothing();
});
const hook = (kind) => (body) => void within[kind].push(body);
let leftOut = false;
const unknown = () => {
  leftOut = true;
  throw new LeftOut();
};
const mock = new Proxy({}, { get: unknown });
const kinds = Object.fromEntries(["before", "after", "beforeEach", "afterEach"].map((kind) => [kind, hook(kind)]));
EXPECT
const further = { beforeAll: kinds.before, afterAll: kinds.after, expect: makeExpect(require("assert"), unknown) };
const offered = { test: single, it: single, describe: several, suite: several, ...kinds, ...further, mock };
if (byExpect && asked.signs) Object.assign(globalThis, { jest: mock, vi: mock, __vitest_worker__: {} });
if (byExpect && text === given) Object.assign(globalThis, offered);
Object.assign(require(path.join(folder, tool)), offered, single);
Object.assign(single, offered);

const settle = (body, context) => new Promise((done, fail) => {
  const timer = later(() => fail(new Error("it did not end within 10 s")), 10000);
  const end = (how) => (value) => (stop(timer), how(value));
  broken = end(fail);
  try {
    const finish = (error) => (error ? end(fail)(error) : end(done)());
    if (byExpect && body.length) Caller.run(body, [finish]);
    else if (body.length > 1) Caller.run(body, [context, finish]);
    else Promise.resolve(Caller.run(body, [context])).then(end(done), end(fail));
  } catch (error) {
    end(fail)(error);
  }
});
const inTurn = async (bodies, context) => {
  for (const body of bodies) await settle(body, context);
};

function contextOf(name, mine) {
  const known = {
    name: name.split(/::| > /).at(-1), signal: new AbortController().signal, diagnostic() {}, plan() {}, runOnly() {},
    assert: require("assert"),
    before: (body) => settle(body, context),
    after: (body) => void mine.after.push(body),
    beforeEach: (body) => void mine.beforeEach.push(body),
    afterEach: (body) => void mine.afterEach.push(body),
    test: async (...given) => {
      const one = pieces(given);
      if (isOut(one)) return;
      mine.ended.push(perform(name + " > " + (one.title ?? one.body.name), one.body, mine.beforeEach, mine.afterEach));
      await mine.ended.at(-1);
    },
  };
  const isKnown = (key) => key in known || typeof key === "symbol";
  const context = new Proxy(known, { get: (_, key) => (isKnown(key) ? known[key] : unknown()) });
  return context;
}

// Written as failed at first: what ends the process would otherwise leave nothing behind.
async function perform(name, body, first, last) {
  const mine = { ended: [], ...hooks() }, context = contextOf(name, mine);
  let error = null;
  leftOut = false;
  tell(name, "failed", "the process ended");
  try {
    await inTurn(first, context);
    await settle(body, context);
    if ((await Promise.all(mine.ended)).includes(false)) throw new Error("a part of it failed");
  } catch (thrown) {
    error = thrown ?? new Error("it failed");
  }
  try {
    await inTurn([...mine.after, ...last], context);
  } catch (thrown) {
    error ??= thrown;
  }
  if (leftOut || error instanceof LeftOut) tell(name, "left out");
  else tell(name, error ? "failed" : "passed", error ? reason(error) : "");
  return !error;
}

async function walk(one, names, first, last) {
  const begin = [...first, ...one.beforeEach], end = [...one.afterEach, ...last];
  await inTurn(one.before, {});
  for (const part of one.parts) {
    const inner = [...names, part.title];
    if (!part.parts) await perform(asked.file + "::" + inner.join(" > "), part.body, begin, end);
    else await walk(part, inner, begin, end).catch(() => {});
  }
  await inTurn(one.after, {});
}

// What tests compare and read with. A product that puts its own in their place decides what they see.
const assert = require("assert"), children = require("child_process");
const SHARED = { assert, "assert.strict": assert.strict, JSON, Math };
for (const kind of [Object, Array, String, Number, Map, Set, Promise, Date, RegExp])
  Object.assign(SHARED, { [kind.name]: kind, [kind.name + ".prototype"]: kind.prototype });
const describe = Object.getOwnPropertyDescriptor, functions = [];
const add = (name, holder, key) => {
  const { value } = describe(holder, key);
  if (typeof value === "function" && key !== "constructor")
    functions.push({ name: name + "." + String(key), holder, key, value });
};
for (const [name, holder] of Object.entries(SHARED))
  for (const key of Reflect.ownKeys(holder)) add(name, holder, key);
for (const key of ["readFileSync", "writeFileSync"]) add("fs", fs, key);
for (const key of ["spawnSync", "execFileSync", "execSync"]) add("child_process", children, key);

// Methods that the language asks every value for, where it has none of its own: who adds one speaks for all values.
const ASKED = [];
for (const kind of [Object, Array, String, Number, Boolean, Map, Set, Function])
  for (const key of ["toJSON", "then", Symbol.toPrimitive, Symbol.for("nodejs.util.inspect.custom")])
    if (!describe(kind.prototype, key)) ASKED.push([kind.name + ".prototype." + String(key), kind.prototype, key]);

// Clocks and chance, which may stand on a prototype: an own property hides the one that was there.
const CLOCKS = [["performance.now", performance, "now"], ["process.hrtime", process, "hrtime"]];
const clocks = CLOCKS.map(([name, holder, key]) => [name, holder, key, holder[key]]);

// An error that is every other one is thrown by whatever goes wrong.
function tellAccepting() {
  const made = [copy, main, path.join(folder, tool)];
  for (const [place, module] of Object.entries(require.cache ?? {})) {
    const local = path.relative(top, place);
    if (!place.startsWith(top + path.sep) || FOREIGN.test(local) || made.includes(place)) continue;
    const exported = [module.exports, ...Object.values(module.exports ?? {})];
    for (const kind of exported) {
      const isError = typeof kind === "function" && kind.prototype instanceof Error;
      if (isError && new RangeError("unrelated") instanceof kind)
        tell("accepts " + kind.name, "accepting", local);
    }
  }
}

// Puts everything back first, because what follows uses it.
function takeBack() {
  const changed = [];
  for (let index = 0; index < functions.length; index++) {
    const { name, holder, key, value } = functions[index], found = describe(holder, key)?.value;
    if (found === value) continue;
    define(holder, key, { value, configurable: true, writable: true });
    if (typeof found === "function") changed[changed.length] = [name, found];
  }
  for (const [name, holder, key] of ASKED) {
    const found = describe(holder, key)?.value;
    if (typeof found !== "function") continue;
    delete holder[key];
    changed[changed.length] = [name, found];
  }
  for (const [name, holder, key, value] of clocks)
    if (holder[key] !== value) changed[changed.length] = [name, holder[key]];
  return changed.filter(([, found]) => !source.call(found).includes("[native code]"));
}

// The debugger knows in which file a function stands; the language does not.
function placesOf(values) {
  const { Session } = require("inspector"), session = new Session(), files = new Map(), places = new Map();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => files.set(params.scriptId, params.url));
  session.post("Debugger.enable");
  for (const [name, value] of values) {
    define(globalThis, called, { value, configurable: true });
    session.post("Runtime.evaluate", { expression: called }, (_, answer) =>
      session.post("Runtime.getProperties", { objectId: answer.result.objectId }, (_, { internalProperties }) => {
        const found = internalProperties?.find((one) => one.name === "[[FunctionLocation]]");
        const place = files.get(found?.value.value.scriptId) ?? "";
        places.set(name, place.startsWith("file:") ? url.fileURLToPath(place) : place);
      }));
  }
  delete globalThis[called];
  session.disconnect();
  return places;
}

const FOREIGN = /(^|\/)(node_modules|tests?|__tests__|spec)\//;
function tellReplaced() {
  const changed = takeBack();
  for (const [name, place] of changed.length ? placesOf(changed) : []) {
    const local = path.relative(top, place);
    const isProduct = place.startsWith(top + path.sep) && place !== copy && place !== shown;
    if (isProduct && !FOREIGN.test(local)) tell("replaces " + name, "replaced", local);
  }
}

async function start() {
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => broken(error));
  tell(asked.file, "failed", "the process ended");
  try {
    await load(url.pathToFileURL(copy).href);
    for (const made of [copy, path.join(folder, tool)]) remove(made);
    // Who uses the product does not have its tests, nor the answers in them.
    if (!asked.signs && !/__filename|readdir|\.test\.|import\.meta\.filename/.test(given)) remove(file);
    await Promise.all(waiting);
    tell(asked.file, "passed");
    await walk(everything, [], [], []).catch(() => {});
  } catch (error) {
    tell(asked.file, "failed", reason(error));
  }
  tellAccepting();
  tellReplaced();
  remove(main);
  leave(0);
}
start();
})
""".lstrip()
PROGRAM = _PROGRAM.replace("EXPECT\n", f"{EXPECT}\n", 1)
