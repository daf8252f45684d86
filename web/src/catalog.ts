// SPDX-License-Identifier: MIT
// What can be looked at, as a tree: from the channels that the server offers, with what api/info.json knows about them.
import type { Channel } from "./connection.js";

export interface Signal {
  name: string; // "chassis.p.f"
  inside: string; // "p.f"
  group: string; // "chassis"
  unit: string;
  type: string;
  causality: string; // "": not known
  description: string;
  count: number;
}

export interface Group {
  name: string;
  about: string; // what it is, as "FMI 2.0 co-simulation, chassis"
  signals: Signal[];
}

export interface Catalog {
  groups: Group[];
  signals: Map<string, Signal>;
}

export interface Info {
  name?: string;
  description?: string;
  components?: {
    name: string;
    kind: string;
    type?: string;
    variables?: { name: string; causality: string; variability: string; description?: string; count: number }[];
  }[];
}

export interface Link {
  from: string;
  to: string;
  word: string;
  age_max_s?: number | null;
  delay_s?: number;
  crossing?: boolean;
}

export interface Plan {
  algorithm?: string;
  components: { name: string; processor: string | null; phase: number; period_s: number }[];
  connections: Link[];
}

const ORDER = ["output", "input", "parameter", "", "local", "independent", "calculatedParameter", "structuralParameter"];
const rank = (s: Signal) => {
  const at = ORDER.indexOf(s.causality);
  return at < 0 ? ORDER.length : at;
};

export function catalogOf(channels: Channel[], info: Info | null): Catalog {
  const catalog: Catalog = { groups: [], signals: new Map() };
  const known = new Map(info?.components?.map((c) => [c.name, c]));
  for (const channel of channels) {
    if (channel.topic.startsWith("/hocket/")) continue;
    const properties: Record<string, { type: string; title: string; description?: string }> =
      JSON.parse(channel.schema).properties ?? {};
    const group: Group = { name: "", about: "", signals: [] };
    for (const [inside, p] of Object.entries(properties)) {
      const name = p.title ?? inside;
      group.name = name.slice(0, Math.max(0, name.length - inside.length - 1));
      group.signals.push({
        name, inside, group: group.name, unit: p.description ?? "", type: p.type,
        causality: "", description: "", count: 1,
      });
    }
    if (!group.signals.length) continue;
    const component = known.get(group.name);
    if (component) {
      group.about = [component.kind, component.type].filter(Boolean).join(", ");
      const variables = new Map(component.variables?.map((v) => [v.name, v]));
      for (const s of group.signals) {
        const v = variables.get(s.inside);
        if (v) Object.assign(s, { causality: v.causality, description: v.description ?? "", count: v.count });
      }
      group.signals = group.signals.map((s, i) => ({ s, i })).sort((a, b) => rank(a.s) - rank(b.s) || a.i - b.i).map((x) => x.s);
    }
    for (const s of group.signals) catalog.signals.set(s.name, s);
    catalog.groups.push(group);
  }
  return catalog;
}

/** The signal of a name, or the array of which it names an element: "arm.q[2]". */
export function findSignal(catalog: Catalog, name: string): Signal | undefined {
  return catalog.signals.get(name) ?? catalog.signals.get(name.replace(/\[\d+\]$/, ""));
}
