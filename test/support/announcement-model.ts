// A small model of one channel: which deliveries it has, what became of each, and which reviews and rating drops count as
// announced by them. It knows the rule of docs/webhooks.md, and nothing of tables.
import type { LoggedDelivery } from "../../src/domain/channel/delivery.ts";
import { baseline } from "./announcement-scene.ts";

export type Take = { reviewId: string; rating: number; word: string };

export type ModelSettings = {
  url: string;
  events: string[];
  stars: number[] | null;
  /** A word that the text must have. */
  word: string | null;
  followsView: boolean;
  isPaused: boolean;
};

export type ModelDelivery = {
  /** Known once the database has it. */
  id: string;
  event: "review.created" | "review.updated" | "review.rating_drop";
  take: Take | null;
  status: LoggedDelivery["status"];
  dueAtMs: number;
  isInFlight: boolean;
  hasArrived: boolean;
  /** By hand, and not cancelled since. */
  isSentAgain: boolean;
};

const threshold = 0.1;

export class ModelChannel {
  settings: ModelSettings;
  readonly deliveries: ModelDelivery[] = [];
  /** The deliveries that announced the drop that is not over. */
  readonly #drops = new Set<ModelDelivery>();

  /** The word of the view that channels may follow. */
  readonly #view: { word: string };

  constructor(settings: ModelSettings, view: { word: string }) {
    this.settings = settings;
    this.#view = view;
  }

  /** A new review, or its edit. Returns what is queued. */
  take(take: Take, kind: "new" | "edited", nowMs: number): ModelDelivery | null {
    const event = kind === "new" ? "review.created" : "review.updated";
    return this.#queue(newDelivery(event, take, nowMs));
  }

  rate(average: number, nowMs: number): ModelDelivery | null {
    const drop = Math.round((baseline - average) * 100) / 100;
    if (this.#drops.size > 0) {
      if (drop < threshold / 2) this.#drops.clear();
      return null;
    }
    const queued =
      drop < threshold ? null : this.#queue(newDelivery("review.rating_drop", null, nowMs));
    if (queued) this.#drops.add(queued);
    return queued;
  }

  change(settings: Partial<ModelSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.cancelUnwanted();
  }

  #queue(delivery: ModelDelivery): ModelDelivery | null {
    if (!this.wants(delivery)) return null;
    this.deliveries.push(delivery);
    return delivery;
  }

  wants(delivery: ModelDelivery): boolean {
    const { event, take } = delivery;
    const word = this.settings.followsView ? this.#view.word : this.settings.word;
    const hasWord = event !== "review.created" || word === null || take?.word === word;
    return hasWord && this.#wantsByColumns(delivery);
  }

  /** By what a statement compares, which reads no text. */
  #wantsByColumns({ event, take }: ModelDelivery): boolean {
    const { events, isPaused, stars } = this.settings;
    if (isPaused || !events.includes(event)) return false;
    if (take === null) return true;
    if (event === "review.updated") return this.isAnnounced(take.reviewId);
    return stars?.includes(take.rating) ?? true;
  }

  /** By what its deliveries became, however that came about. */
  isAnnounced(reviewId: string): boolean {
    return this.deliveries
      .filter(({ take }) => take?.reviewId === reviewId)
      .some(({ event, hasArrived, isSentAgain, status }) =>
        event === "review.created" ? status !== "cancelled" : hasArrived || isSentAgain,
      );
  }

  /** Compares everything that waits with the filters of now. */
  cancelUnwanted(): void {
    const unwanted = this.deliveries.filter((one) => one.status === "pending" && !this.wants(one));
    for (const one of unwanted) this.#cancel(one);
    // Edits of reviews that don't count any more.
    if (unwanted.length > 0) this.cancelUnwanted();
  }

  /** A claim found that these are not wanted. Others whose text does not match are cancelled when they are claimed. */
  cancelClaimed(ids: readonly string[]): void {
    const unwanted = this.deliveries.filter(
      (one) => one.status === "pending" && (ids.includes(one.id) || !this.#wantsByColumns(one)),
    );
    for (const one of unwanted) this.#cancel(one);
    if (unwanted.length > 0) this.cancelClaimed([]);
  }

  #cancel(delivery: ModelDelivery): void {
    delivery.status = delivery.hasArrived ? "delivered" : "cancelled";
    if (delivery.hasArrived) return;
    delivery.isSentAgain = false;
    this.#drops.delete(delivery);
  }

  sendAgain(delivery: ModelDelivery, nowMs: number): void {
    delivery.status = "pending";
    delivery.dueAtMs = nowMs;
    delivery.isSentAgain = true;
    this.#countDrop(delivery);
  }

  sendExpiredAgain(nowMs: number): number {
    const again = this.deliveries.filter((one) => one.status === "expired" && this.wants(one));
    for (const one of again) {
      one.status = "pending";
      one.dueAtMs = nowMs;
    }
    return again.length;
  }

  arrive(delivery: ModelDelivery): void {
    if (delivery.status === "cancelled") this.#countDrop(delivery);
    delivery.status = "delivered";
    delivery.hasArrived = true;
  }

  /** Cancelled in flight, it stays cancelled. */
  fail(delivery: ModelDelivery, next: { status: "pending" | "expired"; dueAtMs: number }): void {
    if (delivery.status !== "pending") return;
    delivery.status = next.status;
    delivery.dueAtMs = next.dueAtMs;
  }

  #countDrop(delivery: ModelDelivery): void {
    if (delivery.event === "review.rating_drop") this.#drops.add(delivery);
  }

  isDue({ status, dueAtMs, isInFlight }: ModelDelivery, nowMs: number): boolean {
    return status === "pending" && !isInFlight && dueAtMs <= nowMs;
  }
}

function newDelivery(
  event: ModelDelivery["event"],
  take: Take | null,
  dueAtMs: number,
): ModelDelivery {
  const none = { isInFlight: false, hasArrived: false, isSentAgain: false };
  return { id: "", event, take, status: "pending", dueAtMs, ...none };
}
