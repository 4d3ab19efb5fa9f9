// SPDX-License-Identifier: Apache-2.0
// What is drawn besides boxes: deadlines, vertical blanks, preemption, resets, arrows of fences, reasons.

/// Calls `draw` for each time in view, but once for times that are on the same pixel; `draw` gets the first index and
/// the one behind the last of these.
function eachMark(painter, times, least, draw) {
  for (let i = above(times, painter.view.from - 1e-9); i < times.length && times[i] <= painter.view.to;) {
    const x = painter.x(times[i]);
    const next = Math.max(i + 1, above(times, painter.time(x + least), i));
    draw(x, i, next);
    i = next;
  }
}

function paintDeadlines(painter, lane, y) {
  const {c, look} = painter;
  const middle = y + lane.height / 2;
  // How late: a line to when it was reached.
  const late = lane.rows.length < 20000 || painter.view.to - painter.view.from < painter.model.end / 10;
  const first = Math.max(0, above(lane.at, painter.view.from) - 50);
  for (let i = first; late && i < lane.rows.length && lane.at[i] <= painter.view.to; ++i) {
    const row = lane.rows[i];
    if (!row.missed) continue;
    const end = row.reached === null ? painter.model.end : row.reached;
    c.fillStyle = look.missed;
    c.globalAlpha = 0.4 * painter.dimness(row);
    c.fillRect(painter.x(row.due), middle - 2, Math.max(1, painter.x(end) - painter.x(row.due)), 4);
  }
  eachMark(painter, lane.at, 4, (x, from, to) => {
    let row = lane.rows[from];
    for (let i = from; i < to && !row.missed; ++i) row = lane.rows[i];
    if (lane.rows.slice(from, to).includes(painter.selected)) row = painter.selected;
    c.globalAlpha = painter.dimness(row);
    const size = row === painter.selected || row === painter.hovered ? 8 : 6;
    if (row.missed) {
      c.strokeStyle = look.missed;
      c.lineWidth = size > 6 ? 3.5 : 2.5;
      c.beginPath();
      c.moveTo(x - size + 1, middle - size + 1);
      c.lineTo(x + size - 1, middle + size - 1);
      c.moveTo(x - size + 1, middle + size - 1);
      c.lineTo(x + size - 1, middle - size + 1);
      c.stroke();
    } else {
      c.fillStyle = look.met;
      c.beginPath();
      c.moveTo(x, middle - size);
      c.lineTo(x + size, middle);
      c.lineTo(x, middle + size);
      c.lineTo(x - size, middle);
      c.fill();
    }
  });
  c.globalAlpha = 1;
}

const timeoutSteps = ["timeout", "page_fault", "bugcheck", "device_removed"];

function paintSteps(painter, lane, y) {
  const {c, look} = painter;
  const middle = y + lane.height / 2;
  eachMark(painter, lane.at, 3, (x, from, to) => {
    const rows = lane.rows.slice(from, to);
    const row = rows.find(one => timeoutSteps.includes(one.step)) || rows[0];
    c.fillStyle = timeoutSteps.includes(row.step) ? look.missed : look.preempted;
    c.globalAlpha = painter.dimness(row);
    c.beginPath();
    c.arc(x, middle, row === painter.selected ? 7 : 5, 0, 7);
    c.fill();
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "middle";
    c.fillStyle = look.text;
    const next = to < lane.at.length ? painter.x(lane.at[to]) : painter.width;
    const text = rows.length > 1 ? `${row.step} +${rows.length - 1}` : row.step;
    c.fillText(fitted(c, text, next - x - 14), x + 9, middle);
  });
  c.globalAlpha = 1;
}

/// Times during which an engine, or all of them, was being reset.
function resetsOf(model) {
  const resets = [];
  const open = new Map();
  for (const one of model.recoveries) {
    if (one.step === "engine_reset" || one.step === "adapter_reset") open.set(one.node, one.at);
    if (one.step !== "engine_reset_done" && one.step !== "adapter_reset_done") continue;
    if (open.has(one.node)) resets.push({node: one.node, start: open.get(one.node), end: one.at});
    open.delete(one.node);
  }
  return resets;
}

