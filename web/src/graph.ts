// SPDX-License-Identifier: MIT
// The graph of the system: components as boxes, with phase, period and logical processor, and what they are connected by.
// A box or a line that the pointer or the keyboard is at shows its values.
import { html, nothing, svg } from "lit";
import { BOX_H, BOX_W, place, type Box, type Placed } from "./layers.js";
import { Part, show, styles } from "./part.js";
import { store, type Topic } from "./store.js";
import type { Link, Plan } from "./catalog.js";

interface Edge {
  id: string;
  from: Box;
  to: Box;
  links: Link[];
}

const period = (s: number) => (s >= 1 ? `${+s.toPrecision(4)} s` : s >= 1e-3 ? `${+(s * 1e3).toPrecision(4)} ms` : `${+(s * 1e6).toPrecision(4)} µs`);

export class Graph extends Part {
  protected override topics: Topic[] = ["catalog", "values", "state"];
  private of?: Plan;
  private placed: Placed = { boxes: new Map(), width: 1, height: 1 };
  private edges: Edge[] = [];
  private view = { x: 0, y: 0, w: 100, h: 100 };
  private shown: { id: string; x: number; y: number } | null = null;
  private drag: { x: number; y: number } | null = null;

  override disconnectedCallback() {
    super.disconnectedCallback();
    store.look(this, []);
  }

  private componentOf(path: string, names: Set<string>) {
    for (let at = path.length; at > 0; at = path.lastIndexOf(".", at - 1)) if (names.has(path.slice(0, at))) return path.slice(0, at);
    return "";
  }

  private arrange(plan: Plan) {
    const names = plan.components.map((c) => c.name);
    const known = new Set(names);
    const pairs = new Map<string, { from: string; to: string; links: Link[] }>();
    for (const link of plan.connections) {
      const from = this.componentOf(link.from, known);
      const to = this.componentOf(link.to, known);
      if (!from || !to) continue;
      const key = from + "\n" + to;
      if (!pairs.has(key)) pairs.set(key, { from, to, links: [] });
      pairs.get(key)!.links.push(link);
    }
    this.placed = place(names, [...pairs.values()].map((p) => [p.from, p.to]));
    this.edges = [...pairs].map(([id, p]) => ({
      id, from: this.placed.boxes.get(p.from)!, to: this.placed.boxes.get(p.to)!, links: p.links,
    }));
    this.of = plan;
    this.fit();
  }

  private fit() {
    const { width, height } = this.placed;
    const w = Math.max(width, 700); // few boxes are not blown up
    const h = Math.max(height, 420);
    this.view = { x: (width - w) / 2, y: (height - h) / 2, w, h };
    this.requestUpdate();
  }

  private zoom(by: number, x = this.view.x + this.view.w / 2, y = this.view.y + this.view.h / 2) {
    const v = this.view;
    this.view = { x: x - (x - v.x) * by, y: y - (y - v.y) * by, w: v.w * by, h: v.h * by };
    this.requestUpdate();
  }

  private scale() {
    const r = this.querySelector("svg.graph")!.getBoundingClientRect();
    return { r, by: Math.max(this.view.w / r.width, this.view.h / r.height) };
  }

