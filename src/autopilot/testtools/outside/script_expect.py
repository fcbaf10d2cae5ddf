"""``expect`` of Jest and Vitest, as far as ordinary tests ask with it; a test that asks otherwise is left out.

Both runs of a test compare by it, so that it need not agree with those tools in every corner.
"""

from __future__ import annotations

EXPECT = r"""
function makeExpect(assert, unknown) {
  const holds = (check) => { try { check(); return true; } catch { return false; } };
  const isPlain = (value) => value && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const defined = (value) => Object.keys(value).filter((key) => value[key] !== undefined);
  const same = (one, other) => {
    if (Array.isArray(one) && Array.isArray(other))
      return one.length === other.length && one.every((part, index) => same(part, other[index]));
    if (isPlain(one) && isPlain(other))
      return defined(one).length === defined(other).length && defined(one).every((key) => same(one[key], other[key]));
    return Object.is(one, other) || holds(() => assert.deepStrictEqual(one, other));
  };
  const thrown = (made, wanted) => {
    let error = made;
    if (typeof made === "function") {
      error = undefined;
      try { made(); } catch (found) { error = found ?? new Error("nothing"); }
    }
    if (error === undefined || wanted === undefined) return error !== undefined;
    if (typeof wanted === "function") return error instanceof wanted;
    if (wanted instanceof RegExp) return wanted.test(error.message);
    return typeof wanted === "string" ? String(error.message).includes(wanted) : error.message === wanted.message;
  };
  const MATCHERS = {
    toBe: Object.is, toEqual: same, toStrictEqual: (one, other) => holds(() => assert.deepStrictEqual(one, other)),
    toBeTruthy: (one) => Boolean(one), toBeFalsy: (one) => !one, toBeNull: (one) => one === null,
    toBeUndefined: (one) => one === undefined, toBeDefined: (one) => one !== undefined, toBeNaN: Number.isNaN,
    toBeGreaterThan: (one, other) => one > other, toBeGreaterThanOrEqual: (one, other) => one >= other,
    toBeLessThan: (one, other) => one < other, toBeLessThanOrEqual: (one, other) => one <= other,
    toBeCloseTo: (one, other, digits = 2) => Math.abs(one - other) < 10 ** -digits / 2,
    toContain: (one, other) => (typeof one === "string" ? one.includes(other) : [...one].includes(other)),
    toContainEqual: (one, other) => [...one].some((part) => same(part, other)),
    toHaveLength: (one, other) => one.length === other,
    toMatch: (one, other) => (typeof other === "string" ? one.includes(other) : other.test(one)),
    toBeInstanceOf: (one, other) => one instanceof other, toThrow: thrown, toThrowError: thrown,
  };
  const ask = (value, sense) => new Proxy({}, {
    get(_, name) {
      if (name === "not") return ask(value, !sense);
      if (name === "resolves" || name === "rejects") return later(value, sense, name);
      if (!Object.hasOwn(MATCHERS, name)) return unknown();
      return (...given) => {
        if (MATCHERS[name](value, ...given) !== sense) throw new Error("expected " + name + " of " + String(value));
      };
    },
  });
  const later = (value, sense, how) => new Proxy({}, {
    get(_, name) {
      if (name === "not") return later(value, !sense, how);
      return async (...given) => {
        const kept = (error) => ((how === "rejects") ? error : Promise.reject(error));
        const found = await Promise.resolve(typeof value === "function" ? value() : value).then(
          (answer) => (how === "resolves" ? answer : Promise.reject(new Error("it did not reject"))), kept);
        ask(found, sense)[name](...given);
      };
    },
  });
  return new Proxy((value) => ask(value, true), { get: unknown });
}
""".strip()
