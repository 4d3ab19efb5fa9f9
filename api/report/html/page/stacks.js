// SPDX-License-Identifier: Apache-2.0
// Queues as GPUView draws them: what came first is at the bottom, and all others come down when it goes.

/// Times of one colour in a level, with what they cover up to each.
class Part {
  constructor(item) { this.item = item; this.from = []; this.to = []; this.covered = [0]; }
  add(from, to) {
    this.from.push(from);
    this.to.push(to);
    this.covered.push(this.covered[this.covered.length - 1] + to - from);
  }
  /// How much of the time between the two is covered.
  covers(from, to) {
    const first = above(this.to, from);
    const behind = above(this.from, to, first);
    if (behind <= first) return 0;
    return this.covered[behind] - this.covered[first] - Math.max(0, from - this.from[first]) -
      Math.max(0, this.to[behind - 1] - to);
  }
}

/// What has one colour.
function colourKey(item) {
  return item.kind === "packet" ? item.context : item.kind === "frame" ? `frame ${item.frame % 2}` : item.kind + "\n";
}

/// Things of one level, one after the other.
class Level {
  constructor() { this.from = []; this.to = []; this.items = []; }
  add(from, to, item) {
    if (to <= from) return;
    this.from.push(from);
    this.to.push(to);
    this.items.push(item);
    this.parts = null;
  }
  /// The index of the first that ends after `time`.
  first(time) { return above(this.to, time); }
  at(time) {
    const i = this.first(time);
    return i < this.from.length && this.from[i] <= time ? i : -1;
  }
  /// Whether any of a set is among the things from index `i` to before `next`.
  has(set, i, next) {
    if (this.countsOf !== set) {
      this.countsOf = set;
      this.counts = new Uint32Array(this.items.length + 1);
      this.items.forEach((item, j) => { this.counts[j + 1] = this.counts[j] + (set.has(item) ? 1 : 0); });
    }
    return this.counts[next] > this.counts[i];
  }
  /// By colour, of the things from index `i` to before `next`: of few their own, of many those of the whole level.
  partsOf(i, next) {
    if (!this.parts) {
      this.parts = new Map();
      this.items.forEach((item, j) => made(this.parts, colourKey(item), () => new Part(item)).add(this.from[j], this.to[j]));
    }
    const first = i > 0 ? i - 1 : i; // one that began before may reach in
    if (next - first >= this.parts.size) return this.parts.values();
    return new Set(this.items.slice(first, next).map(item => this.parts.get(colourKey(item))));
  }
}

/// `events`: {at, add: item} and {at, remove: item}. Levels from the bottom, so many at most; what stands above them is
/// a number over time.
function stacked(events, most, end) {
  events.sort((a, b) => a.at - b.at);
  const stack = [];
  const levels = [];
  const open = []; // by level: {item, since}
  const above = {at: [], count: []};
  const settle = at => {
    for (let i = 0; i < Math.min(most, Math.max(stack.length, open.length)); ++i) {
      const item = i < stack.length ? stack[i] : null;
      if (open[i] && open[i].item === item) continue;
      if (open[i]) levels[i].add(open[i].since, at, open[i].item);
      if (item && i === levels.length) levels.push(new Level());
      open[i] = item ? {item, since: at} : null;
    }
    while (open.length > 0 && open[open.length - 1] === null) open.pop();
    const count = Math.max(0, stack.length - most);
    const last = above.count.length > 0 ? above.count[above.count.length - 1] : 0;
    if (count !== last) {
      above.at.push(at);
      above.count.push(count);
    }
  };
  for (let i = 0; i < events.length;) {
    const at = events[i].at;
    for (; i < events.length && events[i].at === at; ++i) {
      if (events[i].add) {
        stack.push(events[i].add);
      } else {
        const place = stack.indexOf(events[i].remove);
        if (place >= 0) stack.splice(place, 1);
      }
    }
    settle(at);
  }
  stack.length = 0;
  settle(end);
  return {levels, above, most: above.count.reduce((a, b) => Math.max(a, b), 0)};
}

/// A hardware queue's submissions and interrupts as events of its stack.
function hardwareEvents(model, node, queue) {
  const events = [];
  let held = []; // {item, fence}
  const remove = (at, gone) => {
    for (const one of held.filter(gone)) events.push({at, remove: one.item});
    held = held.filter(one => !gone(one));
  };
  const resets = model.recoveries.filter(
    one => (one.step === "engine_reset" && one.node === node.name) || one.step === "adapter_reset");
  const all = queue.events.concat(resets.map(one => ({at: one.at, what: "reset"})));
  for (const request of node.preemptions) {
    if (request.queue === queue.index && request.answered) all.push({at: request.known, what: "answered", request});
  }
  all.sort((a, b) => a.at - b.at);
  for (const one of all) {
    if (one.what === "submission") {
      const item = model.packet(one.packet);
      held.push({item, fence: one.fence});
      events.push({at: one.at, add: item});
    } else if (one.what === "request") {
      held.push({item: one.request, fence: Infinity});
      events.push({at: one.at, add: one.request});
    } else if (one.what === "answered") {
      remove(one.at, other => other.item === one.request);
    } else if (one.what === "completed") {
      remove(one.at, other => other.fence <= one.fence);
    } else if (one.what === "preempted") {
      remove(one.at, other => other.item.kind === "packet" && other.fence > one.fence);
    } else {
      remove(one.at, () => true);
    }
  }
  return events;
}

/// Life of a context's packets in its software queue.
function softwareEvents(context) {
  const events = [];
  for (const packet of context.packets) {
    events.push({at: packet.submitted, add: packet});
    events.push({at: packet.completed, remove: packet});
  }
  return events;
}
