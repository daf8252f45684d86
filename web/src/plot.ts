// SPDX-License-Identifier: MIT
// One plot: an axis per unit, curves of what the page has seen of a run, or of what a record holds.
import { html, nothing } from "lit";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { icon } from "./icon.js";
import { Part, show, styles } from "./part.js";
import { drops } from "./drops.js";
import { findSignal } from "./catalog.js";
import { store, type Topic } from "./store.js";

const COLOURS = 8;
const POINTS = 1200;
const AXIS_W = 76; // with its label
const sync = uPlot.sync("time");
const dark = matchMedia("(prefers-color-scheme: dark)");

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const unitOf = (name: string) => findSignal(store.catalog, name)?.unit ?? "";

export class Plot extends Part {
  static override properties = { names: { attribute: false }, index: { attribute: false }, count: { attribute: false } };
  declare names: string[];
  declare index: number;
  declare count: number;
  protected override topics: Topic[] = ["state", "layout", "catalog"];
  private chart?: uPlot;
  private made = "";
  private asked = ""; // the part of a record that was asked for last
  private sizes?: ResizeObserver;
  private off: (() => void)[] = [];
  private frame = 0;
  private fetchTimer = 0;
  private drawn = 0; // for tests: how often curves were drawn

  override connectedCallback() {
    super.connectedCallback();
    const remake = () => {
      this.made = "";
      this.requestUpdate();
    };
    dark.addEventListener("change", remake);
    this.off = [
      store.on("values", () => this.soon()),
      store.on("zoom", () => this.soon()),
      () => dark.removeEventListener("change", remake),
    ];
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    for (const off of this.off) off();
    this.sizes?.disconnect();
    this.sizes = undefined;
    this.chart?.destroy();
    this.chart = undefined;
    this.made = "";
  }

  private get host() {
    return this.querySelector<HTMLElement>(".chart")!;
  }

