// SPDX-License-Identifier: MIT
// The tree of components and their signals: search, units, and the values of those rows that are in sight. Only these
// are in the page.
import { html, nothing } from "lit";
import { Part, show, styles } from "./part.js";
import { elements, store, type Topic } from "./store.js";
import type { Signal } from "./catalog.js";

const ROW = 26;

interface Row {
  key: string;
  label: string;
  level: number;
  open?: boolean; // none: it has nothing below
  signal?: Signal; // of a value
  name?: string; // of the value: "arm.q[2]"
  about: string;
}

const LETTERS: Record<string, string> = {
  output: "O", input: "I", parameter: "P", calculatedParameter: "P", structuralParameter: "P", local: "L", independent: "T",
};

export class Tree extends Part {
  protected override topics: Topic[] = ["catalog", "values", "layout"];
  private search = "";
  private rows: Row[] = [];
  private current = 0;
  private top = 0;
  private height = 600;
  private seen = "";
  private sizes?: ResizeObserver;

  focusSearch() {
    const field = this.querySelector<HTMLInputElement>("#search")!;
    field.focus();
    field.select();
  }

  /** Opens a component and goes to it. */
  reveal(group: string) {
    this.search = "";
    if (!store.layout.open.includes(group)) store.change({ open: [...store.layout.open, group] });
    this.gather();
    this.go(this.rows.findIndex((r) => r.key === group));
  }

  private gather() {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const open = new Set(store.layout.open);
    const rows: Row[] = [];
    for (const group of store.catalog.groups) {
      const hit = (s: Signal) => {
        const text = `${s.name} ${s.description} ${s.unit} ${s.causality}`.toLowerCase();
        return words.every((w) => text.includes(w));
      };
      const found = words.length ? group.signals.filter(hit) : group.signals;
      if (words.length && !found.length) continue;
      const isOpen = words.length > 0 || open.has(group.name) || group.name === "";
      if (group.name !== "")
        rows.push({ key: group.name, label: group.name, level: 1, open: isOpen, about: group.about });
      if (!isOpen) continue;
      for (const s of found) {
        const about = [s.causality, s.description].filter(Boolean).join(": ");
        const level = group.name === "" ? 1 : 2;
        if (s.count === 1) {
          rows.push({ key: s.name, label: s.inside, level, signal: s, name: s.name, about });
          continue;
        }
        const spread = open.has(s.name);
        rows.push({ key: s.name, label: `${s.inside} [${s.count}]`, level, open: spread, signal: s, about });
        if (spread)
          for (const name of elements(s))
            rows.push({ key: name, label: name.slice(s.name.length), level: level + 1, signal: s, name, about });
      }
    }
    this.rows = rows;
    this.current = Math.max(0, Math.min(this.current, rows.length - 1));
  }

  private get box() {
    return this.querySelector<HTMLElement>(".rows")!;
  }

  override firstUpdated() {
    this.box.addEventListener("scroll", () => {
      this.top = this.box.scrollTop;
      this.requestUpdate();
    });
    this.sizes = new ResizeObserver(() => {
      this.height = this.box.clientHeight;
      this.requestUpdate();
    });
    this.sizes.observe(this.box);
  }

  private inSight() {
    const first = Math.max(0, Math.floor(this.top / ROW) - 2);
    return { first, rows: this.rows.slice(first, Math.ceil((this.top + this.height) / ROW) + 2) };
  }

  override updated() {
    const names = this.inSight().rows.flatMap((r) => (r.name ? [r.name] : []));
    if (names.join("\n") === this.seen) return;
    this.seen = names.join("\n");
    store.look(this, names);
  }

