// SPDX-License-Identifier: Apache-2.0
// Draws the picture. What is shorter than a pixel is drawn by the column: each column costs one search, so that the cost
// of a picture follows its width, not the run's length.

const axisHeight = 34;

class Painter {
  constructor(canvas, model, lanes, look) {
    Object.assign(this, {canvas, model, lanes, look});
    this.c = canvas.getContext("2d");
    this.selected = null;
    this.hovered = null;
    this.matches = null; // a set: all others are dim
    this.arrowsHidden = 0;
  }

  resize(width, height, gutter) {
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.width = width + "px";
    this.canvas.style.height = height + "px";
    Object.assign(this, {width, height, gutter, scale, plot: width - gutter});
  }

  x(time) { return this.gutter + (time - this.view.from) / (this.view.to - this.view.from) * this.plot; }
  time(x) { return this.view.from + (x - this.gutter) / this.plot * (this.view.to - this.view.from); }

  /// `view`: {from, to, scroll}.
  paint(view) {
    this.view = view;
    const c = this.c;
    c.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    c.fillStyle = this.look.page;
    c.fillRect(0, 0, this.width, this.height);
    c.save();
    c.beginPath();
    c.rect(0, axisHeight, this.width, this.height - axisHeight);
    c.clip();
    this.paintGrid();
    for (const lane of this.lanes) {
      const y = this.top(lane);
      if (y + lane.height < axisHeight || y > this.height) continue;
      this.paintLane(lane, y);
    }
    c.beginPath();
    c.rect(this.gutter, axisHeight, this.plot, this.height - axisHeight);
    c.clip();
    paintResets(this);
    paintArrows(this);
    this.paintOver();
    this.paintCursor();
    c.restore();
    this.paintNames();
    this.paintAxis();
  }

  /// Pale where the run is over, on an axis that goes on.
  paintOver() {
    const {c, look, model} = this;
    if (model.over === undefined || model.over >= this.view.to) return;
    const x = Math.max(this.gutter, this.x(model.over));
    c.globalAlpha = 0.7;
    c.fillStyle = look.panel;
    c.fillRect(x, axisHeight, this.width - x, this.height - axisHeight);
    c.globalAlpha = 1;
    c.fillStyle = look.muted;
    c.fillRect(x, axisHeight, 1, this.height - axisHeight);
  }

  top(lane) { return axisHeight + lane.y - this.view.scroll; }

  paintGrid() {
    const {c, look} = this;
    this.ticks = d3.ticks(this.view.from, this.view.to, Math.max(2, this.plot / 120));
    c.fillStyle = look.line;
    c.globalAlpha = 0.6;
    for (const tick of this.ticks) c.fillRect(Math.round(this.x(tick)), axisHeight, 1, this.height);
    c.globalAlpha = 1;
  }

  paintAxis() {
    const {c, look, ticks} = this;
    c.fillStyle = look.panel;
    c.fillRect(0, 0, this.width, axisHeight);
    c.fillStyle = look.line;
    c.fillRect(0, axisHeight - 1, this.width, 1);
    // Where in the run this is.
    const end = this.model.end;
    c.fillStyle = look.line;
    c.fillRect(this.gutter, 0, this.plot, 4);
    c.fillStyle = look.accent;
    const from = this.gutter + this.view.from / end * this.plot;
    c.fillRect(from, 0, Math.max(3, (this.view.to - this.view.from) / end * this.plot), 4);
    const {base, texts} = tickTexts(ticks, ticks.length > 1 ? ticks[1] - ticks[0] : 1);
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    c.fillStyle = look.muted;
    for (let i = 0; i < ticks.length; ++i) {
      const x = this.x(ticks[i]);
      c.fillRect(Math.round(x), axisHeight - 7, 1, 6);
      const width = c.measureText(texts[i]).width;
      if (x + 5 + width < this.width) c.fillText(texts[i], x + 5, 20);
    }
    if (base) {
      c.fillStyle = look.panel;
      c.fillRect(0, 4, this.gutter, axisHeight - 5);
      c.fillStyle = look.text;
      c.fillText(base, 10, 20, this.gutter - 14);
    }
  }

