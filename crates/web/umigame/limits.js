// Checks of what a caller hands in, so that an error names it.

import { quote } from "./position.js";

const WHOLE_NUMBERS = {
  level: [1, 30],
  depth: [1, 60],
  exactFrom: [0, 60],
  lines: [1, 60],
  nodes: [1, Number.MAX_SAFE_INTEGER],
};
const CHOICES = {
  confidence: [73, 87, 95, 98, 99, 100],
  goal: ["score", "winLossDraw"],
};

const LIMITS = [...Object.keys(WHOLE_NUMBERS), ...Object.keys(CHOICES), "focus", "timeMs", "clock"];

/** Throws unless a value is a whole number within bounds. */
export function requireWhole(name, value, min, max) {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} of ${quote(value)}: expected a whole number, ${min} to ${max}`);
}

function requireTime(name, value) {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return;
  throw new RangeError(`${name} of ${quote(value)}: expected milliseconds, at least 0`);
}

/** Throws if a value is no plain object, or has another key than those named; any, if none are. */
export function requireKeys(what, value, names = Object.keys(value ?? {})) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${what}: ${quote(value)}: expected an object`);
  }
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) {
      throw new TypeError(`${what}: ${quote(name)}: expected ${names.join(", ")}`);
    }
  }
}

/** Throws if a value is given and no function. */
export function requireFunction(what, value) {
  if (value === undefined || typeof value === "function") return;
  throw new TypeError(`${what}: ${quote(value)}: expected a function`);
}

/** Throws if a value is no text. */
export function requireText(what, value) {
  if (typeof value !== "string") throw new TypeError(`${what}: ${quote(value)}: expected a text`);
}

/** Throws if a value is given and no AbortSignal; throws the reason of one that has been aborted. */
export function requireSignal(value) {
  if (value === undefined) return;
  if (!(value instanceof AbortSignal)) {
    throw new TypeError(`signal: ${quote(value)}: expected an AbortSignal`);
  }
  value.throwIfAborted();
}

function requireDiscs(name, value, max) {
  if (typeof value === "number" && value >= 0 && value <= max) return;
  throw new RangeError(`${name} of ${quote(value)}: expected discs, 0 to ${max}`);
}

/**
 * Returns the request of a move to play: limits, in which a level may have a name, and errors. Throws if
 * one is wrong.
 */
export function checkedPlay(options) {
  requireKeys("options", options, [...LIMITS, "error", "maxError", "seed", "signal"]);
  const { error, maxError, seed = Math.floor(Math.random() * 2 ** 32), level, ...rest } = options;
  if (error !== undefined) requireDiscs("error", error, 320);
  if (maxError !== undefined) requireDiscs("maxError", maxError, 128);
  requireWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
  const name = typeof level === "string" ? level : undefined;
  const limits = checkedLimits(name === undefined ? { ...rest, level } : rest);
  return { limits, name, seed, error, maxError };
}

/** Returns the limits of a search without those left undefined. Throws if one is wrong. */
export function checkedLimits(limits) {
  requireKeys("limits", limits, [...LIMITS, "signal"]);
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (name in WHOLE_NUMBERS) {
      requireWhole(name, value, ...WHOLE_NUMBERS[name]);
    } else if (name in CHOICES) {
      if (CHOICES[name].includes(value)) continue;
      throw new RangeError(`${name} of ${quote(value)}: expected ${CHOICES[name].join(", ")}`);
    } else if (name === "focus") {
      if (typeof value === "boolean") continue;
      throw new TypeError(`focus of ${quote(value)}: expected true or false`);
    } else if (name === "clock") {
      requireKeys("clock", value, ["remainingMs", "incrementMs"]);
      requireTime("remainingMs", value.remainingMs);
      if (value.incrementMs !== undefined) requireTime("incrementMs", value.incrementMs);
    } else {
      requireTime(name, value);
    }
  }
  return Object.fromEntries(given);
}
