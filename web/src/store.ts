// SPDX-License-Identifier: MIT
// What the page knows, and all that it can ask for. Parts of the page look at it, and are told when a topic has news.
import { Connection, type Channel, type Parameter, type ServerInfo } from "./connection.js";
import { catalogOf, findSignal, type Catalog, type Info, type Plan, type Signal } from "./catalog.js";
import { History } from "./history.js";

export type Topic = "connection" | "state" | "catalog" | "values" | "parameters" | "log" | "layout" | "notice" | "zoom";

export interface RunState {
  kind: "run" | "record";
  state: "paused" | "running" | "ended" | "failed";
  t: number;
  start: number;
  stop: number;
  speed: number;
  factor: number;
  reason: string | null;
  pause_when: string | null;
}

export interface LogEntry {
  level: number;
  name: string;
  message: string;
  file: string;
  line: number;
  hint?: string;
  t: number;
}

export interface Layout {
  plots: string[][];
  open: string[]; // groups of the tree
  view: "plots" | "graph";
  window: number; // seconds that plots show; 0: all
  left: number;
  right: number;
  log: boolean;
}

const STATE = 1; // subscriptions
const LOG = 2;
const FIRST_WATCH = 10;
const LOG_MAX = 1000;
const WATCH_MAX = 4000;
const NEW_LAYOUT: Layout = { plots: [[]], open: [], view: "plots", window: 0, left: 300, right: 290, log: false };

class Store {
  connected = false;
  everConnected = false;
  info: ServerInfo | null = null;
  about: Info | null = null;
  plan: Plan | null = null;
  state: RunState | null = null;
  catalog: Catalog = { groups: [], signals: new Map() };
  values = new Map<string, unknown>();
  parameters = new Map<string, unknown>();
  starts = new Map<string, unknown>();
  log: LogEntry[] = [];
  layout: Layout = structuredClone(NEW_LAYOUT);
  history = new History();
  active = 0; // the plot that Enter adds to
  zoom: [number, number] | null = null;
  notice = "";
  canAct = false;
  restarted = false;

  private connection?: Connection;
  private readonly ears = new Map<Topic, Set<() => void>>();
  private readonly lookers = new Map<object, string[]>(); // who looks at which signals
  private watched: string[] = [];
  private watchChannel = 0; // its subscription
  private nextWatch = FIRST_WATCH;
  private watchTimer = 0;
  private noticeTimer = 0;
  private session = "";
  private known: Promise<void> = Promise.resolve(); // the state
  private stateCame = () => {};

  on(topic: Topic, ear: () => void) {
    if (!this.ears.has(topic)) this.ears.set(topic, new Set());
    this.ears.get(topic)!.add(ear);
    return () => this.ears.get(topic)!.delete(ear);
  }

  private tell(...topics: Topic[]) {
    for (const topic of topics) this.ears.get(topic)?.forEach((ear) => ear());
  }

