// SPDX-License-Identifier: Apache-2.0
// Puts the page together: what the user does goes to the view, the panel and the painter.

class Timeline {
  constructor(model) {
    this.model = model;
    this.lanes = lanesOf(model);
    this.look = new Look(model);
    this.things = thingsOf(model);
    this.missed = missedOf(model);
    this.plot = document.getElementById("plot");
    this.picture = document.getElementById("picture");
    this.tip = document.getElementById("tip");
    this.painter = new Painter(document.getElementById("canvas"), model, this.lanes, this.look);
    this.view = new View(this.plot, model, this.lanes, () => this.repaint());
    this.panel = new Panel(document.getElementById("panel"), model, this.look, (item, show) => this.select(item, show));
    this.found = [];
    this.selected = null;
    this.toolbar();
    fillLegend(this);
    this.listen();
    this.moved = () => {}; // for a page around this one: another part is to be seen
    new ResizeObserver(() => this.resize()).observe(this.picture);
    this.resize();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.picture;
    if (width === 0 || height === 0) return;
    const gutter = width < 700 ? 92 : 168;
    this.plot.style.left = gutter + "px";
    this.painter.resize(width, height, gutter);
    this.view.total = laidOut(this.lanes, height - axisHeight);
    this.view.resize(width - gutter, height);
    this.view.clamp();
    this.repaint();
  }

