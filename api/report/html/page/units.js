"use strict";
// SPDX-License-Identifier: Apache-2.0
// Times are numbers of picoseconds; up to 2.5 hours they are exact.

const units = [[1e12, "s"], [1e9, "ms"], [1e6, "\u00b5s"], [1e3, "ns"], [1, "ps"]];

function unitOf(ps) {
  const size = Math.abs(ps);
  return units.find(([unit]) => size >= unit) || units[units.length - 1];
}

/// For a person: "12.38 ms".
function timeText(ps, decimals = 3) {
  const [unit, name] = unitOf(ps);
  return `${trimmed((ps / unit).toFixed(unit === 1 ? 0 : decimals))} ${name}`;
}

/// With all its digits: "12.380371429 ms".
function exactText(ps) {
  const [unit, name] = unitOf(ps);
  return `${trimmed((ps / unit).toFixed(Math.round(Math.log10(unit))))} ${name}`;
}

function trimmed(digits) {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}

/// Both ends of what is seen, with digits enough to tell them apart.
function rangeText(from, to) {
  const unit = unitOf(to)[0];
  const decimals = Math.max(3, Math.min(Math.round(Math.log10(unit)), Math.ceil(Math.log10(unit / Math.max(1, to - from))) + 2));
  return `${timeText(from, decimals)} \u2013 ${timeText(to, decimals)} (${timeText(to - from)})`;
}

/// Texts of ticks that are `step` apart, and what has to be added to all of them (empty: nothing).
function tickTexts(ticks, step) {
  if (ticks.length === 0) return {base: "", texts: []};
  const longest = Math.max(...ticks.map(Math.abs));
  const [unit, name] = unitOf(longest);
  const decimals = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));
  const digits = decimals + Math.log10(Math.max(1, longest / unit));
  if (digits < 7) return {base: "", texts: ticks.map(t => `${(t / unit).toFixed(decimals)} ${name}`)};
  // So far in that only the last digits differ.
  const coarse = Math.pow(10, Math.ceil(Math.log10(step * ticks.length)));
  const base = Math.floor(ticks[0] / coarse) * coarse;
  return {base: exactText(base), texts: ticks.map(t => "+" + timeText(t - base))};
}

function bytesText(bytes) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  for (; bytes >= 1024 && i < names.length - 1; ++i) bytes /= 1024;
  return `${trimmed(bytes.toFixed(i === 0 ? 0 : 1))} ${names[i]}`;
}

function countText(number) { return number.toLocaleString("en"); }

/// The first index from `from` on whose value is above `value`, of an array in order.
function above(values, value, from = 0, to = values.length) {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle] > value) to = middle; else from = middle + 1;
  }
  return from;
}
