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
      lanes.push({kind: "tasks", title: model.shown(name), levels: [level], leastBox: 18, top: 5});
    }
  }
  return lanes;
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
  chain.frames.sort((a, b) => a.shown - b.shown);
  for (const frame of chain.frames) {
    if (frame.fate === "discarded") discarded.push(frame); else shown.add(frame.shown, frame.left, frame);
  }
  const name = model.shown(chain.name);
  const prefix = model.shown(chain.output) + "."; // of all of them
  return {kind: "screen", title: name.startsWith(prefix) ? name.slice(prefix.length) : name, subtitle: model.shown(chain.output), chain, levels: [shown],
    discarded, vblanks: model.vblanks.get(chain.output) || [], leastBox: 20, top: 12};
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

/// All that can be found and gone to, by time: {item, at, end, text}.
function thingsOf(model) {
  const things = [];
  const add = (item, at, end, ...texts) => things.push({item, at, end, text: texts.join(" ").toLowerCase()});
  for (const one of model.packets.values()) {
    add(one, one.submitted, one.completed, model.shown(one.label), "packet", one.id, one.type, model.shown(one.context),
      model.shown(one.node), one.status, one.preemptions > 0 ? "preempted" : "");
  }
  for (const one of model.requests.values()) {
    add(one, one.requested, one.known, "preemption", one.reason, model.shown(one.node));
  }
  for (const rows of model.deadlines.values()) {
    for (const one of rows) add(one, one.due, one.due, "deadline", one.name, one.missed ? "missed" : "met");
  }
  for (const one of model.recoveries) add(one, one.at, one.at, "recovery", one.step, one.reason, one.list);
  for (const tasks of model.workers.values()) {
    for (const one of tasks) add(one, one.start, one.end, one.what, one.name);
  }
  for (const chain of model.chains.values()) {
    for (const one of chain.frames) add(one, one.shown, one.left, "frame", one.frame, one.fate, model.shown(chain.name));
  }
  return things.sort((a, b) => a.at - b.at);
}
