// What is chosen, the table, and the address that keeps both.
const state = new URLSearchParams(location.hash.slice(1));
const mostRows = 5000;

function firstOf(names, patterns) {
  for (const pattern of patterns) {
    const found = names.find(name => pattern.test(name));
    if (found) return found;
  }
  return names[0];
}
function pick(id, options, usual) {
  const wished = state.get(id);
  const select = d3.select("#" + id);
  select.selectAll("option").data(options).enter().append("option").attr("value", d => d[0]).text(d => d[1]);
  select.property("value", options.some(d => d[0] === wished) ? wished : usual);
  d3.select(select.node().parentNode).attr("hidden", options.length > 1 ? null : "");
  select.on("change", function() { state.set(id, this.value); keep(); draw(); });
}
function chosen(id) { return d3.select("#" + id).property("value"); }
function keep() { history.replaceState(null, "", "#" + state.toString()); }

function choose(row, scroll) {
  const box = d3.select("#chosen").attr("hidden", null);
  box.selectAll("*").remove();
  box.append("p").text("Run " + row.run + ": " + labelOf(row) + (row.error ? " - " + row.status + ": " + row.error : ""));
  box.append("code").text(commandOf(row));
  d3.selectAll("#table tbody tr").classed("chosen", d => d === row);
  const line = document.getElementById("run-" + row.run);
  if (scroll && line) line.scrollIntoView({block: "center"});
}

const columns = [{name: "run", number: true, of: row => row.run}];
if (data.workloads.length > 1) columns.push({name: "workload", of: row => stem(data.workloads[row.workload])});
if (data.machines.length > 1) columns.push({name: "machine", of: row => stem(data.machines[row.machine])});
data.axes.forEach((axis, i) => columns.push({name: axis.name, of: row => axis.values[row.places[i]], order: row => row.places[i]}));
columns.push({name: "status", of: row => row.status});
data.metrics.forEach((name, i) => columns.push({name: name, number: true, of: row => row.metrics[i]}));

function drawTable() {
  const by = columns.find(column => column.name === state.get("sort")) || columns[0];
  const down = state.get("order") === "down";
  const key = by.order || by.of;
  const sorted = rows.slice().sort((a, b) => {
    const left = key(a), right = key(b);
    if (left === null || right === null) return (left === null) - (right === null) || a.run - b.run;
    return (left < right ? -1 : left > right ? 1 : 0) * (down ? -1 : 1) || a.run - b.run;
  });
  const head = d3.select("#table thead tr");
  head.selectAll("th").remove();
  head.selectAll("th").data(columns).enter().append("th").attr("class", d => d.number ? "number" : null)
      .attr("aria-sort", d => d === by ? (down ? "descending" : "ascending") : "none").append("button")
      .text(d => d.name + (d === by ? (down ? " \u2193" : " \u2191") : "")).on("click", d => {
        state.set("order", d === by && !down ? "down" : "up");
        state.set("sort", d.name);
        keep();
        drawTable();
      });
  const body = d3.select("#table tbody");
  body.selectAll("tr").remove();
  const lines = body.selectAll("tr").data(sorted.slice(0, mostRows)).enter().append("tr").attr("id", d => "run-" + d.run)
      .on("click", row => choose(row));
  for (const column of columns) {
    const cells = lines.append("td").attr("class", column.number ? "number" : null);
    if (column.name === "run" && data.link) {
      cells.append("a").attr("href", linkOf).text(row => row.run);
    } else if (column.name === "status") {
      cells.attr("class", row => row.status === "done" ? null : "failed").attr("title", row => row.error).text(row => row.status);
    } else {
      cells.text(row => column.number ? shown(column.of(row)) : column.of(row));
    }
  }
  d3.select("#more").attr("hidden", rows.length > mostRows || data.total > rows.length ? null : "")
      .text("Shown: " + Math.min(rows.length, mostRows) + " of " + data.total + " runs; results.csv and results.sqlite have all.");
}

function draw() {
  const workload = Number(chosen("workload"));
  const machine = Number(chosen("machine"));
  const some = rows.filter(row => row.workload === workload && row.machine === machine);
  const by = wideAxes.length > 0 ? Number(chosen("by")) : 0;
  const others = wideAxes.filter(i => i !== by);
  const other = others.length > 0 ? (others.includes(Number(chosen("colour"))) ? Number(chosen("colour")) : others[0]) : null;
  if (other !== null) d3.select("#colour").property("value", String(other));
  d3.selectAll(".legend").each(function() {
    const legend = d3.select(this);
    legend.selectAll("*").remove();
    if (other === null) return;
    legend.append("span").text(data.axes[other].name + ":");
    data.axes[other].values.slice(0, 24).forEach((value, i) => {
      const entry = legend.append("span");
      entry.append("i").style("background", colour(other, i));
      entry.append("span").text(value);
    });
  });
  const can = wideAxes.length > 0 && data.metrics.length > 0 && some.length > 0;
  const all = families();
  d3.select("#latency-card").attr("hidden", can && all.size > 0 ? null : "");
  d3.select("#pareto-card").attr("hidden", can && data.metrics.length > 1 ? null : "");
  d3.select("#heat-card").attr("hidden", can && wideAxes.length > 1 ? null : "");
  d3.select("#bars-card").attr("hidden", can ? null : "");
  if (!can) return;
  if (all.size > 0) drawLatency("#latency-card", some, by, other, all.get(chosen("family")), choose);
  if (data.metrics.length > 1) drawPareto("#pareto-card", some, other, chosen("x"), chosen("y"), choose);
  if (wideAxes.length > 1) drawHeat("#heat-card", some, by, other, chosen("heat"));
  drawBars("#bars-card", some, by, other, chosen("bars"), choose);
}

const numbered = list => list.map((name, i) => [String(i), stem(name)]);
const named = list => list.map(name => [name, name]);
pick("workload", numbered(data.workloads), "0");
pick("machine", numbered(data.machines), "0");
pick("by", wideAxes.map(i => [String(i), data.axes[i].name]), String(wideAxes[0]));
pick("colour", wideAxes.map(i => [String(i), data.axes[i].name]), String(wideAxes[1]));
const kinds = Array.from(families().keys());
pick("family", named(kinds), firstOf(kinds, [/urgent/, /queue/, /preemption/]));
pick("x", named(data.metrics), firstOf(data.metrics, [/lost/, /makespan/]));
const rest = data.metrics.filter(name => name !== chosen("x"));
pick("y", named(data.metrics), firstOf(rest.length > 0 ? rest : data.metrics,
  [/urgent.*p99/, /queue_p99/, /late/, /preemption_p99/, /_us/]));
pick("heat", named(data.metrics), firstOf(data.metrics, [/urgent.*p99/, /queue_p99/, /preemption_p99/, /makespan/]));
pick("bars", named(data.metrics), firstOf(data.metrics, [/missed/, /late/, /makespan/]));
const controls = d3.selectAll("#controls label");
d3.select("#controls").attr("hidden", controls.nodes().every(one => one.hidden) ? "" : null);
drawTable();
draw();
document.documentElement.dataset.ready = "true";