  private wheel(e: WheelEvent) {
    e.preventDefault();
    const { r, by } = this.scale();
    const middle = { x: this.view.x + this.view.w / 2, y: this.view.y + this.view.h / 2 };
    this.zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15, middle.x + (e.clientX - r.left - r.width / 2) * by, middle.y + (e.clientY - r.top - r.height / 2) * by);
  }

  private move(e: PointerEvent) {
    if (!this.drag) return;
    const { by } = this.scale();
    this.view.x -= (e.clientX - this.drag.x) * by;
    this.view.y -= (e.clientY - this.drag.y) * by;
    this.drag = { x: e.clientX, y: e.clientY };
    this.requestUpdate();
  }

  private key(e: KeyboardEvent) {
    const by = 0.1 * this.view.w;
    const moves: Record<string, [number, number]> = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
    const move = moves[e.key];
    if (move) {
      this.view.x += move[0];
      this.view.y += move[1];
    } else if (e.key === "+") this.zoom(1 / 1.25);
    else if (e.key === "-") this.zoom(1.25);
    else if (e.key === "0") this.fit();
    else if (e.key === "Escape") this.hide();
    else return;
    e.preventDefault();
    e.stopPropagation();
    this.requestUpdate();
  }

  // ---- what is shown about a box or a line ----

  private namesOf(id: string): { name: string; label: string; note: string }[] {
    const edge = this.edges.find((x) => x.id === id);
    if (edge)
      return edge.links.map((l) => ({
        name: l.from, label: `${l.from} → ${l.to}`,
        note: `${l.word}${l.age_max_s ? `, up to ${period(l.age_max_s)} old` : ""}`,
      }));
    const group = store.catalog.groups.find((g) => g.name === id);
    return (group?.signals ?? [])
      .filter((s) => s.causality === "output" || s.causality === "input")
      .slice(0, 14)
      .map((s) => ({ name: s.name, label: s.inside, note: s.causality }));
  }

  private reveal(id: string, target: Element) {
    const r = target.getBoundingClientRect();
    const mine = this.getBoundingClientRect();
    this.shown = { id, x: Math.min(r.left - mine.left + r.width / 2, mine.width - 330), y: r.bottom - mine.top + 6 };
    store.look(this, this.namesOf(id).map((n) => n.name));
    this.requestUpdate();
  }

  private hide() {
    this.shown = null;
    store.look(this, []);
    this.requestUpdate();
  }

  private about() {
    if (!this.shown) return nothing;
    const { id, x, y } = this.shown;
    const mine = this.getBoundingClientRect();
    const rows = this.namesOf(id);
    const up = y > mine.height * 0.6;
    return html`<div class="popover" role="status" .style=${styles({
        left: Math.max(8, x) + "px", top: up ? "auto" : y + "px", bottom: up ? mine.height - y + BOX_H + 20 + "px" : "auto",
      })}>
      <b>${id.replace("\n", " → ")}</b>
      <table>${rows.map((r) => html`<tr><td>${r.label}</td><td class="value">${show(store.values.get(r.name))}</td>
        <td class="unit">${store.catalog.signals.get(r.name)?.unit ?? ""}</td><td class="unit">${r.note}</td></tr>`)}</table>
      ${rows.length ? nothing : html`<span class="unit">no inputs and outputs</span>`}
    </div>`;
  }

  // ---- the picture ----

  private path(e: Edge) {
    const a = e.from;
    const b = e.to;
    const ay = a.y + BOX_H / 2;
    const by = b.y + BOX_H / 2;
    if (b.x > a.x) {
      const x1 = a.x + BOX_W;
      const bend = Math.max(40, (b.x - x1) / 2);
      const lift = b.layer - a.layer > 1 && Math.abs(ay - by) < BOX_H ? 6 + BOX_H : 6; // above what is between
      return `M${x1} ${ay - 6}C${x1 + bend} ${ay - lift} ${b.x - bend} ${by - lift} ${b.x - 2} ${by - 6}`;
    }
    if (a === b) return `M${a.x + BOX_W} ${ay}q26 0 26 22t-26 22h-${BOX_W}q-26 0 -26 -22t24 -22`;
    if (a.x === b.x) return `M${a.x + BOX_W} ${ay}C${a.x + BOX_W + 50} ${ay} ${a.x + BOX_W + 50} ${by} ${a.x + BOX_W + 2} ${by}`;
    const x1 = a.x;
    const x2 = b.x + BOX_W + 2;
    if (a.layer - b.layer === 1) {
      const bend = (x1 - x2) / 2;
      return `M${x1} ${ay + 8}C${x1 - bend} ${ay + 8} ${x2 + bend} ${by + 8} ${x2} ${by + 8}`;
    }
    // back past others: below them
    const low = Math.max(a.y, b.y) + BOX_H + 13;
    return `M${x1} ${ay + 8}C${x1 - 40} ${ay + 8} ${x1 - 10} ${low} ${x1 - 70} ${low}L${x2 + 70} ${low}C${x2 + 10} ${low} ${x2 + 40} ${by + 8} ${x2} ${by + 8}`;
  }

  private edge(e: Edge) {
    const late = e.links.some((l) => l.word !== "current");
    const label = `${e.from.name} to ${e.to.name}, ${e.links.length} connection${e.links.length > 1 ? "s" : ""}`;
    return svg`<g class="edge ${late ? "late" : ""} ${this.shown?.id === e.id ? "on" : ""}" tabindex="0" role="button" aria-label=${label}
      @pointerenter=${(x: Event) => this.reveal(e.id, x.currentTarget as Element)} @pointerleave=${() => this.hide()}
      @focus=${(x: Event) => this.reveal(e.id, x.currentTarget as Element)} @blur=${() => this.hide()}
      @keydown=${(k: KeyboardEvent) => k.key === "Enter" && e.links.forEach((l) => store.plot(l.from))}
      @dblclick=${() => e.links.forEach((l) => store.plot(l.from))}>
      <path class="wide" d=${this.path(e)} /><path d=${this.path(e)} marker-end="url(#arrow)" />
    </g>`;
  }

  private box(b: Box, plan: Plan, colours: Map<string, number>) {
    const c = plan.components.find((x) => x.name === b.name)!;
    const colour = colours.get(c.processor ?? "") ?? 0;
    const short = b.name.length > 22 ? "…" + b.name.slice(-21) : b.name;
    const go = () => this.dispatchEvent(new CustomEvent("reveal", { detail: b.name, bubbles: true }));
    return svg`<g class="box ${this.shown?.id === b.name ? "on" : ""}" transform="translate(${b.x} ${b.y})" tabindex="0" role="button"
      aria-label="${b.name}, phase ${c.phase}, period ${period(c.period_s)}"
      @pointerenter=${(x: Event) => this.reveal(b.name, x.currentTarget as Element)} @pointerleave=${() => this.hide()}
      @focus=${(x: Event) => this.reveal(b.name, x.currentTarget as Element)} @blur=${() => this.hide()}
      @keydown=${(k: KeyboardEvent) => k.key === "Enter" && go()} @dblclick=${go}>
      <rect width=${BOX_W} height=${BOX_H} rx="8" />
      <path class="stripe s${colour % 8}" d="M4 8v${BOX_H - 16}" />
      <text x="16" y="22" class="name">${short}</text>
      <text x="16" y="40" class="small">phase ${c.phase} · ${period(c.period_s)}${c.processor ? " · " + c.processor : ""}</text>
    </g>`;
  }

  protected override render() {
    const plan = store.plan;
    if (!plan) return nothing;
    if (this.of !== plan) this.arrange(plan);
    const v = this.view;
    const colours = new Map([...new Set(plan.components.map((c) => c.processor ?? ""))].map((p, i) => [p, i]));
    return html`<div class="tools"><span class="hint">${plan.components.length} components, ${plan.connections.length} connections, ${plan.algorithm ?? ""};
        dashed: the value is of an earlier step</span>
        <button class="plain" @click=${() => this.zoom(1 / 1.25)} aria-label="closer">+</button>
        <button class="plain" @click=${() => this.zoom(1.25)} aria-label="further">−</button>
        <button class="plain" @click=${() => this.fit()}>all</button></div>
      <svg class="graph" viewBox="${v.x} ${v.y} ${v.w} ${v.h}" role="group" aria-label="graph of the system" tabindex="0"
        @wheel=${this.wheel} @keydown=${this.key} @pointermove=${this.move}
        @pointerdown=${(e: PointerEvent) => {
          this.drag = { x: e.clientX, y: e.clientY };
        }} @pointerup=${() => (this.drag = null)} @pointerleave=${() => (this.drag = null)}>
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" /></marker></defs>
        ${this.edges.map((e) => this.edge(e))}
        ${[...this.placed.boxes.values()].map((b) => this.box(b, plan, colours))}
      </svg>${this.about()}`;
  }
}
customElements.define("hk-graph", Graph);
