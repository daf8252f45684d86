// SPDX-License-Identifier: MIT
// The page as a whole: where its parts are, its keys, and what it says when the server is not there.
import { html, nothing } from "lit";
import { Bar } from "./bar.js";
import { Part, styles } from "./part.js";
import { store, type Topic } from "./store.js";
import type { Tree } from "./tree.js";
import "./tree.js";
import "./plots.js";
import "./graph.js";
import "./parameters.js";
import "./log.js";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  [".", "one step on; with Shift ten"],
  [",", "a record: one row back; with Shift ten"],
  ["+ −", "faster, slower"],
  ["/", "search for signals"],
  ["↑ ↓ ← →", "in the tree: go, open, close"],
  ["Enter", "in the tree: add to the plot; with Shift to a new one"],
  ["g", "graph or plots"],
  ["0", "in the graph: all of it; + and − closer and further"],
  ["l", "log"],
  ["Esc", "close this; leave a field as it was"],
  ["?", "this list"],
];
const NARROW = 160;
const WIDE = 640;

export class App extends Part {
  protected override topics: Topic[] = ["connection", "layout", "notice", "state", "parameters", "catalog"];
  private dragging: "left" | "right" | null = null;

  override connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", (e) => this.key(e));
    addEventListener("pointermove", (e) => this.split(e));
    addEventListener("pointerup", () => {
      if (this.dragging) store.change({});
      this.dragging = null;
    });
    this.addEventListener("help", () => this.help());
    this.addEventListener("reveal", (e) => this.querySelector<Tree>("hk-tree")!.reveal((e as CustomEvent<string>).detail));
    store.start();
  }

  private help() {
    const dialog = this.querySelector<HTMLDialogElement>("dialog")!;
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  private key(e: KeyboardEvent) {
    const target = e.target as HTMLElement;
    if (target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) {
      if (e.key === "Escape") target.blur();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (e.key === " " && target.matches("button, [type=checkbox]")) return; // presses it
    const record = store.state?.kind === "record";
    const actions: Record<string, () => void> = {
      " ": () => store.toggle(),
      ".": () => void store.act("step", { count: 1 }),
      ">": () => void store.act("step", { count: 10 }),
      ":": () => void store.act("step", { count: 10 }), // where Shift and . is that
      ",": () => record && void store.act("back", { count: 1 }),
      "<": () => record && void store.act("back", { count: 10 }),
      "+": () => Bar.shift(1),
      "-": () => Bar.shift(-1),
      "/": () => this.querySelector<Tree>("hk-tree")!.focusSearch(),
      g: () => store.plan && store.change({ view: store.layout.view === "graph" ? "plots" : "graph" }),
      l: () => store.change({ log: !store.layout.log }),
      "?": () => this.help(),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }

  // ---- the two borders that can be moved ----

  private split(e: PointerEvent) {
    if (!this.dragging) return;
    const width = this.dragging === "left" ? e.clientX : innerWidth - e.clientX;
    store.change({ [this.dragging]: Math.max(NARROW, Math.min(WIDE, width)) });
  }

  private border(side: "left" | "right") {
    const width = store.layout[side];
    return html`<div class="border" role="separator" aria-orientation="vertical" tabindex="0"
      aria-label=${side === "left" ? "width of the tree" : "width of the parameters"} aria-valuenow=${Math.round(width)}
      aria-valuemin=${NARROW} aria-valuemax=${WIDE}
      @pointerdown=${(e: PointerEvent) => {
        e.preventDefault();
        this.dragging = side;
      }}
      @keydown=${(e: KeyboardEvent) => {
        const by = (e.key === "ArrowRight" ? 20 : e.key === "ArrowLeft" ? -20 : 0) * (side === "left" ? 1 : -1);
        if (by) store.change({ [side]: Math.max(NARROW, Math.min(WIDE, width + by)) });
      }}></div>`;
  }

  private banner() {
    if (!store.connected && store.everConnected)
      return html`<div class="banner" role="alert">The connection to hocket is lost. The page tries again by itself; a server that is
        started anew needs the same <code>--port</code> and <code>--token</code>.</div>`;
    const s = store.state;
    if (s?.state === "failed") return html`<div class="banner failed" role="alert"><b>The run has failed.</b> ${s.reason ?? ""}</div>`;
    return nothing;
  }

  private tab(view: "plots" | "graph", name: string) {
    const on = store.layout.view === view;
    return html`<button class="tab" aria-pressed=${on ? "true" : "false"} id="tab-${view}" @click=${() => store.change({ view })}>${name}</button>`;
  }

  protected override render() {
    const { left, right, view } = store.layout;
    const changes = store.settable().length > 0; // else there is nothing to show
    const columns = `${left}px 5px minmax(0,1fr)` + (changes ? ` 5px ${right}px` : "");
    return html`<hk-bar></hk-bar>
      ${this.banner()}
      <div class="page" .style=${styles({ "grid-template-columns": columns })}>
        <hk-tree></hk-tree>
        ${this.border("left")}
        <main>
          ${store.plan
            ? html`<div class="tabs" role="group" aria-label="view">${this.tab("plots", "Plots")}${this.tab("graph", "Graph")}</div>`
            : nothing}
          ${view === "graph" ? html`<hk-graph></hk-graph>` : html`<hk-plots></hk-plots>`}
        </main>
        ${changes ? html`${this.border("right")}<hk-parameters></hk-parameters>` : nothing}
      </div>
      <hk-log></hk-log>
      <div class="notice ${store.notice ? "on" : ""}" role="status">${store.notice}</div>
      <dialog aria-labelledby="keys" @click=${(e: Event) => e.target === e.currentTarget && this.help()}>
        <h2 id="keys">Keys</h2>
        <dl>${KEYS.map(([key, does]) => html`<dt>${key.split(" ").map((k) => html`<kbd>${k}</kbd>`)}</dt><dd>${does}</dd>`)}</dl>
        <form method="dialog"><button class="plain">Close</button></form>
      </dialog>`;
  }
}
customElements.define("hk-app", App);
