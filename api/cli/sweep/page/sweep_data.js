"use strict";
// The rows of the sweep, as the page asks for them.
const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.rows.map(r => ({run: r[0], workload: r[1], machine: r[2], places: r[3], status: r[4], error: r[5],
                                  metrics: r[6]}));
const metricIndex = new Map(data.metrics.map((name, i) => [name, i]));
// Axes to draw along: seeds only where nothing else differs.
const manyValued = data.axes.map((axis, i) => i).filter(i => data.axes[i].values.length > 1);
const chosenAxes = manyValued.filter(i => !data.axes[i].seed);
const wideAxes = chosenAxes.length > 0 ? chosenAxes : manyValued;
function moreIsBetter(name) { return data.more_is_better[metricIndex.get(name)] === true; }

function metricOf(row, name) {
  const value = row.metrics[metricIndex.get(name)];
  return typeof value === "number" ? value : null;
}
function stem(path) { return path.replace(/^.*[/]/, "").replace(/[.]json$/, ""); }
function placeOf(row) {
  return data.axes.map((axis, i) => axis.name + " " + axis.values[row.places[i]]).filter((text, i) => data.axes[i].values.length > 1)
      .join(", ");
}
function labelOf(row) {
  const parts = [placeOf(row)];
  if (data.machines.length > 1) parts.unshift(stem(data.machines[row.machine]));
  if (data.workloads.length > 1) parts.unshift(stem(data.workloads[row.workload]));
  return parts.filter(part => part).join(", ");
}
function shownTick(value) { return Number(value.toPrecision(6)).toLocaleString("en-US", {maximumFractionDigits: 6}); }
function shown(value) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  return size >= 1000 ? Math.round(value).toLocaleString("en-US") : size >= 100 ? value.toFixed(1) : size >= 1 ? value.toFixed(2) : value.toPrecision(3);
}
function quoted(text) { return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'"; }
// What plays this run alone.
function commandOf(row) {
  const words = ["fenceline", "run", data.workloads[row.workload]];
  const machine = data.machines[row.machine];
  if (machine) words.push("--machine", machine);
  for (const set of data.set) words.push("--set", set);
  data.axes.forEach((axis, i) => {
    const value = axis.values[row.places[i]];
    if (axis.seed) words.push("--seed", value);
    else words.push("--set", axis.pointer + "=" + value);
  });
  if (data.limit_us) words.push("--limit-us", String(data.limit_us));
  return words.map(quoted).join(" ");
}
function linkOf(row) {
  return data.link ? "runs/" + String(row.run).padStart(6, "0") + "/" + data.link : null;
}
// The latencies of one kind: metrics whose names differ in the quantile alone.
function families() {
  const found = new Map();
  for (const name of data.metrics) {
    const parts = name.match(/^(.*)_(p50|p90|p99|max)_us(:.*)?$/);
    if (!parts) continue;
    const key = parts[1] + (parts[3] || "");
    if (!found.has(key)) found.set(key, {});
    found.get(key)[parts[2]] = name;
  }
  return found;
}
// None of the others is at most as large in both and smaller in one: those lowest at their x, and lower than all before.
// Where more is better, the larger one counts as the lower.
function frontierOf(points, moreX, moreY) {
  const x = p => moreX ? -p.x : p.x;
  const y = p => moreY ? -p.y : p.y;
  const sorted = points.slice().sort((a, b) => x(a) - x(b) || y(a) - y(b));
  let before = Infinity, at = null, lowest = Infinity;
  return sorted.filter(p => {
    if (x(p) !== at) {
      before = Math.min(before, lowest);
      at = x(p);
      lowest = y(p);
    }
    return y(p) === lowest && y(p) < before;
  });
}