  paintNames() {
    const {c, look} = this;
    c.fillStyle = look.panel;
    c.fillRect(0, axisHeight, this.gutter, this.height);
    c.save();
    c.beginPath();
    c.rect(0, axisHeight, this.width, this.height - axisHeight);
    c.clip();
    for (const lane of this.lanes) {
      const y = this.top(lane);
      if (y + lane.height < axisHeight || y > this.height) continue;
      if (lane.kind === "heading") {
        c.font = "600 11px system-ui, sans-serif";
        c.fillStyle = look.muted;
        c.textBaseline = "alphabetic";
        c.fillText(lane.title.toUpperCase(), 10, y + 17);
        continue;
      }
      c.textBaseline = "middle";
      c.font = "13px system-ui, sans-serif";
      const middle = y + lane.height / 2;
      let left = 12;
      if (lane.context) {
        c.fillStyle = look.of(lane.context.name);
        c.fillRect(4, y + 3, 4, lane.height - 6);
      }
      c.fillStyle = look.text;
      const two = lane.subtitle && lane.height >= 32;
      c.fillText(fitted(c, lane.title, this.gutter - left - 6), left, two ? middle - 7 : middle);
      if (two) {
        c.font = "11px system-ui, sans-serif";
        c.fillStyle = look.muted;
        c.fillText(fitted(c, lane.subtitle, this.gutter - left - 6), left, middle + 8);
      }
    }
    c.restore();
    c.fillStyle = look.line;
    c.fillRect(this.gutter - 1, 0, 1, this.height);
  }

  paintLane(lane, y) {
    const {c, look} = this;
    c.fillStyle = look.line;
    if (lane.kind === "heading") {
      c.fillStyle = look.panel;
      c.fillRect(0, y, this.width, lane.height);
      return;
    }
    c.globalAlpha = 0.7;
    c.fillRect(0, Math.round(y + lane.height) - 1, this.width, 1);
    c.globalAlpha = 1;
    c.save();
    c.beginPath();
    c.rect(this.gutter, y, this.plot, lane.height);
    c.clip();
    if (lane.kind === "deadlines") paintDeadlines(this, lane, y);
    else if (lane.kind === "recovery") paintSteps(this, lane, y);
    else {
      if (lane.kind === "screen") paintScreen(this, lane, y);
      if (lane.kind === "hardware") paintMoves(this, lane, y);
      if (lane.above && lane.mostAbove > 0) paintAbove(this, lane, y);
      lane.levels.forEach((level, i) => this.paintLevel(lane, level, y + levelTop(lane, i), i));
    }
    c.restore();
  }

  paintLevel(lane, level, y, number) {
    const {from, to} = this.view;
    const {c, look} = this;
    for (let i = level.first(from); i < level.from.length && level.from[i] < to;) {
      const left = this.x(level.from[i]);
      const right = this.x(level.to[i]);
      const item = level.items[i];
      if (right - left >= 1.5) {
        this.paintBox(lane, item, level.from[i], level.to[i], Math.max(left, this.gutter - 2),
          Math.min(right, this.width + 2), y, number);
        ++i;
        continue;
      }
      // All of this column at once: the colour of what has most of it, as opaque as it is full.
      const column = Math.floor(left);
      const edge = this.time(column + 1);
      const next = Math.max(i + 1, above(level.from, edge - 1e-9, i));
      const {item: most, share} = this.mostOf(level, i, next, this.time(column), edge);
      const waits = number > 0 && item.kind === "packet"; // above the one that may run
      c.globalAlpha = (waits ? 0.1 + 0.25 * share : 0.3 + 0.7 * share) * this.dimnessOf(level, i, next, most);
      c.fillStyle = look.ofItem(most);
      c.fillRect(column, y, 1, lane.boxHeight);
      i = next > i + 1 && this.x(level.to[next - 1]) - this.x(level.from[next - 1]) >= 1.5 ? next - 1 : next;
    }
    c.globalAlpha = 1;
  }

  /// Of what a level has between two times, from index `i` to before `next`: one of the colour that covers most, and how
  /// much all cover.
  mostOf(level, i, next, from, to) {
    const length = Math.max(1, to - from);
    let total = 0;
    let best = null;
    let bestTime = -1;
    for (const part of level.partsOf(i, next)) {
      const time = part.covers(from, to);
      total += time;
      if (time > bestTime) [best, bestTime] = [part.item, time];
    }
    return {item: best, share: Math.min(1, total / length)};
  }

  /// Bright where any of them is found.
  dimnessOf(level, i, next, item) {
    return !this.matches || level.has(this.matches, i, next) ? 1 : this.dimness(item);
  }

  dimness(item) { return this.matches && !this.matches.has(item) ? 0.22 : 1; }

