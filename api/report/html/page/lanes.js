// SPDX-License-Identifier: Apache-2.0
// The rows of the picture, from the top down. Their order follows names, so that two runs of one workload look alike.

const mostHardwareLevels = 6;
const mostSoftwareLevels = 8;

function byName(a, b) { return a.localeCompare(b, "en", {numeric: true}); }

function inOrder(map) { return [...map.keys()].sort(byName); }

function lanesOf(model) {
  const lanes = [];
  const heading = text => lanes.push({kind: "heading", title: text, height: 24});

  if (model.deadlines.size > 0) {
    heading("Deadlines");
    for (const name of inOrder(model.deadlines)) {
      const rows = model.deadlines.get(name);
      lanes.push({kind: "deadlines", title: name, rows, at: rows.map(row => row.due), height: 26});
    }
  }
  if (model.recoveries.length > 0) {
    heading("Timeouts and resets");
    const at = model.recoveries.map(row => row.at);
    lanes.push({kind: "recovery", title: "steps", rows: model.recoveries, at, height: 26});
  }
  if (model.chains.size > 0) {
    heading("Screens");
    for (const name of inOrder(model.chains)) lanes.push(screenLane(model, model.chains.get(name)));
  }
  if (model.nodes.size > 0) {
    heading("Hardware queues");
    for (const name of inOrder(model.nodes)) {
      const node = model.node(name);
      const indices = [...node.queues.keys()].sort((a, b) => a - b);
      if (indices.length === 0) indices.push(0);
      for (const index of indices) lanes.push(hardwareLane(model, node, index, indices.length));
    }
  }
  const queues = inOrder(model.contexts).filter(name => model.context(name).packets.length > 0);
  if (queues.length > 0) {
    heading("Software queues");
    for (const name of queues) lanes.push(softwareLane(model, model.context(name)));
  }
  if (model.workers.size > 0) {
    heading("CPU");
    for (const name of inOrder(model.workers)) {
      const level = new Level();
      for (const task of model.workers.get(name)) level.add(task.start, task.end, task);
      lanes.push({kind: "tasks", title: model.shown(name), subtitle: coresOf(model.workers.get(name)), levels: [level],
        leastBox: 18, top: 5});
    }
  }
  return lanes;
}

/// The processors that a worker ran on: "core 2", "cores 0 to 3"; empty: nobody said.
function coresOf(tasks) {
  const cores = [...new Set(tasks.map(one => one.processor).filter(one => one >= 0))].sort((a, b) => a - b);
  if (cores.length === 0) return "";
  if (cores.length === 1) return `core ${cores[0]}`;
  const all = cores[cores.length - 1] - cores[0] === cores.length - 1;
  return "cores " + (all ? `${cores[0]} to ${cores[cores.length - 1]}` : cores.join(", "));
}

/// Gives every row its place, and the rows of queues more height where there is room; the answer is how high all are.
function laidOut(lanes, room) {
  const stretched = factor => lanes.reduce((sum, lane) => sum + heightOf(lane, factor), 0);
  let factor = 1;
  while (factor < 1.8 && stretched(factor + 0.1) < room - 20) factor += 0.1;
  let y = 0;
  for (const lane of lanes) {
    lane.y = y;
    lane.height = heightOf(lane, factor);
    if (lane.leastBox) lane.boxHeight = Math.round(lane.leastBox * factor);
    y += lane.height;
  }
  return y;
}

function heightOf(lane, factor) {
  if (!lane.leastBox) return lane.height;
  return lane.top + Math.max(1, lane.levels.length) * (Math.round(lane.leastBox * factor) + 1) + 6;
}

function screenLane(model, chain) {
  const shown = new Level();
  const discarded = [];
  for (const frame of chain.frames) {
    if (frame.fate === "discarded") discarded.push(frame); else shown.add(frame.shown, frame.left, frame);
  }
  const late = chain.frames.filter(one => one.missed.length > 0);
  return {kind: "screen", title: leafOf(model, chain), subtitle: model.shown(chain.output), chain, levels: [shown],
    discarded, missed: late.flatMap(one => one.missed), vblanks: model.vblanks.get(chain.output) || [], leastBox: 20, top: 12};
}

function hardwareLane(model, node, index, count) {
  const queue = node.queues.get(index) || {index, events: []};
  const events = hardwareEvents(model, node, queue);
  if (events.length === 0) { // nobody told of submissions
    for (const packet of model.packets.values()) {
      if (packet.node !== node.name) continue;
      for (const [from, to] of packet.runs) events.push({at: from, add: packet}, {at: to, remove: packet});
    }
  }
  const stack = stacked(events, mostHardwareLevels, model.end);
  const strip = 12;
  const moves = node.moves.slice().sort((a, b) => a.start - b.start);
  const requests = node.preemptions.filter(one => one.queue === index).sort((a, b) => a.requested - b.requested);
  const more = stack.most > 0 ? 10 : 0;
  return {kind: "hardware", node, index, title: model.shown(node.name), subtitle: count > 1 ? `queue ${index}` : "",
    levels: stack.levels, above: stack.above, mostAbove: stack.most, moves, requests, strip, leastBox: 20,
    top: 6 + strip + more};
}

function softwareLane(model, context) {
  const stack = stacked(softwareEvents(context), mostSoftwareLevels, model.end);
  const more = stack.most > 0 ? 10 : 0;
  const band = bands[context.band] || "";
  return {kind: "software", context, title: model.shown(context.name), subtitle: band, levels: stack.levels,
    above: stack.above, mostAbove: stack.most, leastBox: stack.levels.length > 4 ? 12 : 15, top: 5 + more};
}

/// The top of a level, counted from the lane's.
function levelTop(lane, level) {
  const rows = Math.max(1, lane.levels.length);
  return lane.top + (rows - 1 - level) * (lane.boxHeight + 1);
}
