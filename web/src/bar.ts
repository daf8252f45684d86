// SPDX-License-Identifier: MIT
// The bar: what is shown, its time, and the keys that move it.
import { html, nothing } from "lit";
import { icon } from "./icon.js";
import { Part, showTime } from "./part.js";
import { store, type RunState, type Topic } from "./store.js";

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const nameOf = (speed: number) => (speed === 0 ? "free" : "×" + speed);

export class Bar extends Part {
  protected override topics: Topic[] = ["state", "connection", "catalog"];
  private wrong = false; // what was typed is not a condition
  private dragged: number | null = null; // where the slider is held

  /** Faster or slower by one of the list. */
  static shift(by: number) {
    const now = store.state?.speed ?? 1;
    const all = [...SPEEDS, ...(store.state?.kind === "record" ? [] : [Infinity])];
    const at = all.findIndex((s) => s >= (now || Infinity));
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))]!;
    void store.act("speed", { factor: next === Infinity ? 0 : next });
  }

  private badge(s: RunState | null) {
    if (!store.connected) return html`<span class="badge failed">not connected</span>`;
    if (!s) return html`<span class="badge">…</span>`;
    const why = s.reason && s.state !== "running" ? `: ${s.reason}` : "";
    return html`<span class="badge ${s.state}" id="state" title=${s.state + why}>${s.state}${s.state === "paused" ? why : ""}</span>`;
  }

  private speed(s: RunState | null) {
    const speed = s?.speed ?? 0;
    const list = s?.kind === "record" ? SPEEDS : [0, ...SPEEDS];
    const all = list.includes(speed) ? list : [...list, speed].sort((a, b) => a - b);
    return html`<label class="field" title="Simulated seconds per second (+ and -)">
      <span>speed</span>
      <select id="speed" ?disabled=${!store.canAct}
        @change=${(e: Event) => void store.act("speed", { factor: Number((e.target as HTMLSelectElement).value) })}>
        ${all.map((x) => html`<option value=${x} .selected=${x === speed}>${nameOf(x)}</option>`)}
      </select>
    </label>`;
  }

  private seek(e: Event) {
    const t = Number((e.target as HTMLInputElement).value);
    this.dragged = null;
    void store.act("seek", { time: t }).then(() => this.requestUpdate());
  }

  private slider(s: RunState | null) {
    const record = s?.kind === "record";
    const t = this.dragged ?? s?.t ?? 0;
    return html`<input id="seek" type="range" class="seek" step="any" min=${s?.start ?? 0} max=${s?.stop ?? 1}
      .value=${String(t)} ?disabled=${!store.canAct || !s}
      aria-label=${record ? "time that is shown" : "time to run to"} aria-valuetext=${showTime(t) + " s"}
      title=${record ? "Drag to another time" : "Drag to a later time: the run goes on to it, then pauses"}
      @input=${(e: Event) => {
        this.dragged = Number((e.target as HTMLInputElement).value);
        if (record) void store.act("seek", { time: this.dragged });
        this.requestUpdate();
      }}
      @change=${(e: Event) => this.seek(e)} />`;
  }

  private pauseWhen(s: RunState | null) {
    if (s?.kind === "record") return nothing;
    const held = s?.pause_when ?? "";
    const example = [...store.catalog.signals.values()].find((x) => x.causality === "output" && x.count === 1)?.name ?? "signal";
    return html`<form class="field when ${this.wrong ? "wrong" : held ? "on" : ""}"
      @input=${() => {
        this.wrong = false;
        this.requestUpdate();
      }} @submit=${(e: Event) => {
        e.preventDefault();
        const condition = this.querySelector<HTMLInputElement>("#when")!.value.trim();
        void store.act("pause_when", { condition }).then((good) => {
          this.wrong = !good;
          this.requestUpdate();
        });
      }}>
      <label for="when">pause when</label>
      <input id="when" type="text" spellcheck="false" autocomplete="off" placeholder="${example} > 1"
        .value=${held} ?disabled=${!store.canAct} title="Enter sets it; an empty field ends it" />
    </form>`;
  }

  protected override render() {
    const s = store.state;
    const runs = s?.state === "running";
    const over = s?.kind === "run" && (s.state === "ended" || s.state === "failed");
    const still = !store.canAct || over;
    const factor = runs && s && s.factor > 0 ? `×${s.factor >= 100 ? s.factor.toFixed(0) : s.factor.toFixed(2)}` : "";
    return html`<header>
      <div class="title">
        <svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" /><path d="M5 21h6v-9h5v9h5v-9h6" /></svg>
        <h1 title=${store.info?.name ?? ""}>${store.about?.name ?? store.info?.name.replace(/.*\//, "") ?? "hocket"}</h1>
        ${this.badge(s)}
        ${store.connected && !store.canAct ? html`<span class="badge">read only</span>` : nothing}
      </div>
      <div class="keys" role="group" aria-label="time">
        ${s?.kind === "record"
          ? html`<button id="back" class="round" ?disabled=${still} aria-label="step back" title="One row back (,)"
              @click=${() => void store.act("back", { count: 1 })}>${icon("back")}</button>`
          : nothing}
        <button id="play" class="round main" ?disabled=${still} aria-label=${runs ? "pause" : "play"}
          title=${runs ? "Pause (space)" : "Play (space)"} @click=${() => store.toggle()}>${icon(runs ? "pause" : "play")}</button>
        <button id="step" class="round" ?disabled=${still} aria-label="step" title="One step on (.), ten (Shift and .)"
          @click=${(e: MouseEvent) => void store.act("step", { count: e.shiftKey ? 10 : 1 })}>${icon("step")}</button>
      </div>
      <div class="clock"><output id="time">${showTime(this.dragged ?? s?.t ?? 0)}</output><span> / ${s ? showTime(s.stop) : "–"} s</span></div>
      ${this.slider(s)}
      <span class="factor" id="factor" title="Simulated seconds per second, as reached">${factor}</span>
      ${this.speed(s)} ${this.pauseWhen(s)}
      <button class="round" aria-label="help" title="Keys (?)" @click=${() => this.dispatchEvent(new Event("help", { bubbles: true }))}>${icon("help")}</button>
    </header>`;
  }
}
customElements.define("hk-bar", Bar);
