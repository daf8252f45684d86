// SPDX-License-Identifier: MIT
// What the signals that are plotted were, as far as the page has seen it. One clock for all of them; when it is full,
// every second row of its older half goes, so that it is bounded and reaches back to the beginning.

const ROWS = 1 << 14;

export class History {
  readonly times = new Float64Array(ROWS);
  private readonly columns = new Map<string, Float64Array>();
  count = 0;

  clear() {
    this.count = 0;
  }

  /** Keeps these signals, and forgets all others. */
  keep(names: Set<string>) {
    for (const name of this.columns.keys()) if (!names.has(name)) this.columns.delete(name);
    for (const name of names)
      if (!this.columns.has(name)) this.columns.set(name, new Float64Array(ROWS).fill(NaN));
  }

  /** The values at a time; the same time again replaces them, an earlier one begins anew. */
  add(time: number, value: (name: string) => number) {
    if (this.count && time < this.times[this.count - 1]!) this.clear();
    if (this.count && time === this.times[this.count - 1]) this.count--;
    if (this.count === ROWS) this.thin();
    this.times[this.count] = time;
    for (const [name, column] of this.columns) column[this.count] = value(name);
    this.count++;
  }

  private thin() {
    const half = ROWS / 2;
    for (const column of [this.times, ...this.columns.values()]) {
      for (let i = 0; i < half / 2; i++) column[i] = column[2 * i]!;
      column.copyWithin(half / 2, half, ROWS);
    }
    this.count = half + half / 2;
  }

  /** Times and values from a time on; what was not known then is null. */
  since(from: number, names: string[]): (number | null)[][] {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! < from) low = middle + 1;
      else high = middle;
    }
    const first = Math.max(0, low - 1); // one more, so that the curve begins at the edge
    const part = [Array.from(this.times.subarray(first, this.count)) as (number | null)[]];
    for (const name of names) {
      const column = this.columns.get(name);
      part.push(
        column
          ? Array.from(column.subarray(first, this.count), (v) => (Number.isNaN(v) ? null : v))
          : new Array(this.count - first).fill(null),
      );
    }
    return part;
  }
}
