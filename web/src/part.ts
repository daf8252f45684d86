// SPDX-License-Identifier: MIT
// A part of the page: drawn into the page itself, so that one style sheet is for all, and again when a topic has news.
import { LitElement } from "lit";
import { store, type Topic } from "./store.js";

export class Part extends LitElement {
  protected topics: Topic[] = [];
  private leave: (() => void)[] = [];

  protected override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.leave = this.topics.map((topic) => store.on(topic, () => this.requestUpdate()));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    for (const leave of this.leave) leave();
  }
}

/** A value as people read it: six digits of numbers. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.slice(0, 3).map(show).join(", ")}${value.length > 3 ? ", …" : ""}]`;
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  if (String(value).length < 8) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(3).replace("e+", "e");
  return value.toPrecision(6);
}

/** Seconds, with as many digits as the length of the run asks for. */
export function showTime(t: number): string {
  return t.toFixed(3);
}

/** For `.style`: an attribute of that name is not allowed by the Content-Security-Policy, the property is. */
export const styles = (all: Record<string, string>) => Object.entries(all).map(([k, v]) => `${k}:${v}`).join(";");

/** An icon; the paths are our own. */
export const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z",
  step: "M5 4.5v15l9.5-7.5zM16 4.5h3v15h-3z",
  back: "M19 4.5v15L9.5 12zM5 4.5h3v15H5z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  add: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  reset: "M12 5a7 7 0 1 1-6.7 9h2.1A5 5 0 1 0 12 7c-1.4 0-2.6.6-3.5 1.5L11 11H4.500V4.500l2.600 2.600A7 7 0 0 1 12 5z",
  help: "M11 17h2v2h-2zM12 5c2.600 0 4.500 1.700 4.500 3.900 0 1.600-.9 2.500-2 3.300-1 .8-1.500 1.200-1.500 2.300v.5h-2v-.8c0-1.800 1-2.700 2-3.500.9-.7 1.500-1.100 1.500-1.900C14.500 7.700 13.400 7 12 7s-2.500.8-2.600 2.200h-2C7.500 6.700 9.400 5 12 5z",
} as const;
