// SPDX-License-Identifier: MIT
// Where the boxes of a graph are: layers from left to right. Where there are loops edges go back, too; within a layer a box is
// where those it is connected to are, on average.

export interface Box {
  name: string;
  layer: number;
  x: number;
  y: number;
}

export interface Placed {
  boxes: Map<string, Box>;
  width: number;
  height: number;
}

export const BOX_W = 168;
export const BOX_H = 52;
const GAP_X = 90;
const GAP_Y = 26;
const MARGIN = 30;
const SIDE = 30; // for lines that turn at the right
const SWEEPS = 8;
const TALL = 14; // boxes without edges: as many in a column

type Edges = Map<string, Set<string>>;

/** The edges without those that close loops, found by a walk in the order of the names. */
function withoutLoops(names: string[], next: Edges): Edges {
  const kept: Edges = new Map(names.map((n) => [n, new Set()]));
  const state = new Map<string, 1 | 2>(); // 1: on the way, 2: done
  for (const root of names) {
    if (state.has(root)) continue;
    const way: { name: string; rest: string[] }[] = [{ name: root, rest: [...(next.get(root) ?? [])] }];
    state.set(root, 1);
    while (way.length) {
      const at = way[way.length - 1]!;
      const to = at.rest.shift();
      if (to === undefined) {
        state.set(at.name, 2);
        way.pop();
      } else if (state.get(to) !== 1) {
        kept.get(at.name)!.add(to);
        if (!state.has(to)) {
          state.set(to, 1);
          way.push({ name: to, rest: [...(next.get(to) ?? [])] });
        }
      }
    }
  }
  return kept;
}

/** The longest way to each: it is drawn right of all that it gets values from. */
function layersOf(names: string[], edges: Edges): Map<string, number> {
  const layer = new Map(names.map((n) => [n, 0]));
  const waiting = new Map(names.map((n) => [n, 0]));
  for (const to of edges.values()) for (const n of to) waiting.set(n, waiting.get(n)! + 1);
  const ready = names.filter((n) => !waiting.get(n));
  for (let i = 0; i < ready.length; i++) {
    for (const to of edges.get(ready[i]!)!) {
      layer.set(to, Math.max(layer.get(to)!, layer.get(ready[i]!)! + 1));
      waiting.set(to, waiting.get(to)! - 1);
      if (!waiting.get(to)) ready.push(to);
    }
  }
  return layer;
}

/** Where there are loops the longest way means little: the shortest one from where the walk begins. */
function ringsOf(names: string[], next: Edges): Map<string, number> {
  const layer = new Map<string, number>();
  const fed = new Map(names.map((n) => [n, 0]));
  for (const to of next.values()) for (const n of to) fed.set(n, (fed.get(n) ?? 0) + 1);
  const roots = [...names].sort((a, b) => fed.get(a)! - fed.get(b)!);
  for (const root of roots) {
    if (layer.has(root)) continue;
    layer.set(root, 0);
    const ready = [root];
    for (let i = 0; i < ready.length; i++)
      for (const to of next.get(ready[i]!)!)
        if (!layer.has(to)) {
          layer.set(to, layer.get(ready[i]!)! + 1);
          ready.push(to);
        }
  }
  return layer;
}

const count = (edges: Edges) => [...edges.values()].reduce((sum, to) => sum + to.size, 0);

function sweep(columns: string[][], near: Edges) {
  const place = new Map<string, number>();
  const note = (column: string[]) => column.forEach((n, i) => place.set(n, i - column.length / 2));
  columns.forEach(note);
  for (let s = 0; s < SWEEPS; s++) {
    const order = s % 2 ? [...columns].reverse() : columns;
    for (const column of order) {
      const wish = new Map(
        column.map((n) => {
          const others = [...near.get(n)!];
          return [n, others.length ? others.reduce((sum, o) => sum + place.get(o)!, 0) / others.length : place.get(n)!];
        }),
      );
      column.sort((a, b) => wish.get(a)! - wish.get(b)!);
      note(column);
    }
  }
}

export function place(names: string[], pairs: [string, string][]): Placed {
  const next: Edges = new Map(names.map((n) => [n, new Set()]));
  const near: Edges = new Map(names.map((n) => [n, new Set()]));
  for (const [a, b] of pairs) {
    if (a === b || !next.has(a) || !next.has(b)) continue;
    next.get(a)!.add(b);
    near.get(a)!.add(b);
    near.get(b)!.add(a);
  }
  const linked = names.filter((n) => near.get(n)!.size);
  const alone = names.filter((n) => !near.get(n)!.size);
  const straight = withoutLoops(linked, next);
  const layer = count(straight) < count(next) ? ringsOf(linked, next) : layersOf(linked, straight);
  const columns: string[][] = [];
  for (const n of linked) (columns[layer.get(n)!] ??= []).push(n);
  sweep(columns, near);
  for (let i = 0; i < alone.length; i += TALL) columns.push(alone.slice(i, i + TALL));
  const tallest = Math.max(1, ...columns.map((c) => c.length));
  const height = 2 * MARGIN + tallest * (BOX_H + GAP_Y) - GAP_Y;
  const boxes = new Map<string, Box>();
  columns.forEach((column, i) => {
    const top = (height - column.length * (BOX_H + GAP_Y) + GAP_Y) / 2;
    column.forEach((name, k) =>
      boxes.set(name, { name, layer: i, x: MARGIN + i * (BOX_W + GAP_X), y: top + k * (BOX_H + GAP_Y) }),
    );
  });
  return { boxes, width: 2 * MARGIN + columns.length * (BOX_W + GAP_X) - GAP_X + SIDE, height };
}
