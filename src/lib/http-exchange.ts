// Reports the connection of each exchange, which undici keeps to itself, and reads 100 Continue, at which its parser ends the
// connection although every client has to read interim answers (RFC 9110, 15.2).
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { monotonicMs } from "./clock.ts";

/** A request on its connection. */
export type Exchange = { socket: Socket; startedAtMs: number; bytesReadBefore: number };

/** Slower ends are not of a connection that was closed before the request arrived: the other side has read it. */
const momentMs = 1_000;

const readers = new WeakMap<Socket, InterimReader>();
let onNext: ((exchange: Exchange) => void) | null = null;
let isWatching = false;

/** From now on, interim answers to all requests of undici are read. */
export function watchExchanges(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe("undici:client:sendHeaders", (message) => {
    const { socket } = message as { socket: Socket };
    const startedAtMs = monotonicMs();
    prepare(socket).start();
    onNext?.({ socket, startedAtMs, bytesReadBefore: socket.bytesRead });
    onNext = null;
  });
}

/** Calls back before the bytes leave. To be called last in `onRequestStart`: undici writes the request right after it. */
export function noteNextExchange(callback: (exchange: Exchange) => void): void {
  onNext = callback;
}

/**
 * Whether the connection had been answered over before, was idle when the request was written, and ended within a moment
 * and without a byte: the other side has most likely closed it before it read the request.
 */
export function isUnread({ socket, startedAtMs, bytesReadBefore }: Exchange): boolean {
  const isIdleUntilThen = bytesReadBefore > 0 && socket.bytesRead === bytesReadBefore;
  return isIdleUntilThen && monotonicMs() - startedAtMs <= momentMs;
}

function prepare(socket: Socket): InterimReader {
  const known = readers.get(socket);
  if (known) return known;
  const reader = new InterimReader();
  readers.set(socket, reader);
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk)) reader.read(chunk);
    return chunk;
  };
  keepFirstError(socket);
  return reader;
}

/** After an alert of TLS the connection ends as well, and undici reports the end alone: the alert becomes its cause. */
function keepFirstError(socket: Socket): void {
  let first: Error | null = null;
  socket.prependListener("error", (error) => {
    first ??= error;
    if (error !== first) error.cause ??= first;
  });
}

const [lineFeed, carriageReturn, zero, one, nine] = Buffer.from("\n\r019");
/** Place of the three digits in `HTTP/1.1 100`. */
const statusAt = 9;

/** Makes 109 of each 100 before the answer: undici reads all other interim answers. */
class InterimReader {
  #isFinal = true;
  /** Place of the next byte in a status line. */
  #place = 0;
  #digits: number[] = [];
  #lineFeeds = 0;

  start(): void {
    this.#isFinal = false;
    this.#begin();
  }

  read(chunk: Buffer): void {
    for (let i = 0; i < chunk.length && !this.#isFinal; i += 1) {
      const byte = chunk[i] ?? 0;
      if (this.#digits.length === 3) this.#readHeaders(byte);
      else if (this.#place++ >= statusAt && this.#readDigit(byte)) chunk[i] = nine ?? byte;
    }
  }

  /** Returns whether it is the last one of 100. */
  #readDigit(byte: number): boolean {
    this.#digits.push(byte);
    const [first, second, third] = this.#digits;
    // 101 has no other answer after it.
    const isSwitch = second === zero && third === one;
    this.#isFinal = first !== one || isSwitch;
    return first === one && second === zero && third === zero;
  }

  #readHeaders(byte: number): void {
    if (byte === lineFeed) this.#lineFeeds += 1;
    else if (byte !== carriageReturn) this.#lineFeeds = 0;
    if (this.#lineFeeds === 2) this.#begin();
  }

  #begin(): void {
    this.#place = 0;
    this.#digits = [];
    this.#lineFeeds = 0;
  }
}