  repaint() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const start = performance.now();
      this.painter.paint(this.view);
      this.paintTime = performance.now() - start;
      const {from, to} = this.view;
      this.range.textContent = rangeText(from, to);
      const hidden = this.painter.arrowsHidden;
      this.hint.textContent = hidden > 0 ? `zoom in to see ${countText(hidden)} fence arrows` : "";
      this.moved(from, to);
    });
  }

  /// The axis goes on to `end`, where this run is over before: as long as that of another one.
  stretch(end) {
    if (end <= this.model.end) return;
    this.model.over = this.model.end;
    this.model.end = end;
    this.resize();
    this.view.show(0, end);
  }

  toolbar() {
    const button = (text, title, onclick) => el("button", {title, onclick}, text);
    this.search = el("input", {type: "search", placeholder: "Search: press /",
      "aria-label": "Search", oninput: () => this.find(this.search.value)});
    this.count = el("span", {class: "muted", id: "count"});
    this.range = el("span", {id: "range", "aria-live": "off"});
    this.hint = el("span", {class: "muted", id: "hint"});
    const figures = document.getElementById("figures");
    const section = document.getElementById("timeline");
    const tabs = ["Timeline", "Figures"].map((name, i) => el("button", {role: "tab", "aria-selected": i === 0,
      onclick: event => {
        tabs.forEach(tab => tab.setAttribute("aria-selected", tab === event.currentTarget));
        document.body.classList.toggle("figures", i === 1);
        this.resize();
      }}, name));
    const bar = document.getElementById("bar");
    document.querySelector("header").append(el("div", {role: "tablist"}, ...tabs),
      button("\u25d0", "Dark or light (t)", () => this.toggleTheme()));
    bar.append(this.search, this.count, button("\u2039", "Previous (Shift+Enter)", () => this.step(-1)),
      button("\u203a", "Next (Enter)", () => this.step(1)));
    if (this.model.deadlines.size > 0 || this.missed.length > 0) {
      bar.append(el("span", {class: "group", id: "missed"},
        el("span", {class: this.missed.length > 0 ? "missed" : "met"}, this.missed.length > 0
          ? `${countText(this.missed.length)} missed` : "no deadline missed"),
        el("span", {class: "muted"}, dueLaterText(this.model)),
        button("\u2039", "Previous missed deadline or vertical blank (M)", () => this.stepMissed(-1)),
        button("\u203a", "Next missed deadline or vertical blank (m)", () => this.stepMissed(1))));
    }
    bar.append(el("span", {class: "group"}, button("\u2212", "Out (-)", () => this.view.zoomBy(0.5)),
      button("+", "In (+)", () => this.view.zoomBy(2)), button("All", "The whole run (0)", () => this.view.show(0, this.model.end))),
      this.range, this.hint, button("?", "Keys (?)", () => this.help()));
    section.hidden = false;
    document.body.classList.add("live");
    figures.tabIndex = -1;
  }

  help() {
    const keys = [["wheel, + \u2212, w s", "zoom at the mouse"], ["drag, \u2190 \u2192, a d, Shift+wheel", "move in time"],
      ["drag, \u2191 \u2193, wheel on the names", "move between rows"], ["Shift+drag", "zoom to a range"],
      ["click, double click", "what it is; zoom to it"], ["/", "search"], ["Enter, n; Shift+Enter, N", "next, previous found"],
      ["m; M", "next, previous missed deadline or vertical blank"], ["[ ]", "previous, next packet of the queue"],
      ["z; 0", "zoom to what is selected; to the whole run"], ["t", "dark or light"], ["Esc", "nothing selected"]];
    this.panel.element.hidden = false;
    this.panel.element.replaceChildren(
      el("button", {class: "close", onclick: () => this.select(null)}, "\u00d7"), el("h2", {}, "Keys"), this.panel.table(keys));
  }

  listen() {
    const at = event => {
      const box = this.picture.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let pressed = null;
    let range = null;
    this.picture.addEventListener("mousedown", event => { // before D3 hears of it and tells nobody else
      pressed = [event.clientX, event.clientY];
      if (event.shiftKey && event.target === this.plot) {
        range = at(event)[0];
        event.preventDefault();
      }
    }, true);
    window.addEventListener("mousemove", event => {
      if (range === null) return;
      this.painter.cursor = {x: at(event)[0], range};
      this.repaint();
    });
    window.addEventListener("mouseup", event => {
      if (range === null) return;
      const ends = [range, at(event)[0]].map(x => this.painter.time(x)).sort((a, b) => a - b);
      range = null;
      this.painter.cursor = null;
      if (Math.abs(this.painter.x(ends[1]) - this.painter.x(ends[0])) > 4) this.view.show(ends[0], ends[1]);
      else this.repaint();
    });
    this.plot.addEventListener("mousemove", event => {
      if (range !== null) return;
      const [x, y] = at(event);
      this.hover(event.buttons ? null : this.painter.at(x, y), x, y);
    });
    this.picture.addEventListener("mousemove", event => { // a name that is cut short
      const [x, y] = at(event);
      const lane = x < this.painter.gutter && this.lanes.find(one => y >= this.painter.top(one) && y < this.painter.top(one) + one.height);
      this.picture.title = lane && lane.kind !== "heading" ? [lane.title, lane.subtitle].filter(Boolean).join(", ") : "";
    });
    this.plot.addEventListener("mouseleave", () => this.hover(null));
    this.plot.addEventListener("click", event => {
      if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
      this.plot.focus({preventScroll: true});
      this.select(this.painter.at(...at(event)));
    });
    this.plot.addEventListener("dblclick", () => { if (this.selected) this.zoomTo(this.selected); });
    this.picture.addEventListener("wheel", event => {
      const names = event.target !== this.plot;
      if (!names && !event.shiftKey) return;
      event.preventDefault();
      const delta = event.deltaY || event.deltaX;
      if (names) this.view.scrollBy(delta); else this.view.panBy(delta / 1000);
    }, {passive: false});
    window.addEventListener("keydown", event => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.restyle());
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === this.search) {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") { this.searchFor(""); this.plot.focus(); }
      return;
    }
    const cursor = this.painter.cursor ? this.painter.time(this.painter.cursor.x) : undefined;
    const actions = {"ArrowLeft": () => this.view.panBy(-0.2), "ArrowRight": () => this.view.panBy(0.2),
      "a": () => this.view.panBy(-0.2), "d": () => this.view.panBy(0.2), "+": () => this.view.zoomBy(1.5, cursor),
      "=": () => this.view.zoomBy(1.5, cursor), "w": () => this.view.zoomBy(1.5, cursor),
      "-": () => this.view.zoomBy(1 / 1.5, cursor), "s": () => this.view.zoomBy(1 / 1.5, cursor),
      "ArrowUp": () => this.view.scrollBy(-60), "ArrowDown": () => this.view.scrollBy(60),
      "0": () => this.view.show(0, this.model.end), "z": () => this.selected && this.zoomTo(this.selected),
      "/": () => this.search.focus(), "n": () => this.step(1), "N": () => this.step(-1), "Enter": () => this.step(1),
      "m": () => this.stepMissed(1), "M": () => this.stepMissed(-1), "[": () => this.neighbour(-1),
      "]": () => this.neighbour(1), "t": () => this.toggleTheme(), "?": () => this.help(), "Escape": () => this.select(null)};
    if (!actions[event.key] || (event.target.tagName === "BUTTON" && event.key === "Enter")) return;
    const scrolls = /^Arrow/.test(event.key) && event.target.closest("#panel, #figures, #legend");
    const figures = document.body.classList.contains("figures");
    if (scrolls || (figures && !["t", "T"].includes(event.key))) return; // keys of the picture, which is not to be seen
    event.preventDefault();
    actions[event.key]();
    requestAnimationFrame(() => this.hoverAgain());
  }

  /// What the mouse is at, after the picture below it moved.
  hoverAgain() {
    if (!this.mouse || this.tip.hidden) return;
    this.hover(this.painter.at(...this.mouse), ...this.mouse);
  }

  hover(item, x, y) {
    this.mouse = x === undefined ? null : [x, y];
    this.painter.hovered = item;
    this.painter.cursor = x === undefined ? null : {x};
    this.tip.hidden = !item;
    this.repaint();
    if (!item) return;
    this.tip.replaceChildren(...tipLines(this.model, item).map((line, i) => el(i === 0 ? "b" : "div", {}, line)));
    const {offsetWidth: width, offsetHeight: height} = this.tip;
    this.tip.style.left = Math.max(4, Math.min(x + 14, this.painter.width - width - 8)) + "px";
    this.tip.style.top = (y + 18 + height > this.painter.height ? Math.max(4, y - height - 12) : y + 18) + "px";
  }

  /// `show`: go to where it is.
  select(item, show = false) {
    this.selected = this.painter.selected = item;
    this.painter.related = item && item.kind === "deadline" ? item.packet : null;
    this.panel.show(item);
    if (item && show) this.goTo(item);
    if (item && item.kind === "deadline" && item.packet) {
      const times = [item.due, item.packet.submitted, item.reached === null ? item.due : item.reached];
      this.view.showAround(Math.min(...times), Math.max(...times));
    }
    this.repaint();
  }

  goTo(item) {
    const [from, to] = endsOf(item);
    this.view.showAround(from, to);
    const lane = this.lanes.find(one => (item.kind === "packet" && one.context && one.context.name === item.context) ||
      (item.kind === "preemption" && one.node && one.node.name === item.node && one.index === item.queue) ||
      (one.rows && one.rows.includes(item)) || (item.kind === "frame" && one.chain === item.chain));
    if (lane) this.view.scrollTo(lane);
  }

  zoomTo(item) {
    const [from, to] = endsOf(item);
    const room = Math.max(to - from, shortestView) * 0.1;
    this.view.show(from - room, to + room);
  }

  searchFor(text) {
    this.search.value = text;
    this.find(text);
  }

  find(text) {
    const search = searchOf(this.model, text);
    const words = search.words;
    this.found = words.length === 0 ? [] : this.things.filter(search.matches).map(thing => thing.item);
    this.painter.matches = words.length === 0 ? null : new Set(this.found);
    this.place = -1;
    this.count.textContent = words.length === 0 ? "" : `${countText(this.found.length)} found`;
    this.repaint();
  }

  step(by) {
    if (this.found.length === 0) return;
    this.place = this.place < 0 && by < 0 ? this.found.length - 1 : (this.place + by + this.found.length) % this.found.length;
    this.count.textContent = `${countText(this.place + 1)} of ${countText(this.found.length)}`;
    this.select(this.found[this.place], true);
  }

  stepMissed(by) {
    if (this.missed.length === 0) return;
    const now = this.missed.indexOf(this.selected);
    const next = now >= 0 ? now + by : by > 0 ? this.missed.findIndex(row => momentOf(row) >= this.view.from) : this.missed.length - 1;
    this.select(this.missed[(next + this.missed.length) % this.missed.length], true);
  }

  neighbour(by) {
    if (!this.selected || this.selected.kind !== "packet") return;
    const next = this.model.context(this.selected.context).packets[this.selected.place + by];
    if (next) this.select(next, true);
  }

  toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    this.restyle();
  }
  restyle() {
    this.look.refresh();
    fillLegend(this);
    this.repaint();
  }
}