  paintBox(lane, item, from, to, left, right, y, number) {
    const {c, look} = this;
    const height = lane.boxHeight;
    const width = right - left;
    const dim = this.dimness(item);
    const colour = look.ofItem(item);
    const packet = item.kind === "packet";
    const moment = packet && (item.type === "signal" || item.type === "wait");
    const always = !packet || item.type === "present";
    c.fillStyle = colour;
    c.globalAlpha = (always ? 0.85 : moment ? 0.14 : 0.3) * dim;
    c.fillRect(left, y, width, height);
    let solid = always && item.kind !== "preemption";
    if (moment) { // nothing that an engine does
      c.globalAlpha = 0.75 * dim;
      c.fillRect(left, y, width, 1);
      c.fillRect(left, y + height - 1, width, 1);
      c.fillRect(left, y, Math.min(3, width), height);
    }
    if (packet && item.runs.length > 0) {
      let under = 0;
      c.globalAlpha = dim;
      for (const [start, end] of item.runs) {
        if (end <= from || start >= to) continue;
        const a = Math.max(left, this.x(start));
        const b = Math.min(right, this.x(end));
        c.fillRect(a, y, Math.max(0.5, b - a), height);
        under += Math.max(0, Math.min(b, left + Math.min(width, 60)) - a); // where the label is
      }
      solid = solid || under > Math.min(width, 60) / 2;
    }
    c.globalAlpha = dim;
    const pattern = look.pattern(c, item);
    if (pattern) {
      c.fillStyle = pattern;
      c.fillRect(left, y, width, height);
    }
    if (packet && lane.kind === "software" && number === 0) paintReasons(this, item, from, to, left, right, y + height);
    if (width > 5) {
      c.globalAlpha = 0.9 * dim;
      c.fillStyle = look.page;
      c.fillRect(right - 1, y, 1, height);
    }
    if (width > 34 && height >= 12) this.paintLabel(item, left, width, y, height, solid, dim);
    c.globalAlpha = 1;
    if (item === this.selected || item === this.hovered || item === this.related) {
      c.strokeStyle = look.text;
      c.lineWidth = item === this.hovered ? 1 : 2;
      c.strokeRect(left + 1, y + 1, Math.max(1, width - 3), height - 2);
    }
  }

  paintLabel(item, left, width, y, height, solid, dim) {
    const {c, look, model} = this;
    let text = item.name || "";
    if (item.kind === "packet") text = `${typeMark(item)}${model.shown(item.label) || "packet " + item.id}`;
    else if (item.kind === "preemption") text = `preempt: ${item.reason}`;
    else if (item.kind === "frame") text = `${item.frame}`;
    c.font = height < 14 ? "10px system-ui, sans-serif" : "11px system-ui, sans-serif";
    c.textBaseline = "middle";
    const fits = fitted(c, text, width - 8);
    if (fits === "" || fits === "\u2026") return;
    c.globalAlpha = dim;
    if ((solid || item.kind === "preemption") && look.pattern(c, item)) { // else the hatching runs through it
      c.fillStyle = look.page;
      c.fillRect(left + 2, y + 2, c.measureText(fits).width + 4, height - 4);
      c.fillStyle = look.text;
    } else {
      c.fillStyle = solid ? look["on-bar"] : look.text;
    }
    c.fillText(fits, left + 4, y + height / 2 + 0.5);
  }

  paintCursor() {
    if (!this.cursor) return;
    const {c, look} = this;
    if (this.cursor.range !== undefined) {
      c.fillStyle = look.accent;
      c.globalAlpha = 0.18;
      c.fillRect(Math.min(this.cursor.x, this.cursor.range), axisHeight, Math.abs(this.cursor.range - this.cursor.x),
        this.height);
      c.globalAlpha = 1;
      return;
    }
    c.fillStyle = look.muted;
    c.globalAlpha = 0.5;
    c.fillRect(Math.round(this.cursor.x), axisHeight, 1, this.height);
    c.globalAlpha = 1;
  }
}

function typeMark(packet) {
  if (packet.type === "signal") return `signal ${packet.value}: `;
  if (packet.type === "wait") return `wait ${packet.value}: `;
  if (packet.type === "present") return `present ${packet.value}: `;
  return "";
}

/// As much of a text as is not wider.
function fitted(c, text, width) {
  if (c.measureText(text).width <= width) return text;
  const perCharacter = c.measureText(text).width / text.length;
  let count = Math.max(0, Math.floor(width / perCharacter) - 1);
  while (count > 0 && c.measureText(text.slice(0, count) + "\u2026").width > width) --count;
  return count > 0 ? text.slice(0, count) + "\u2026" : "";
}
