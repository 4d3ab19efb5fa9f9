// The pictures. Each gets an element, the rows and what to draw of them.
const frame = {width: 640, height: 360, left: 66, right: 14, top: 14, bottom: 50};
const tip = d3.select("#tip");

// The colour of an axis's value: numbers of which there are many go from blue to red.
function colour(by, place) {
  const values = by === null ? [] : data.axes[by].values;
  if (values.length <= 8) return "var(--c" + place % 8 + ")";
  const ordered = values.every(value => value !== "" && isFinite(Number(value)));
  return "hsl(" + (ordered ? 225 - 215 * place / (values.length - 1) : place * 137.5 % 360).toFixed(1) + ", 62%, 50%)";
}
// A text with room for so many letters; the whole one under the mouse.
function fit(selection, text, room) {
  const most = Math.max(2, Math.floor(room));
  if (text.length <= most) return selection.text(text);
  selection.text(text.slice(0, most - 1) + "\u2026").append("title").text(text);
  return selection;
}
const letter = 6.4; // its width
function textOf(row) {
  const lines = [labelOf(row), ""];
  data.metrics.forEach((name, i) => lines.push(name + "  " + shown(row.metrics[i])));
  if (row.error) lines.push(row.status + ": " + row.error);
  return "run " + row.run + ": " + lines.join("\n");
}
function hover(selection, text) {
  return selection
      .on("pointermove", function(d) {
        const event = d3.event;
        tip.attr("hidden", null).text(text(d));
        const box = tip.node().getBoundingClientRect();
        tip.style("left", Math.min(event.clientX + 14, innerWidth - box.width - 8) + "px")
            .style("top", Math.min(event.clientY + 14, innerHeight - box.height - 8) + "px");
      })
      .on("pointerleave", () => tip.attr("hidden", ""));
}
function clear(card) {
  const svg = d3.select(card).select("svg").attr("viewBox", "0 0 " + frame.width + " " + frame.height);
  svg.selectAll("*").remove();
  return svg;
}
// A scale of numbers along an edge: logarithmic where that shows more.
function numbers(values, range, log) {
  const finite = values.filter(v => v !== null && isFinite(v));
  const positive = finite.filter(v => v > 0);
  if (log && positive.length > 0) {
    return d3.scaleLog().domain([d3.min(positive) / 1.4, d3.max(positive) * 1.4]).range(range).clamp(true);
  }
  const top = d3.max(finite) || 1;
  return d3.scaleLinear().domain([Math.min(0, d3.min(finite) || 0), top * 1.06]).range(range).nice();
}
function ticksOf(scale, count) {
  if (!scale.base) return scale.ticks(count);
  const all = scale.ticks(count);
  const [low, high] = scale.domain();
  const tens = all.filter(v => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9);
  return high / low > 30 && tens.length > 1 ? tens : all.filter((v, i) => i % Math.ceil(all.length / count) === 0);
}
function leftAxis(svg, scale, title) {
  for (const value of ticksOf(scale, 6)) {
    const y = scale(value);
    svg.append("line").attr("class", "grid").attr("x1", frame.left).attr("x2", frame.width - frame.right).attr("y1", y).attr("y2", y);
    svg.append("text").attr("x", frame.left - 6).attr("y", y + 4).attr("text-anchor", "end").text(shownTick(value));
  }
  svg.append("text").attr("class", "title").attr("transform", "translate(13," + (frame.height - frame.bottom + frame.top) / 2 + ") rotate(-90)")
      .attr("text-anchor", "middle").text(title);
}
function bottomTitle(svg, title) {
  svg.append("text").attr("class", "title").attr("x", (frame.left + frame.width - frame.right) / 2).attr("y", frame.height - 8)
      .attr("text-anchor", "middle").text(title);
}
// Without what all have in common with granularities: where there are many, names are to be short.
function shortName(axis, value) { return axis.values.length > 3 ? value.replace(/_boundary$/, "").replace(/_/g, " ") : value; }
function bandAxis(svg, scale, axis) {
  const thin = Math.ceil(axis.values.length / 16);
  const room = (thin > 1 ? thin * scale.step() : scale.bandwidth()) / letter;
  axis.values.forEach((value, i) => {
    const name = shortName(axis, value);
    const cut = name.length > room ? name.lastIndexOf(" ", room) : -1;
    const lines = cut > 0 ? [name.slice(0, cut), name.slice(cut + 1)] : [name];
    if (i % thin !== 0) return;
    lines.forEach((line, k) => fit(svg.append("text").attr("x", scale(i) + scale.bandwidth() / 2)
        .attr("y", frame.height - frame.bottom + 15 + 12 * k).attr("text-anchor", "middle"), line, room));
  });
  svg.append("line").attr("class", "axis").attr("x1", scale.range()[0]).attr("x2", frame.width - frame.right)
      .attr("y1", frame.height - frame.bottom).attr("y2", frame.height - frame.bottom);
  bottomTitle(svg, axis.name);
}
function bands(axis) {
  return d3.scaleBand().domain(d3.range(axis.values.length)).range([frame.left, frame.width - frame.right]).padding(0.12);
}
// An element that leads to its run.
function linked(svg, row, choose) {
  const link = linkOf(row);
  const anchor = svg.append("a").datum(row).attr("data-run", row.run).attr("href", link || "#run-" + row.run)
      .attr("aria-label", labelOf(row));
  if (link) {
    anchor.attr("target", "_blank").on("focus", () => choose(row)).on("pointerenter", () => choose(row));
  } else {
    anchor.on("click", () => { d3.event.preventDefault(); choose(row, true); });
  }
  return hover(anchor, textOf);
}