function paintResets(painter) {
  const {c, look, model} = painter;
  model.resets = model.resets || resetsOf(model);
  c.fillStyle = look.missed;
  for (const reset of model.resets) {
    const left = painter.x(reset.start);
    const width = Math.max(1.5, painter.x(reset.end) - left);
    if (left > painter.width || left + width < painter.gutter) continue;
    c.globalAlpha = 0.16;
    c.fillRect(left, axisHeight, width, painter.height);
  }
  for (const one of model.recoveries) {
    if (one.step !== "timeout" && one.step !== "page_fault") continue;
    const x = painter.x(one.at);
    if (x < painter.gutter || x > painter.width) continue;
    c.globalAlpha = 0.8;
    for (let y = axisHeight; y < painter.height; y += 8) c.fillRect(x - 0.5, y, 1, 4);
  }
  c.globalAlpha = 1;
}

function paintScreen(painter, lane, y) {
  const {c, look} = painter;
  c.fillStyle = look.muted;
  eachMark(painter, lane.vblanks, 2, x => c.fillRect(Math.round(x), y + 3, 1, 7));
  c.fillStyle = look.missed;
  eachMark(painter, lane.discarded.map(one => one.shown), 3, x => c.fillRect(x - 1, y + lane.height - 6, 3, 5));
  c.fillStyle = look.preempted;
  const frames = lane.levels[0];
  c.fillStyle = look.missed;
  eachMark(painter, lane.missed, 3, x => c.fillRect(x - 1.5, y + 1, 3, 10));
  c.fillStyle = look.preempted;
  eachMark(painter, frames.from, 3, (x, i) => {
    if (frames.items[i].fate === "tore") c.fillRect(x - 1, y + 2, 3, lane.height - 4);
  });
}

/// State that an engine moves, and requests to preempt, above its hardware queue.
function paintMoves(painter, lane, y) {
  const {c, look} = painter;
  const top = y + 4;
  const bar = (start, end, colour, hatched) => {
    const left = painter.x(start);
    const right = painter.x(end);
    if (right < painter.gutter || left > painter.width || end <= start) return;
    c.fillStyle = colour;
    c.globalAlpha = hatched ? 0.5 : 1;
    c.fillRect(left, top + 3, Math.max(1, right - left), lane.strip - 5);
    c.globalAlpha = 1;
  };
  const once = seenPixels(painter);
  lane.starts = lane.starts || {moves: lane.moves.map(one => one.start), requests: lane.requests.map(one => one.requested)};
  const back = 64; // one that began before the view may reach into it
  for (let i = Math.max(0, above(lane.starts.moves, painter.view.from) - back); i < lane.moves.length; ++i) {
    const move = lane.moves[i];
    if (move.start > painter.view.to) break;
    if (!once(move.kind, move.start, move.end)) continue;
    bar(move.start, move.end, move.kind === "restore" ? look.restore : move.kind === "save" ? look.save : look.switch);
  }
  for (let i = Math.max(0, above(lane.starts.requests, painter.view.from) - back); i < lane.requests.length; ++i) {
    const request = lane.requests[i];
    if (request.requested > painter.view.to) break;
    if (!once("request", request.requested, request.free)) continue;
    bar(request.requested + request.restoreWait, request.stopped, look.preempted, true);
    bar(request.stopped, request.free, look.save);
    const x = painter.x(request.requested);
    c.fillStyle = look.missed;
    c.beginPath();
    c.moveTo(x - 4, top - 2);
    c.lineTo(x + 4, top - 2);
    c.lineTo(x, top + 5);
    c.fill();
  }
}

/// Whether something of this kind would be seen behind what was drawn already.
function seenPixels(painter) {
  const last = {};
  return (kind, start, end) => {
    const pixel = Math.floor(painter.x(start));
    if (last[kind] === pixel && painter.x(end) - painter.x(start) < 1) return false;
    last[kind] = pixel;
    return true;
  };
}

