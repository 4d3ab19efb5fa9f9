// SPDX-License-Identifier: Apache-2.0
// Where in the run, and in the rows, the picture is: zoom and pan by mouse and keys. D3 does the zooming.

const shortestView = 200; // picoseconds

class View {
  /// `changed()` is called when another part is to be seen.
  constructor(plot, model, lanes, changed) {
    Object.assign(this, {plot, model, lanes, changed});
    this.scroll = 0;
    this.width = this.height = 1;
    this.total = 0; // height of all rows
    this.transform = d3.zoomIdentity;
    this.zoom = d3.zoom()
      .filter(() => d3.event.type === "wheel" ? !d3.event.shiftKey : !d3.event.button && !d3.event.shiftKey)
      .wheelDelta(() => -d3.event.deltaY * (d3.event.deltaMode === 1 ? 0.05 : d3.event.deltaMode ? 1 : 0.002))
      .constrain(transform => this.constrained(transform))
      .on("zoom", () => {
        const source = d3.event.sourceEvent;
        if (source && source.type === "mousemove") this.scroll -= source.movementY;
        this.transform = d3.event.transform;
        this.clamp();
        this.changed();
      });
    this.selection = d3.select(plot).call(this.zoom).on("dblclick.zoom", null);
  }

  get from() { return Math.max(0, -this.transform.x / this.transform.k / this.width * this.model.end); }
  get to() { return this.from + this.model.end / this.transform.k; }

  /// The whole run is the widest view, and nothing outside it is shown.
  constrained(transform) {
    const k = transform.k;
    const x = Math.min(0, Math.max(this.width * (1 - k), transform.x));
    return d3.zoomIdentity.translate(x, 0).scale(k);
  }

  resize(width, height) {
    const from = this.from;
    const to = this.to;
    this.width = Math.max(1, width);
    this.height = height;
    this.zoom.extent([[0, 0], [this.width, height]])
      .scaleExtent([1, Math.max(1, this.model.end / shortestView)]);
    this.show(from, to);
  }

  /// Just that part of the run.
  show(from, to) {
    const length = Math.min(this.model.end, Math.max(shortestView, to - from));
    const k = this.model.end / length;
    const middle = (from + to) / 2;
    const x = -(middle - length / 2) / this.model.end * this.width * k;
    this.zoom.transform(this.selection, this.constrained(d3.zoomIdentity.translate(x, 0).scale(k)));
  }

  /// Around a thing, with room on both sides; nearer or farther only where that helps to see it.
  showAround(from, to) {
    const length = to - from;
    const now = this.to - this.from;
    const fits = from >= this.from && to <= this.to;
    if (fits && (length === 0 || length > now / 200)) return;
    const keep = length === 0 || (length > now / 200 && length < now * 0.8);
    const span = keep ? now : Math.max(length * 3, Math.min(now, length * 60), shortestView);
    const middle = (from + to) / 2;
    this.show(middle - span / 2, middle + span / 2);
  }

  zoomBy(factor, at = (this.from + this.to) / 2) {
    const length = (this.to - this.from) / factor;
    const share = (at - this.from) / (this.to - this.from);
    this.show(at - share * length, at + (1 - share) * length);
  }
  panBy(share) {
    const length = this.to - this.from;
    const from = Math.min(this.model.end - length, Math.max(0, this.from + share * length));
    this.show(from, from + length);
  }
  scrollBy(pixels) {
    this.scroll += pixels;
    this.clamp();
    this.changed();
  }
  scrollTo(lane) {
    const room = this.height - axisHeight;
    if (lane.y < this.scroll) this.scroll = lane.y - 24;
    else if (lane.y + lane.height > this.scroll + room) this.scroll = lane.y + lane.height - room;
    this.clamp();
  }
  clamp() { this.scroll = Math.max(0, Math.min(this.scroll, this.total + axisHeight - this.height)); }
}
