// SPDX-License-Identifier: MIT
import { html } from "lit";
import { ICONS } from "./part.js";

export const icon = (name: keyof typeof ICONS) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} fill="currentColor" /></svg>`;