function drawLatency(card, some, by, other, family, choose) {
  const svg = clear(card);
  const axis = data.axes[by];
  const names = ["p50", "p90", "p99", "max"].map(q => family[q]).filter(name => name);
  const y = numbers(some.flatMap(row => names.map(name => metricOf(row, name))), [frame.height - frame.bottom, frame.top], true);
  leftAxis(svg, y, "microseconds");
  const x = bands(axis);
  bandAxis(svg, x, axis);
  d3.range(axis.values.length).forEach(place => {
    const here = some.filter(row => row.places[by] === place);
    const within = d3.scaleBand().domain(d3.range(here.length)).range([x(place), x(place) + x.bandwidth()]).padding(0.2);
    here.forEach((row, i) => {
      const values = names.map(name => metricOf(row, name));
      if (values.some(v => v === null)) return;
      const ink = colour(other, other === null ? 0 : row.places[other]);
      const middle = within(i) + within.bandwidth() / 2;
      const half = Math.min(within.bandwidth() / 2, 9);
      const mark = linked(svg, row, choose);
      mark.append("rect").attr("x", within(i)).attr("width", within.bandwidth()).attr("y", frame.top)
          .attr("height", frame.height - frame.bottom - frame.top).attr("fill", "transparent");
      const at = values.map(v => v > 0 ? y(v) : y.range()[0]);
      mark.append("line").attr("x1", middle).attr("x2", middle).attr("y1", at[0]).attr("y2", at[at.length - 1])
          .attr("stroke", ink).attr("stroke-width", 2);
      at.slice(1).forEach(v => mark.append("line").attr("x1", middle - half).attr("x2", middle + half).attr("y1", v).attr("y2", v)
          .attr("stroke", ink).attr("stroke-width", 2));
      mark.append("circle").attr("cx", middle).attr("cy", at[0]).attr("r", Math.min(4, half + 1)).attr("fill", ink);
    });
  });
}

function drawPareto(card, some, other, xName, yName, choose) {
  const svg = clear(card);
  const points = some.map(row => ({row: row, x: metricOf(row, xName), y: metricOf(row, yName)}))
      .filter(p => p.x !== null && p.y !== null);
  const x = numbers(points.map(p => p.x), [frame.left + 10, frame.width - frame.right - 8], false);
  const y = numbers(points.map(p => p.y), [frame.height - frame.bottom - 8, frame.top + 4], points.every(p => p.y > 0));
  const direction = name => name + (moreIsBetter(name) ? " (more is better)" : "");
  leftAxis(svg, y, direction(yName));
  for (const value of ticksOf(x, 6)) {
    svg.append("line").attr("class", "grid").attr("x1", x(value)).attr("x2", x(value)).attr("y1", frame.top)
        .attr("y2", frame.height - frame.bottom);
    svg.append("text").attr("x", x(value)).attr("y", frame.height - frame.bottom + 15).attr("text-anchor", "middle").text(shownTick(value));
  }
  bottomTitle(svg, direction(xName));
  const moreX = moreIsBetter(xName);
  const frontier = frontierOf(points, moreX, moreIsBetter(yName)).sort((a, b) => a.x - b.x || a.y - b.y || a.row.run - b.row.run);
  const on = new Set(frontier.map(p => p.row.run));
  svg.attr("data-frontier", frontier.map(p => p.row.run).join(","));
  const path = frontier.map((p, i) => (i === 0 ? "M" + x(p.x) + "," + y(p.y) : moreX ? "V" + y(p.y) + "H" + x(p.x) : "H" + x(p.x) + "V" + y(p.y))).join("");
  if (path) svg.append("path").attr("class", "frontier").attr("d", path);
  for (const p of points) {
    linked(svg, p.row, choose).append("circle").attr("cx", x(p.x)).attr("cy", y(p.y)).attr("r", on.has(p.row.run) ? 6 : 4.5)
        .attr("fill", colour(other, other === null ? 0 : p.row.places[other])).attr("fill-opacity", on.has(p.row.run) ? 1 : 0.55)
        .attr("class", on.has(p.row.run) ? "on-frontier" : null);
  }
  const different = [];
  for (const p of frontier) {
    const last = different[different.length - 1];
    if (!last || last.x !== p.x || last.y !== p.y) different.push({x: p.x, y: p.y, count: 1, row: p.row});
    else ++last.count;
  }
  d3.select(card).select(".note").text("Frontier, " + frontier.length + " of " + points.length + " runs: " +
      different.slice(0, 6).map(p => placeOf(p.row) + (p.count > 1 ? " and " + (p.count - 1) + " more" : "") + " (" + shown(p.y) + " at " +
                                     shown(p.x) + ")").join("; ") + (different.length > 6 ? "; ..." : ""));
}