  private go(at: number) {
    if (at < 0 || at >= this.rows.length) return;
    this.current = at;
    const box = this.box;
    if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
    if ((at + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (at + 1) * ROW - box.clientHeight;
    this.top = box.scrollTop;
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus());
  }

  private toggle(row: Row, open = !row.open) {
    if (row.open === undefined || this.search) return;
    const now = store.layout.open.filter((k) => k !== row.key);
    store.change({ open: open ? [...now, row.key] : now });
  }

  private take(row: Row, fresh = false) {
    if (row.signal) store.plot(row.name ?? row.key, fresh ? store.layout.plots.length : store.active);
    else this.toggle(row);
  }

  private key(e: KeyboardEvent) {
    const row = this.rows[this.current];
    if (!row) return;
    const parent = () => {
      for (let i = this.current - 1; i >= 0; i--) if (this.rows[i]!.level < row.level) return i;
      return -1;
    };
    const page = Math.max(1, Math.floor(this.height / ROW) - 1);
    switch (e.key) {
      case "ArrowDown": this.go(this.current + 1); break;
      case "ArrowUp": this.go(this.current - 1); break;
      case "PageDown": this.go(Math.min(this.rows.length - 1, this.current + page)); break;
      case "PageUp": this.go(Math.max(0, this.current - page)); break;
      case "Home": this.go(0); break;
      case "End": this.go(this.rows.length - 1); break;
      case "ArrowRight": row.open === false ? this.toggle(row, true) : this.go(this.current + 1); break;
      case "ArrowLeft": row.open ? this.toggle(row, false) : this.go(parent()); break;
      case "Enter": this.take(row, e.shiftKey); break;
      default: return;
    }
    e.preventDefault();
  }

  private row(row: Row, at: number) {
    const value = row.name !== undefined;
    const letter = row.signal ? (LETTERS[row.signal.causality] ?? "") : "";
    return html`<div class="row ${row.signal ? "" : "group"}" role="treeitem" data-at=${at} data-name=${row.key}
      aria-level=${row.level} aria-expanded=${row.open === undefined ? nothing : row.open ? "true" : "false"}
      aria-selected=${at === this.current ? "true" : "false"} tabindex=${at === this.current ? 0 : -1}
      draggable=${row.signal ? "true" : "false"} title=${[row.key, row.about].filter(Boolean).join("\n")}
      .style=${styles({ top: at * ROW + "px", "padding-left": 8 + 14 * (row.level - 1) + "px" })}
      @click=${() => {
        this.current = at;
        if (row.open !== undefined) this.toggle(row);
        this.requestUpdate();
      }}
      @focus=${() => (this.current = at)}
      @dblclick=${() => row.signal && this.take(row)}
      @dragstart=${(e: DragEvent) => {
        e.dataTransfer!.setData("text/plain", row.name ?? row.key);
        e.dataTransfer!.effectAllowed = "copy";
      }}>
      ${row.open === undefined ? nothing : html`<span class="twist ${row.open ? "open" : ""}" aria-hidden="true"></span>`}
      ${letter ? html`<span class="kind k-${letter}" aria-hidden="true">${letter}</span>` : nothing}
      <span class="label">${row.label}</span>
      ${value ? html`<span class="value">${show(store.values.get(row.name!))}</span>` : nothing}
      ${row.signal ? html`<span class="unit">${row.signal.unit}</span>` : nothing}
    </div>`;
  }

  protected override render() {
    this.gather();
    const { first, rows } = this.inSight();
    return html`<aside aria-label="signals">
      <div class="head">
        <input id="search" type="search" placeholder="Search signals, units …  ( / )" aria-label="search signals"
          .value=${this.search}
          @input=${(e: Event) => {
            this.search = (e.target as HTMLInputElement).value;
            this.current = 0;
            this.requestUpdate();
          }}
          @keydown=${(e: KeyboardEvent) => {
            if (e.key === "ArrowDown" || e.key === "Enter") {
              e.preventDefault();
              this.go(Math.max(0, this.rows.findIndex((r) => r.signal)));
            }
          }} />
      </div>
      <div class="rows">
        <div class="all" role="tree" aria-label="components and signals" .style=${styles({ height: this.rows.length * ROW + "px" })}
          @keydown=${(e: KeyboardEvent) => this.key(e)}>
          ${rows.map((r, i) => this.row(r, first + i))}
        </div>
        ${this.rows.length ? nothing : html`<p class="empty">${this.search ? "Nothing has that in its name." : "Nothing to see yet."}</p>`}
      </div>
    </aside>`;
  }
}
customElements.define("hk-tree", Tree);