function endsOf(item) {
  if (item.kind === "packet") return [item.submitted, item.completed];
  if (item.kind === "preemption") return [item.requested, item.known];
  if (item.kind === "deadline") return [item.due, item.reached === null ? item.due : Math.max(item.due, item.reached)];
  if (item.kind === "frame") return [item.shown, item.left];
  if (item.kind === "recovery") return [item.at, item.at];
  return [item.start, item.end];
}

/// What is drawn at a place of the picture.
Painter.prototype.at = function (x, y) {
  if (y < axisHeight || x < this.gutter) return null;
  const lane = this.lanes.find(one => y >= this.top(one) && y < this.top(one) + one.height);
  if (!lane) return null;
  const nearest = (rows, timeOf) => { // within 9 pixels
    let best = null;
    let distance = 9;
    for (const row of rows) {
      const d = Math.abs(this.x(timeOf(row)) - x);
      if (d < distance) [best, distance] = [row, d];
    }
    return best;
  };
  if (lane.rows) {
    const from = above(lane.at, this.time(x - 9));
    const to = above(lane.at, this.time(x + 9));
    const near = lane.rows.slice(from, to);
    return nearest(near.filter(row => row.missed), row => row.due) || nearest(near, row => lane.kind === "deadlines" ? row.due : row.at);
  }
  if (!lane.levels) return null;
  if (lane.strip && y < this.top(lane) + 4 + lane.strip) return nearest(lane.requests, one => one.requested);
  if (lane.kind === "screen" && y >= this.top(lane) + lane.height - 8) {
    const discarded = nearest(lane.discarded, one => one.shown);
    if (discarded) return discarded;
  }
  for (let i = 0; i < lane.levels.length; ++i) {
    const top = this.top(lane) + levelTop(lane, i);
    if (y < top || y >= top + lane.boxHeight + 1) continue;
    const level = lane.levels[i];
    const time = this.time(x);
    const exact = level.at(time);
    if (exact >= 0) return level.items[exact];
    const near = level.first(time); // what is narrower than a pixel is hard to hit
    for (const j of [near - 1, near]) {
      if (j < 0 || j >= level.items.length) continue;
      if (Math.min(Math.abs(this.x(level.from[j]) - x), Math.abs(this.x(level.to[j]) - x)) <= 3) return level.items[j];
    }
  }
  return null;
};

unpacked(document.getElementById("data").textContent).then(text => {
  window.fenceline = new Timeline(readModel(text));
  document.documentElement.dataset.ready = "true";
}).catch(error => {
  document.body.prepend(el("p", {class: "warnings"}, `The timeline cannot be drawn: ${error.message}`));
  throw error;
});
