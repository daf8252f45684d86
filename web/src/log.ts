// SPDX-License-Identifier: MIT
// What hocket says about the run.
import { html, nothing } from "lit";
import { Part, showTime } from "./part.js";
import { store, type Topic } from "./store.js";

const LEVELS = ["", "debug", "note", "warning", "error", "fatal"];

export class Log extends Part {
  protected override topics: Topic[] = ["log", "layout"];

  override updated() {
    const list = this.querySelector(".lines");
    if (list) list.scrollTop = list.scrollHeight;
  }

  protected override render() {
    const open = store.layout.log;
    const last = store.log.at(-1);
    return html`<footer>
      <button class="plain toggle" id="log" aria-expanded=${open ? "true" : "false"} title="Show or hide (l)"
        @click=${() => store.change({ log: !open })}>
        <span class="twist ${open ? "open" : ""}" aria-hidden="true"></span>Log
        <span class="number">${store.log.length}</span>
        ${!open && last ? html`<span class="last l-${LEVELS[last.level] ?? ""}">${last.message}</span>` : nothing}
      </button>
      ${open
        ? html`<div class="lines" tabindex="0" role="log" aria-label="messages">
            ${store.log.map((l) => html`<div class="line l-${LEVELS[l.level] ?? ""}">
              <span class="at">${showTime(l.t)}</span><b>${LEVELS[l.level] ?? ""}</b>
              <span>${l.message}${l.file ? html` <i>${l.file}${l.line > 0 ? ":" + l.line : ""}</i>` : nothing}
                ${l.hint ? html`<em>${l.hint}</em>` : nothing}</span></div>`)}
            ${store.log.length ? nothing : html`<p class="empty">Nothing was said yet.</p>`}
          </div>`
        : nothing}
    </footer>`;
  }
}
customElements.define("hk-log", Log);