  start() {
    const address = new URL("ws", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    this.connection = new Connection(address.href, {
      opened: () => this.opened(),
      lost: () => this.lost(),
      info: (info) => this.greeted(info),
      channels: (channels) => void this.offered(channels),
      services: (names) => {
        this.canAct = names.includes("/hocket/play");
        this.tell("state");
      },
      data: (subscription, value) => this.take(subscription, value),
      parameters: (parameters) => this.takeParameters(parameters),
      complaint: (text) => this.say(text),
    });
  }

  private opened() {
    this.known = new Promise((done) => (this.stateCame = done));
    this.connected = this.everConnected = true;
    this.connection!.say("subscribe", {
      subscriptions: [{ id: STATE, channelId: 1 }, { id: LOG, channelId: 2 }],
    });
    this.connection!.say("subscribeParameterUpdates", { parameterNames: [] });
    this.watched = [];
    this.watchChannel = 0;
    this.tell("connection");
  }

  private lost() {
    this.connected = this.canAct = false;
    this.tell("connection", "state");
  }

  private greeted(info: ServerInfo) {
    const session = info.sessionId ?? "";
    this.restarted = this.session !== "" && session !== this.session;
    if (this.session !== session) {
      this.history.clear();
      this.values.clear();
      this.parameters.clear();
      this.zoom = null;
      this.starts = new Map(Object.entries(load<Record<string, unknown>>("hocket.starts:" + session) ?? {}));
    }
    if (!this.info || this.info.name !== info.name) {
      this.layout = { ...structuredClone(NEW_LAYOUT), ...load<Layout>("hocket.layout:" + info.name) };
      if (innerWidth < 1000) Object.assign(this.layout, { left: 220, right: 200 });
    }
    this.session = session;
    this.info = info;
    document.title = info.name.replace(/.*\//, "") + " · hocket";
    this.tell("connection", "layout");
    if (this.restarted) this.say("The server was started again: this is a new run.");
  }

  private async offered(channels: Channel[]) {
    if (channels.every((c) => c.topic.startsWith("/hocket/watch/"))) return;
    const get = async <T>(path: string): Promise<T | null> => {
      const answer = await fetch(path).catch(() => null);
      return answer?.ok ? ((await answer.json()) as T) : null;
    };
    await this.known; // a record has neither of the two
    if (this.state!.kind === "run")
      [this.about, this.plan] = await Promise.all([get<Info>("api/info.json"), get<Plan>("api/plan.json")]);
    this.catalog = catalogOf(channels, this.about);
    this.layout.plots = this.layout.plots.map((plot) => plot.filter((name) => findSignal(this.catalog, name)));
    if (!this.layout.open.length && this.catalog.groups.length && this.catalog.groups.length <= 8)
      this.layout.open = this.catalog.groups.slice(0, 2).map((g) => g.name);
    if (this.state!.kind === "run") this.connection!.say("getParameters", { parameterNames: [], id: "all" });
    else if (this.layout.view === "graph") this.layout.view = "plots"; // a record has none
    this.keepPlotted();
    this.tell("catalog", "layout");
  }

  private take(subscription: number, value: unknown) {
    if (subscription === STATE) {
      this.state = value as RunState;
      this.stateCame();
      this.tell("state");
    } else if (subscription === LOG) {
      this.log.push({ ...(value as LogEntry), t: this.state?.t ?? 0 });
      if (this.log.length > LOG_MAX) this.log.shift();
      this.tell("log");
    } else if (subscription === this.watchChannel) {
      const seen = value as { t: number; v: unknown[] };
      this.watched.forEach((name, i) => this.values.set(name, seen.v[i]));
      if (this.state?.kind !== "record") this.history.add(seen.t, (name) => asNumber(this.values.get(name)));
      this.tell("values");
    }
  }

  private takeParameters(parameters: Parameter[]) {
    for (const p of parameters) {
      this.parameters.set(p.name, p.value);
      if (!this.starts.has(p.name)) this.starts.set(p.name, p.value);
    }
    save("hocket.starts:" + this.session, Object.fromEntries(this.starts));
    this.tell("parameters");
  }

  // ---- values ----

  /** Who looks at which signals; an empty list: at none. */
  look(who: object, names: string[]) {
    if (names.length) this.lookers.set(who, names);
    else this.lookers.delete(who);
    clearTimeout(this.watchTimer);
    this.watchTimer = window.setTimeout(() => void this.watch(), 60);
  }

  private async watch() {
    const wanted = [...new Set([...this.lookers.values()].flat())].slice(0, WATCH_MAX);
    if (!this.connected || (wanted.length === this.watched.length && wanted.every((n, i) => n === this.watched[i]))) return;
    try {
      const { channel } = await this.connection!.call<{ channel: number }>("watch", { signals: wanted });
      const before = this.watchChannel;
      this.watchChannel = this.nextWatch++;
      this.watched = wanted;
      this.connection!.say("subscribe", { subscriptions: [{ id: this.watchChannel, channelId: channel }] });
      if (before) this.connection!.say("unsubscribe", { subscriptionIds: [before] });
    } catch (e) {
      if (this.connected) this.say((e as Error).message);
    }
  }

  /** A part of the record: per signal times and values. */
  async range(signals: string[], from: number, to: number, points: number): Promise<[number[], number[]][]> {
    const { curves } = await this.connection!.call<{ curves: number[][] }>("range", { signals, from, to, points });
    return curves.map((c) => [c.filter((_, i) => i % 2 === 0), c.filter((_, i) => i % 2 === 1)]);
  }

  // ---- what a person does ----

  async act(service: string, request: object = {}): Promise<boolean> {
    try {
      await this.connection!.call(service, request);
      return true;
    } catch (e) {
      this.say((e as Error).message);
      return false;
    }
  }

  toggle() {
    void this.act(this.state?.state === "running" ? "pause" : "play");
  }

  /** Parameters that can be tuned, and inputs that nothing is connected to. */
  settable(): string[] {
    const fed = new Set(this.plan?.connections.map((c) => c.to));
    return [...this.parameters.keys()].filter((name) => !fed.has(name));
  }

  set(name: string, value: unknown) {
    this.connection!.say("setParameters", { parameters: [{ name, value }], id: "set" });
  }

  say(text: string) {
    this.notice = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => {
      this.notice = "";
      this.tell("notice");
    }, 6000);
    this.tell("notice");
  }

  // ---- the layout ----

  change(what: Partial<Layout>) {
    Object.assign(this.layout, what);
    if (this.info) save("hocket.layout:" + this.info.name, this.layout);
    this.tell("layout");
  }

  private keepPlotted() {
    const names = this.layout.plots.flat();
    this.history.keep(new Set(names));
    this.look(this.history, names);
  }

  setPlots(plots: string[][]) {
    if (!plots.length) plots = [[]];
    this.active = Math.min(this.active, plots.length - 1);
    this.layout.plots = plots;
    this.keepPlotted();
    this.change({});
  }

  /** Adds a signal to a plot; of an array, all its elements. PLOT past the last one: a new plot. */
  plot(name: string, plot = this.active) {
    const signal = this.catalog.signals.get(name);
    if (!findSignal(this.catalog, name)) return;
    const names = signal && signal.count > 1 ? elements(signal).slice(0, 12) : [name];
    const plots = this.layout.plots.map((p) => [...p]);
    if (plot >= plots.length) plots.push([]);
    plot = Math.min(plot, plots.length - 1);
    for (const n of names) if (!plots[plot]!.includes(n)) plots[plot]!.push(n);
    this.active = plot;
    this.setPlots(plots);
    if (this.layout.view !== "plots") this.change({ view: "plots" });
  }

  setZoom(zoom: [number, number] | null) {
    this.zoom = zoom;
    this.tell("zoom");
  }
}

export const elements = (s: Signal) => Array.from({ length: s.count }, (_, i) => `${s.name}[${i + 1}]`);

export const asNumber = (v: unknown) => (typeof v === "number" ? v : typeof v === "boolean" ? Number(v) : NaN);

function load<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function save(key: string, value: unknown) {
  try {
    if (key.startsWith("hocket.starts:")) forgetStarts(key);
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: the page works without
  }
}

/** Start values of runs that were long ago are of no use: the last few are kept. */
function forgetStarts(but: string) {
  const old = Object.keys(localStorage).filter((k) => k.startsWith("hocket.starts:") && k !== but);
  for (const key of old.slice(0, Math.max(0, old.length - 4))) localStorage.removeItem(key);
}

export const store = new Store();
