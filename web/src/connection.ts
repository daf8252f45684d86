// SPDX-License-Identifier: MIT
// The WebSocket protocol of Foxglove, as a client speaks it (docs/live.md). It comes back by itself when the server does.

export interface Channel {
  id: number;
  topic: string;
  schema: string;
}

export interface ServerInfo {
  name: string;
  sessionId?: string;
  metadata?: Record<string, string>;
}

export interface Parameter {
  name: string;
  value: unknown;
}

export interface Listener {
  opened(): void;
  lost(): void;
  info(info: ServerInfo): void;
  channels(channels: Channel[]): void;
  services(names: string[]): void;
  data(subscription: number, value: unknown): void;
  parameters(parameters: Parameter[]): void;
  complaint(text: string): void;
}

interface Pending {
  done(answer: unknown): void;
  failed(why: Error): void;
}

const OP_DATA = 1;
const OP_CALL = 2;
const OP_ANSWER = 3;
const DATA_HEAD = 13;
const CALL_HEAD = 13;
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;

export class Connection {
  private socket?: WebSocket;
  private readonly services = new Map<string, number>();
  private readonly pending = new Map<number, Pending>();
  private nextCall = 1;
  private wait = FIRST_WAIT_MS;

  constructor(private readonly address: string, private readonly listener: Listener) {
    this.connect();
  }

  private connect() {
    const socket = new WebSocket(this.address, ["foxglove.sdk.v1", "foxglove.websocket.v1"]);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.listener.opened();
    };
    socket.onmessage = (e) => (typeof e.data === "string" ? this.takeText(e.data) : this.takeBytes(e.data));
    socket.onclose = () => {
      for (const call of this.pending.values()) call.failed(new Error("the connection is lost"));
      this.pending.clear();
      this.services.clear();
      this.listener.lost();
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
    };
    this.socket = socket;
  }

  private takeText(text: string) {
    const said = JSON.parse(text);
    switch (said.op) {
      case "serverInfo":
        return this.listener.info(said);
      case "advertise":
        return this.listener.channels(said.channels);
      case "advertiseServices":
        for (const s of said.services) this.services.set(s.name, s.id);
        return this.listener.services([...this.services.keys()]);
      case "parameterValues":
        return this.listener.parameters(said.parameters);
      case "serviceCallFailure":
        this.pending.get(said.callId)?.failed(new Error(said.message));
        this.pending.delete(said.callId);
        return;
      case "status":
        return this.listener.complaint(said.message);
    }
  }

  private takeBytes(bytes: ArrayBuffer) {
    const view = new DataView(bytes);
    const decode = (from: number) => JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, from)));
    if (view.getUint8(0) === OP_DATA) {
      this.listener.data(view.getUint32(1, true), decode(DATA_HEAD));
    } else if (view.getUint8(0) === OP_ANSWER) {
      const call = view.getUint32(5, true);
      const encoding = view.getUint32(9, true);
      this.pending.get(call)?.done(decode(CALL_HEAD + encoding));
      this.pending.delete(call);
    }
  }

  say(op: string, members: object) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ op, ...members }));
  }

  call<Answer>(service: string, request: object = {}): Promise<Answer> {
    const id = this.services.get("/hocket/" + service);
    if (id === undefined || this.socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new Error(this.services.size ? "this page may only look (--read-only)" : "not connected"));
    const text = new TextEncoder().encode(JSON.stringify(request));
    const bytes = new Uint8Array(CALL_HEAD + 4 + text.length);
    const view = new DataView(bytes.buffer);
    const call = this.nextCall++;
    view.setUint8(0, OP_CALL);
    view.setUint32(1, id, true);
    view.setUint32(5, call, true);
    view.setUint32(9, 4, true);
    bytes.set(new TextEncoder().encode("json"), CALL_HEAD);
    bytes.set(text, CALL_HEAD + 4);
    this.socket.send(bytes);
    return new Promise((done, failed) => this.pending.set(call, { done: done as (a: unknown) => void, failed }));
  }
}
