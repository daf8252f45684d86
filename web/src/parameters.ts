// SPDX-License-Identifier: MIT
// What can be changed: parameters that can be tuned, and inputs that nothing is connected to. What is not as it was at
// the start has a mark, and can be reset.
import { html, nothing } from "lit";
import { icon } from "./icon.js";
import { Part, show } from "./part.js";
import { findSignal } from "./catalog.js";
import { store, type Topic } from "./store.js";

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const text = (v: unknown) => (typeof v === "string" ? v : v === null || v === undefined ? "" : JSON.stringify(v));

export class Parameters extends Part {
  protected override topics: Topic[] = ["parameters", "catalog", "state", "connection"];
  private filter = "";

  private names() {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return store.settable().filter((n) => words.every((w) => n.toLowerCase().includes(w)));
  }

  private isChanged(name: string) {
    return store.starts.has(name) && !same(store.parameters.get(name), store.starts.get(name));
  }

  private set(name: string, field: HTMLInputElement) {
    const now = store.parameters.get(name);
    if (typeof now === "string") return store.set(name, field.value);
    try {
      store.set(name, JSON.parse(field.value));
    } catch {
      store.say(`'${field.value}' is not a ${Array.isArray(now) ? "list of numbers" : "number"}`);
      field.value = text(now);
    }
  }

  private field(name: string, value: unknown) {
    const off = !store.canAct;
    if (typeof value === "boolean")
      return html`<input type="checkbox" aria-label=${name} .checked=${value} ?disabled=${off}
        @change=${(e: Event) => store.set(name, (e.target as HTMLInputElement).checked)} />`;
    return html`<input type="text" aria-label=${name} data-parameter=${name} spellcheck="false" autocomplete="off" ?disabled=${off}
      inputmode=${typeof value === "number" ? "decimal" : nothing} .value=${text(value)}
      @change=${(e: Event) => this.set(name, e.target as HTMLInputElement)}
      @keydown=${(e: KeyboardEvent) => {
        const field = e.target as HTMLInputElement;
        if (e.key === "Escape") field.value = text(store.parameters.get(name));
      }} />`;
  }

  private row(name: string, group: string) {
    const signal = findSignal(store.catalog, name);
    const changed = this.isChanged(name);
    const start = store.starts.get(name);
    return html`<li class="parameter ${changed ? "changed" : ""}">
      <span class="label" title=${[name, signal?.causality, signal?.description].filter(Boolean).join("\n")}>${name.slice(group ? group.length + 1 : 0)}</span>
      ${this.field(name, store.parameters.get(name))}
      <span class="unit">${signal?.unit ?? ""}</span>
      ${changed
        ? html`<button class="bare" aria-label="reset ${name} to ${show(start)}" title="Back to ${show(start)}" ?disabled=${!store.canAct}
            @click=${() => store.set(name, start)}>${icon("reset")}</button>`
        : html`<span class="room"></span>`}
    </li>`;
  }

  protected override render() {
    const names = this.names();
    const changed = [...store.parameters.keys()].filter((n) => this.isChanged(n));
    const groups = Map.groupBy(names, (n) => findSignal(store.catalog, n)?.group ?? "");
    return html`<aside aria-label="parameters">
      <div class="head">
        <h2>Parameters</h2>
        ${changed.length
          ? html`<button class="plain" id="reset-all" ?disabled=${!store.canAct} title="All back to their start values"
              @click=${() => changed.forEach((n) => store.set(n, store.starts.get(n)))}>${icon("reset")} ${changed.length} changed</button>`
          : nothing}
      </div>
      ${store.settable().length > 12
        ? html`<div class="head"><input type="search" aria-label="search parameters" placeholder="Search parameters …"
            @input=${(e: Event) => {
              this.filter = (e.target as HTMLInputElement).value;
              this.requestUpdate();
            }} /></div>`
        : nothing}
      <div class="list" tabindex="0" role="group" aria-label="list of parameters">
        ${[...groups].map(([group, of]) => html`<h3>${group}</h3><ul>${of.map((n) => this.row(n, group))}</ul>`)}
        ${names.length
          ? nothing
          : html`<p class="empty">No parameter has that in its name.</p>`}
      </div>
    </aside>`;
  }
}
customElements.define("hk-parameters", Parameters);
