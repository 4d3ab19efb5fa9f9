// SPDX-License-Identifier: Apache-2.0
// What can be searched for and stepped through.

/// All that can be found and gone to, by time: {item, at, end, text}.
function thingsOf(model) {
  const things = [];
  const add = (item, at, end, ...texts) => things.push({item, at, end, text: texts.join(" ").toLowerCase(),
    queue: item.kind === "packet" ? model.shown(item.context).toLowerCase() : ""});
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
    for (const one of chain.frames) add(one, one.shown, one.left, "frame", one.frame, one.fate, model.shown(chain.name),
      one.missed.length > 0 ? "missed" : "");
  }
  return things.sort((a, b) => a.at - b.at);
}

/// What a text asks for: words that a thing has, and `queue:NAME`, packets of just that queue. Names have blanks: the
/// longest name of a queue that follows is meant.
function searchOf(model, text) {
  let rest = text.trim().toLowerCase();
  let queue = null;
  const at = rest.indexOf("queue:");
  if (at >= 0) {
    const behind = rest.slice(at + 6).trimStart();
    const names = [...model.contexts.keys()].map(name => model.shown(name).toLowerCase())
      .filter(name => behind === name || behind.startsWith(name + " ")).sort((a, b) => b.length - a.length);
    queue = names.length > 0 ? names[0] : behind.split(/\s/)[0];
    rest = rest.slice(0, at) + " " + behind.slice(queue.length);
  }
  const words = rest.split(/\s+/).filter(Boolean);
  const matches = thing => (queue === null || thing.queue === queue) && words.every(word => thing.text.includes(word));
  return {words: queue === null ? words : ["queue:" + queue, ...words], matches};
}

/// When a missed deadline or frame was to be there.
function momentOf(row) { return row.kind === "frame" ? row.missed[0] : row.due; }

/// Deadlines that were missed, and frames that came vertical blanks late, by time.
function missedOf(model) {
  const missed = [...model.deadlines.values()].flat().filter(row => row.missed);
  for (const chain of model.chains.values()) missed.push(...chain.frames.filter(frame => frame.missed.length > 0));
  return missed.sort((a, b) => momentOf(a) - momentOf(b));
}

/// How many deadlines are due where the picture does not reach; empty: none.
function dueLaterText(model) {
  const later = [...model.deadlines.values()].flat().filter(row => row.due > model.end).length;
  return later > 0 ? `${countText(later)} due after the end` : "";
}
