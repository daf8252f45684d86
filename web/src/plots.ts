// SPDX-License-Identifier: MIT
// All plots, and the place where a new one comes to be.
import { html, nothing } from "lit";
import { icon } from "./icon.js";
import { drops } from "./drops.js";
import { Part } from "./part.js";
import { store, type Topic } from "./store.js";
import "./plot.js";

const WINDOWS = [0, 1, 5, 10, 30, 60, 300, 3600];

export class Plots extends Part {
  protected override topics: Topic[] = ["layout", "zoom", "state"];

  protected override render() {
    const { plots, window } = store.layout;
    const d = drops((name) => store.plot(name, plots.length));
    const record = store.state?.kind === "record";
    return html`<div class="tools">
        ${record
          ? nothing
          : html`<label class="field"><span>show</span><select id="window" @change=${(e: Event) =>
              store.change({ window: Number((e.target as HTMLSelectElement).value) })}>
              ${WINDOWS.map((w) => html`<option value=${w} .selected=${w === window}>${w ? `last ${w} s` : "all"}</option>`)}
            </select></label>`}
        ${store.zoom
          ? html`<button class="plain" id="unzoom" @click=${() => store.setZoom(null)}>${icon("reset")} whole time</button>`
          : html`<span class="hint">drag across a plot to look closer</span>`}
        <button class="plain" id="new-plot" @dragover=${d.over} @dragleave=${d.leave} @drop=${d.drop}
          @click=${() => {
            store.active = plots.length;
            store.setPlots([...plots, []]);
          }}>${icon("add")} plot</button>
      </div>
      <div class="plots">${plots.map((names, i) => html`<hk-plot .names=${names} .index=${i} .count=${plots.length}></hk-plot>`)}</div>`;
  }
}
customElements.define("hk-plots", Plots);