/// How many stand above the levels that are drawn.
function paintAbove(painter, lane, y) {
  const {c, look} = painter;
  const {at, count} = lane.above;
  c.fillStyle = look.muted;
  const base = y + lane.top - 2;
  let column = -1;
  for (let i = Math.max(0, above(at, painter.view.from) - 1); i < at.length && at[i] < painter.view.to;) {
    const left = Math.max(painter.gutter, painter.x(at[i]));
    const right = i + 1 < at.length ? painter.x(at[i + 1]) : painter.width;
    const height = count[i] === 0 ? 0 : 2 + 6 * count[i] / lane.mostAbove;
    if (Math.floor(left) !== column || right - left >= 1) c.fillRect(left, base - height, Math.max(1, right - left), height);
    column = Math.floor(left);
    i = right - left >= 1 ? i + 1 : Math.max(i + 1, above(at, painter.time(column + 1), i) - 1);
  }
}

/// Why the first packet of a queue was not done, as a line below it.
function paintReasons(painter, packet, from, to, left, right, bottom) {
  const {c, look} = painter;
  const strip = (start, end, colour) => {
    const a = Math.max(left, painter.x(Math.max(start, from)));
    const b = Math.min(right, painter.x(Math.min(end, to)));
    if (b - a < 0.5) return;
    c.fillStyle = colour;
    c.fillRect(a, bottom - 4, b - a, 4);
  };
  strip(packet.head, packet.ready, waitsForMemory(packet) ? look.memory : look.fence);
  strip(packet.ready, packet.started, look.node);
  for (let i = 0; i + 1 < packet.runs.length; ++i) strip(packet.runs[i][1], packet.runs[i + 1][0], look.preempted);
}

const leastArrowSpace = 22; // pixels: closer together they would hide what they are about

function paintArrows(painter) {
  const {model, selected} = painter;
  painter.arrowsHidden = 0;
  const mostArrows = Math.floor(painter.plot / leastArrowSpace);
  model.arrowStarts = model.arrowStarts || model.arrows.map(one => one.start);
  const visible = [];
  const first = Math.max(0, above(model.arrowStarts, painter.view.from) - mostArrows);
  for (let i = first; i < model.arrows.length && model.arrowStarts[i] <= painter.view.to; ++i) {
    const arrow = model.arrows[i];
    if (arrow.end < painter.view.from) continue;
    const chosen = selected && (arrow.signal === selected || arrow.wait === selected);
    if (chosen) visible.push(arrow);
    else if (arrow.held) painter.arrowsHidden += visible.length < mostArrows && visible.push(arrow) ? 0 : 1;
  }
  if (painter.arrowsHidden > 0) visible.splice(0, visible.length,
    ...visible.filter(arrow => selected && (arrow.signal === selected || arrow.wait === selected)));
  for (const arrow of visible) paintArrow(painter, arrow, arrow.signal === selected || arrow.wait === selected);
}

function paintArrow(painter, arrow, bold) {
  const {c, look} = painter;
  painter.laneOf = painter.laneOf || new Map(
    painter.lanes.filter(lane => lane.kind === "software").map(lane => [lane.context.name, lane]));
  const to = painter.laneOf.get(arrow.wait.context);
  const from = arrow.signal ? painter.laneOf.get(arrow.signal.context) : null;
  if (!to) return;
  const bottomOf = lane => painter.top(lane) + levelTop(lane, 0) + lane.boxHeight / 2;
  const x0 = painter.x(arrow.start);
  const x1 = painter.x(arrow.end);
  const y1 = bottomOf(to);
  const y0 = from ? bottomOf(from) : y1 - 24; // signalled by the CPU: from above
  c.strokeStyle = c.fillStyle = bold ? look.accent : look.fence;
  c.globalAlpha = bold ? 1 : 0.65;
  c.lineWidth = bold ? 2.5 : 1.2;
  const bow = Math.min(40, 12 + Math.abs(x1 - x0) / 3);
  c.beginPath();
  c.moveTo(x0, y0);
  c.bezierCurveTo(x0 + bow, y0, x1 - bow, y1, x1, y1);
  c.stroke();
  c.beginPath();
  c.arc(x0, y0, 2.5, 0, 7);
  c.fill();
  c.beginPath();
  c.moveTo(x1 + 1, y1);
  c.lineTo(x1 - 7, y1 - 4);
  c.lineTo(x1 - 7, y1 + 4);
  c.fill();
  c.globalAlpha = 1;
}