function drawHeat(card, some, down, across, name) {
  const svg = clear(card);
  const rowsAxis = data.axes[down];
  const columnsAxis = data.axes[across];
  const left = 150;
  const x = d3.scaleBand().domain(d3.range(columnsAxis.values.length)).range([left, frame.width - frame.right]).padding(0.03);
  const y = d3.scaleBand().domain(d3.range(rowsAxis.values.length)).range([frame.top, frame.height - frame.bottom]).padding(0.03);
  const cells = [];
  d3.range(rowsAxis.values.length).forEach(r => d3.range(columnsAxis.values.length).forEach(c => {
    const values = some.filter(row => row.places[down] === r && row.places[across] === c).map(row => metricOf(row, name)).filter(v => v !== null);
    if (values.length > 0) cells.push({r: r, c: c, value: d3.median(values), count: values.length});
  }));
  const all = cells.map(cell => cell.value);
  const positive = all.filter(v => v > 0);
  const wide = positive.length > 0 && d3.max(positive) / d3.min(positive) > 50;
  const scale = wide ? d3.scaleLog().domain([d3.min(positive), d3.max(positive)]).clamp(true)
                     : d3.scaleLinear().domain([d3.min(all) || 0, d3.max(all) === d3.min(all) ? (d3.max(all) || 0) + 1 : d3.max(all)]);
  scale.range([0.06, 1]);
  for (const cell of cells) {
    const share = wide && cell.value <= 0 ? 0.02 : scale(cell.value);
    const mark = svg.append("g").datum(cell);
    mark.append("rect").attr("x", x(cell.c)).attr("y", y(cell.r)).attr("width", x.bandwidth()).attr("height", y.bandwidth())
        .attr("rx", 3).attr("fill", "var(--high)").attr("fill-opacity", share);
    const fits = y.bandwidth() >= 12 && x.bandwidth() >= shown(cell.value).length * letter;
    if (fits) mark.append("text").attr("class", "value").attr("x", x(cell.c) + x.bandwidth() / 2).attr("y", y(cell.r) + y.bandwidth() / 2 + 4)
        .attr("text-anchor", "middle").style("fill", share > 0.55 ? "var(--page)" : "var(--text)").text(shown(cell.value));
    hover(mark, d => rowsAxis.name + " " + rowsAxis.values[d.r] + "\n" + columnsAxis.name + " " + columnsAxis.values[d.c] + "\n" + name + "  " +
                     shown(d.value) + (d.count > 1 ? "\nmedian of " + d.count + " runs" : ""));
  }
  const thin = Math.max(1, Math.ceil(12 / y.step()));
  rowsAxis.values.forEach((value, i) => i % thin === 0 && fit(svg.append("text").attr("x", left - 6)
      .attr("y", y(i) + y.bandwidth() / 2 + 4).attr("text-anchor", "end"), shortName(rowsAxis, value), (left - 24) / letter));
  bandAxis(svg, x, columnsAxis);
  svg.append("text").attr("class", "title").attr("transform", "translate(11," + (frame.height - frame.bottom + frame.top) / 2 + ") rotate(-90)")
      .attr("text-anchor", "middle").text(rowsAxis.name);
}

function drawBars(card, some, by, other, name, choose) {
  const svg = clear(card);
  const axis = data.axes[by];
  const y = numbers(some.map(row => metricOf(row, name)).concat([0]), [frame.height - frame.bottom, frame.top], false);
  leftAxis(svg, y, name);
  const x = bands(axis);
  bandAxis(svg, x, axis);
  d3.range(axis.values.length).forEach(place => {
    const here = some.filter(row => row.places[by] === place && metricOf(row, name) !== null);
    const within = d3.scaleBand().domain(d3.range(here.length)).range([x(place), x(place) + x.bandwidth()]).padding(0.1);
    here.forEach((row, i) => {
      const top = y(metricOf(row, name));
      const mark = linked(svg, row, choose);
      mark.append("rect").attr("x", within(i)).attr("width", within.bandwidth()).attr("y", Math.min(top, y(0) - 2))
          .attr("height", Math.max(2, y(0) - top)).attr("fill", colour(other, other === null ? 0 : row.places[other]));
    });
  });
}
