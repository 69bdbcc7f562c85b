// Puts what is at hand on the wire: asks for URL and secret right before signing, one question for all
// that go out together, sends, and hands on what came of it.
import { setTimeout as delay } from "node:timers/promises";
import type { ClaimedDelivery, FinishedAttempt, SendTarget } from "../domain/delivery.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { type AttemptTools, attemptDelivery } from "./attempt.ts";
import type { Hand } from "./hand.ts";
import type { Completions } from "./outcome-batcher.ts";
import type { Leased, Queue } from "./queue.ts";
import { openSigner, type Secrets, type Signer } from "./signature.ts";
import type { UrlCheck } from "./url-check.ts";

type Parts = {
  clock: Clock;
  log: Log;
  queue: Queue;
  secrets: Secrets;
  tools: AttemptTools;
  hand: Hand<Addressee>;
  completions: Completions;
  /** Something that was full can take a claim again. */
  onRoom: () => void;
};

// While something is on the wire the next question waits a moment: asking for one target costs as much
// as asking for many.
const gatherMs = 2;

/** A channel as it was read right before signing. */
export type Addressee = { url: string; encryptedSecret: Buffer; target: UrlCheck; signer: Signer };

export class Sending {
  readonly #parts: Parts;
  readonly #tasks = new Set<Promise<void>>();
  /** Those of the last batch. */
  #addressees = new Map<string, Addressee>();
  #starting: NodeJS.Immediate | null = null;
  #isAsking = false;
  #isWoken = false;
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** There may be something to send and a place for it. */
  wake(): void {
    // Answers come in bursts: one look for all places that became free.
    this.#starting ??= setImmediate(() => {
      this.#starting = null;
      this.#startReady();
    });
    this.#isWoken = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#track(this.#askAll());
  }

  /** From now on nothing more goes out: what waits is given back. */
  stop(): void {
    this.#isClosing = true;
    this.wake();
  }

  /** Stops, and waits for what is on the wire. */
  async close(): Promise<void> {
    this.stop();
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  #startReady(): void {
    if (this.#isClosing) return;
    const { clock, hand } = this.#parts;
    // Here, behind any question that took long: on the wire its lease would end.
    const late = hand.putLateBack(clock.now().getTime());
    if (late.length > 0) this.#track(this.#giveBack(late));
    const ready = hand.start(performance.now());
    for (const { delivery, target } of ready) this.#track(this.#send(delivery, target));
  }

  // One question after the other: while one is answered, the next gathers.
  async #askAll(): Promise<void> {
    try {
      while (this.#isWoken) {
        this.#isWoken = false;
        await this.#askForBatch().catch((error: unknown) => {
          this.#parts.log.warn({ reason: String(error) }, "deliveries can't be sent right now");
        });
        this.#startReady();
        if (this.#parts.hand.wireCount > 0 && !this.#isClosing) await delay(gatherMs);
      }
    } finally {
      this.#isAsking = false;
    }
  }

  async #askForBatch(): Promise<void> {
    const { hand } = this.#parts;
    if (this.#isClosing) return this.#giveBack(hand.putAllBack());
    const batch = hand.ask(performance.now());
    if (batch.length === 0) return;
    try {
      await this.#prepareAll(batch);
    } catch (error) {
      // Nothing of it went out. What can't be given back is due again once its lease has ended.
      await this.#giveBack(batch.filter((delivery) => hand.drop(delivery)));
      throw error;
    }
  }

  async #prepareAll(batch: readonly ClaimedDelivery[]): Promise<void> {
    const { hand, onRoom } = this.#parts;
    const { targets, wantedIds, unwantedIds } = await this.#parts.queue.loadSendTargets({
      ids: batch.map(({ id }) => id),
      leaseTokens: batch.map(({ leaseToken }) => leaseToken),
    });
    const addressees = this.#openAddressees(targets);
    // A question that took long is no reason to ask again: what it says is the newest there is.
    const readAtMs = performance.now();
    const wanted = new Set(wantedIds);
    const unwanted = new Set(unwantedIds);
    const dropped: ClaimedDelivery[] = [];
    for (const delivery of batch) {
      const target = addressees.get(delivery.channelId);
      if (target && wanted.has(delivery.id)) hand.prepare(delivery, { target, readAtMs });
      // Without a target it was cancelled, or deleted with its channel, a moment ago.
      else if (hand.drop(delivery)) dropped.push(delivery);
    }
    if (dropped.length > 0) onRoom();
    const cancelled = dropped.filter(({ id }) => unwanted.has(id));
    if (cancelled.length > 0) this.#track(this.#cancel(cancelled));
  }

  // What a channel said a moment ago and says again, byte for byte, need not be opened again.
  #openAddressees(targets: readonly SendTarget[]): Map<string, Addressee> {
    const before = this.#addressees;
    this.#addressees = new Map(
      targets.map((said) => {
        const known = before.get(said.channelId);
        return [said.channelId, known && isSame(known, said) ? known : this.#openAddressee(said)];
      }),
    );
    return this.#addressees;
  }

  #openAddressee({ channelId, url, encryptedSecret }: SendTarget): Addressee {
    const { secrets, tools } = this.#parts;
    const signer = openSigner(secrets, { channelId, encryptedSecret });
    return { url, encryptedSecret, target: tools.sender.check(url), signer };
  }

  /** What breaks off here is sent again once its lease has ended. */
  #track(work: Promise<void>): void {
    const task = work.catch((error: unknown) => {
      this.#parts.log.error({ reason: String(error) }, "sending broke off");
    });
    this.#tasks.add(task);
    void task.then(() => this.#tasks.delete(task));
  }

  async #send(delivery: ClaimedDelivery, addressee: Addressee): Promise<void> {
    const { completions, hand, log, tools } = this.#parts;
    const attempt = await attemptDelivery(tools, { delivery, ...addressee }).catch((error) => {
      this.#end(delivery);
      throw error;
    });
    logAttempt(log, { delivery, attempt });
    if (attempt.outcome.kind === "delivered") {
      completions.add(attempt, () => {});
      this.#end(delivery);
      return;
    }
    const { channelId } = delivery;
    hand.stop(channelId);
    if (attempt.status === 410 && (await this.#dropChannel(addressee.url, channelId))) {
      // Its deliveries went with it.
      hand.putBack(channelId);
      this.#end(delivery);
      this.#parts.onRoom();
      return;
    }
    // A failing channel gets its places back only once the next claim knows that it fails.
    completions.add(attempt, () => {
      this.#track(this.#giveBack(hand.putBack(channelId)));
      this.#end(delivery);
    });
  }

  #end(delivery: ClaimedDelivery): void {
    const { hand, onRoom } = this.#parts;
    if (hand.end(delivery)) onRoom();
    this.wake();
  }

  async #giveBack(deliveries: readonly Leased[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { clock, onRoom, queue } = this.#parts;
    await queue.releaseLeases({ deliveries, now: clock.now() });
    onRoom();
  }

  /** Only the channel's current URL can say that it is gone for good. */
  async #dropChannel(url: string, channelId: string): Promise<boolean> {
    const { clock, log, queue } = this.#parts;
    const now = clock.now();
    const gone = { channelId, url, auditId: uuidV7(now), now };
    try {
      const isDropped = await queue.transaction((tx) => tx.deleteGoneChannel(gone));
      if (isDropped) log.info({ channelId }, "a channel was dropped: 410 Gone");
      return isDropped;
    } catch (error) {
      // The delivery is retried, and the endpoint will say so again.
      log.warn({ reason: String(error), channelId }, "a channel was not dropped");
      return false;
    }
  }

  async #cancel(unwanted: readonly ClaimedDelivery[]): Promise<void> {
    const { clock, queue } = this.#parts;
    const channelIds = [...new Set(unwanted.map(({ channelId }) => channelId))];
    await queue.cancelDeliveries({ channelIds, held: unwanted, now: clock.now() });
  }
}

function isSame(known: Addressee, said: SendTarget): boolean {
  return known.url === said.url && known.encryptedSecret.equals(said.encryptedSecret);
}

function logAttempt(
  log: Log,
  { delivery, attempt }: { delivery: ClaimedDelivery; attempt: FinishedAttempt },
): void {
  const { deliveryId, channelId, number, status, reason, durationMs, outcome } = attempt;
  const { event } = delivery;
  const facts = { deliveryId, channelId, event, number, status, reason, durationMs, outcome };
  if (outcome.kind === "delivered") log.debug(facts, "delivered");
  else log.info(facts, "an attempt failed");
}
