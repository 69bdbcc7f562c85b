// One connection to PostgreSQL that is opened again whenever it ends: for LISTEN, and for locks that last
// as long as their connection. It tests itself, so that a link that died in silence is noticed too.

import type pg from "pg";
import { systemDelay } from "../delay.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { PrimaryClient, type PrimaryConfig } from "./primary-client.ts";

type ReconnectingOptions = {
  log: Log;
  /** The name of the connection in log lines: "the connection for change notifications". */
  name: string;
  /** Where to connect; called before each attempt. The signal is aborted by closing. */
  config: (signal: AbortSignal) => PrimaryConfig | Promise<PrimaryConfig>;
  /** Makes a new connection useful (LISTEN, a lock). When this fails, the attempt has failed. */
  prepare: (client: pg.Client) => Promise<void>;
  /** Time between two self-tests. */
  selfTestMs?: number;
};

const firstWaitMs = 500;
const waitMsMax = 10_000;
const connectMsMax = 5_000;
const answerMsMax = 10_000;
// A link that dies while the connection is prepared would otherwise be waited for without end.
const prepareMsMax = 65_000;

export class ReconnectingConnection {
  readonly #options: ReconnectingOptions;
  readonly #closing = new AbortController();
  #client: pg.Client | null = null;
  #attempt: Promise<void> | null = null;
  #retrying: Promise<void> | null = null;
  #isReportedLost = false;

  constructor(options: ReconnectingOptions) {
    this.#options = options;
  }

  /**
   * Connects with one attempt unless it is connected. Once connected, it stays so: a connection that
   * is lost is opened again in the background.
   * @throws what connecting or `prepare` threw
   */
  connect(): Promise<void> {
    if (this.#client) return Promise.resolve();
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = null;
    });
    return this.#attempt;
  }

  /** Connects in the background, with as many attempts as it takes. */
  start(): void {
    this.#retryAfter(0);
  }

  #retryAfter(waitMs: number): void {
    this.#retrying ??= this.#retry(waitMs).finally(() => {
      this.#retrying = null;
    });
  }

  async close(): Promise<void> {
    const client = await this.detach();
    if (client) await endQuietly(client);
  }

  /** Stops reconnecting and hands over the open connection, if there is one: the caller ends it. */
  async detach(): Promise<pg.Client | null> {
    this.#closing.abort();
    await this.#retrying;
    // The caller of connect() got its failure.
    await this.#attempt?.catch(() => {});
    const client = this.#client;
    this.#client = null;
    return client;
  }

  async #open(): Promise<void> {
    const { log, name, config, prepare } = this.#options;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const client = new PrimaryClient({
      connectionTimeoutMillis: connectMsMax,
      query_timeout: prepareMsMax,
      keepAlive: true,
      ...(await config(signal)),
    });
    // An unhandled error event ends the process; the "end" that follows says the rest.
    client.on("error", (error) => log.debug({ reason: error.message }, `${name} broke`));
    let hasEnded = false;
    client.once("end", () => {
      hasEnded = true;
      this.#onEnd(client);
    });
    try {
      await client.connect();
      await prepare(client);
      if (hasEnded) throw new Error("Connection terminated while it was prepared");
    } catch (error) {
      await endQuietly(client);
      throw error;
    }
    this.#client = client;
    this.#testRegularly(client);
  }

  #onEnd(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (this.#closing.signal.aborted) return;
    this.#isReportedLost = true;
    this.#options.log.warn({}, `lost ${this.#options.name}; reconnecting`);
    // A server that has just gone is not back at once.
    this.#retryAfter(firstWaitMs);
  }

  async #retry(delayMs: number): Promise<void> {
    const { log, name } = this.#options;
    const { signal } = this.#closing;
    await systemDelay(delayMs, signal);
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, waitMsMax)) {
      try {
        await this.connect();
        if (this.#isReportedLost) log.info({}, `${name} is back`);
        this.#isReportedLost = false;
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = messageOf(error);
        this.#isReportedLost = true;
        log.warn({ reason }, `could not open ${name}; next try in ${waitMs / 1_000} s`);
      }
      await systemDelay(waitMs, signal);
    }
  }

  #testRegularly(client: pg.Client): void {
    const { selfTestMs = 30_000 } = this.#options;
    const timer = setInterval(() => {
      // Ending a connection in the middle of a query destroys its socket, which nothing can delay.
      const limit = setTimeout(() => void endQuietly(client), Math.min(answerMsMax, selfTestMs));
      // A failure is followed by the end of the connection, which is dealt with.
      const test = client.query("select 1").catch(() => {});
      void test.finally(() => clearTimeout(limit));
    }, selfTestMs);
    timer.unref();
    client.once("end", () => clearInterval(timer));
  }
}

async function endQuietly(client: pg.Client): Promise<void> {
  // A connection that broke before has nothing left to end.
  await client.end().catch(() => {});
}