  private soon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
      this.requestUpdate();
    });
  }

  // ---- the chart ----

  private axes(units: string[]): uPlot.Axis[] {
    const font = "12px " + css("--font");
    const look = { font, labelFont: font, stroke: css("--dim"), ticks: { stroke: css("--line"), size: 4 }, labelSize: 18, gap: 4 };
    const y = units.map((unit, i): uPlot.Axis => ({
      ...look, scale: unit || "1", side: i % 2 ? 1 : 3, label: unit, size: AXIS_W - look.labelSize,
      grid: { show: i === 0, stroke: css("--grid"), width: 1 },
      values: (_, ticks) => ticks.map((v) => (v === null ? "" : Math.abs(v) >= 1e5 || (v && Math.abs(v) < 1e-3) ? v.toExponential(1) : String(+v.toPrecision(6)))),
    }));
    return [{ ...look, grid: { stroke: css("--grid"), width: 1 }, label: "time in s", size: 30 }, ...y];
  }

  /** The room of axes that other plots have on a side and this one has not: so that the times are below each other. */
  private missing(units: number, side: 0 | 1) {
    const on = (n: number) => (side ? n >> 1 : (n + 1) >> 1);
    const most = Math.max(0, ...store.layout.plots.map((names) => on(new Set(names.map(unitOf)).size)));
    return (most - on(units)) * AXIS_W;
  }

  private make() {
    this.chart?.destroy();
    this.chart = undefined;
    this.asked = "";
    if (!this.names.length) return;
    const units = [...new Set(this.names.map(unitOf))];
    const scales: uPlot.Scales = { x: { time: false } };
    for (const unit of units)
      scales[unit || "1"] = {
        range: (_, low, high) => {
          if (low === null || high === null) return [0, 1];
          const room = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
          return [low - room, high + room];
        },
      };
    this.chart = new uPlot(
      {
        width: Math.max(100, this.host.clientWidth), height: Math.max(80, this.host.clientHeight),
        legend: { show: false }, scales, axes: this.axes(units), padding: [10, 8 + this.missing(units.length, 1), 0, this.missing(units.length, 0)],
        cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
        series: [{}, ...this.names.map((name, i): uPlot.Series => ({
          label: name, scale: unitOf(name) || "1", stroke: css(`--c${i % COLOURS}`), width: 1.75, spanGaps: true,
          points: { show: false },
        }))],
        hooks: {
          setSelect: [(u) => {
            if (u.select.width < 8) return;
            store.setZoom([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          }],
          setCursor: [() => this.requestUpdate()],
          draw: [(u) => this.mark(u)],
        },
      },
      [[], ...this.names.map(() => [])], this.host,
    );
    this.chart.over.addEventListener("dblclick", () => store.setZoom(null));
    if (!this.sizes) {
      this.sizes = new ResizeObserver(() => {
        if (this.chart && this.host.clientWidth)
          this.chart.setSize({ width: this.host.clientWidth, height: Math.max(80, this.host.clientHeight) });
      });
      this.sizes.observe(this.host);
    }
    this.draw();
  }

  /** A line at the time that a record shows. */
  private mark(u: uPlot) {
    const s = store.state;
    if (s?.kind !== "record") return;
    const x = Math.round(u.valToPos(s.t, "x", true));
    const { left, top, width, height } = u.bbox;
    if (x < left || x > left + width) return;
    u.ctx.save();
    u.ctx.strokeStyle = css("--accent");
    u.ctx.lineWidth = devicePixelRatio * 1.5;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  private draw() {
    const chart = this.chart;
    const s = store.state;
    if (!chart || !s) return;
    this.dataset["drawn"] = String(++this.drawn);
    if (s.kind === "record") {
      this.fetch(s.start, s.stop);
      chart.redraw(false);
      return;
    }
    const last = store.history.count ? store.history.times[store.history.count - 1]! : s.start;
    const [from, to] = store.zoom ?? (store.layout.window
      ? [last - store.layout.window, last]
      : [s.start, last > s.start ? last : s.stop]);
    const data = store.history.since(from, this.names);
    this.dataset["points"] = String(data[0]!.length);
    chart.setData(data as uPlot.AlignedData, false);
    chart.setScale("x", { min: from, max: to });
  }

  /** A record has all of it: what is in sight, as fine as it is drawn. */
  private fetch(start: number, stop: number) {
    const [from, to] = store.zoom ?? [start, stop];
    const want = `${from} ${to} ${this.names.join(" ")}`;
    if (want === this.asked || !store.connected) return;
    this.asked = want;
    clearTimeout(this.fetchTimer);
    this.fetchTimer = window.setTimeout(async () => {
      const curves = await store.range(this.names, from, to, POINTS).catch(() => null);
      if (!curves || want !== this.asked || !this.chart) {
        if (want === this.asked) this.asked = "";
        return;
      }
      this.dataset["points"] = String(curves[0]?.[0].length ?? 0);
      this.chart.setData(curves.length > 1 ? uPlot.join(curves) : (curves[0] as uPlot.AlignedData), false);
      this.chart.setScale("x", { min: from, max: to });
    }, 30);
  }

  override updated() {
    const wanted = `${this.names.join("\n")}|${this.names.map(unitOf).join("\n")}|${this.missing(0, 0)} ${this.missing(0, 1)}|${store.state?.kind}|${store.info?.sessionId}`;
    if (wanted !== this.made) {
      this.made = wanted;
      this.make();
    }
  }

  // ---- around it ----

  private without(name: string) {
    store.setPlots(store.layout.plots.map((p, i) => (i === this.index ? p.filter((n) => n !== name) : p)));
  }

  /** Now, or where the pointer is on this or another plot. */
  private value(name: string, i: number) {
    const at = this.chart?.cursor.idx;
    const held = at === null || at === undefined ? undefined : this.chart!.data[i + 1]?.[at];
    return held ?? store.values.get(name);
  }

  private chip(name: string, i: number) {
    return html`<li class="chip">
      <i .style=${styles({ background: `var(--c${i % COLOURS})` })} aria-hidden="true"></i>
      <span class="label" title=${findSignal(store.catalog, name)?.description ?? ""}>${name}</span>
      <span class="value">${show(this.value(name, i))}</span>
      <span class="unit">${unitOf(name)}</span>
      <button class="bare" aria-label="remove ${name}" title="Remove" @click=${() => this.without(name)}>${icon("close")}</button>
    </li>`;
  }

  protected override render() {
    const active = store.active === this.index && this.count > 1;
    const d = drops((name) => store.plot(name, this.index));
    const activate = () => {
      if (store.active === this.index) return;
      store.active = this.index;
      store.change({});
    };
    return html`<section class="plot ${active ? "active" : ""}" aria-label="plot ${this.index + 1}" @dragover=${d.over}
      @dragleave=${d.leave} @drop=${d.drop} @pointerdown=${activate} @focusin=${activate}>
      <div class="legend">
        <ul>${this.names.map((n, i) => this.chip(n, i))}</ul>
        ${this.count > 1 || this.names.length
          ? html`<button class="bare" aria-label="close plot ${this.index + 1}" title="Close the plot"
              @click=${() => store.setPlots(store.layout.plots.filter((_, i) => i !== this.index))}>${icon("close")}</button>`
          : nothing}
      </div>
      <div class="chart"></div>
      ${this.names.length
        ? nothing
        : html`<p class="empty">Drag signals here, or double-click them in the tree.<br />Enter adds the one that is chosen, Shift and Enter to a new plot.</p>`}
    </section>`;
  }
}
customElements.define("hk-plot", Plot);
