// A run of the model of announcements: each step changes the service and the model alike, and compares them. Deliveries are
// claimed and answered by hand, so that each answer comes when the seed says, and the rest goes by a real engine.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type {
  ClaimedChannel,
  DeliveryOutcome,
  DueDelivery,
} from "../../src/domain/channel/delivery.ts";
import { hourMs, minuteMs } from "../../src/lib/timestamp.ts";
import { createView } from "../../src/operations/view.ts";
import { createRandom, type Random } from "../product/chaos/model-steps.ts";
import { redeliverExpired } from "./acts.ts";
import {
  ModelChannel,
  type ModelDelivery,
  type ModelSettings,
  type Take,
} from "./announcement-model.ts";
import { baseline, openAnnouncementSource } from "./announcement-scene.ts";
import type { ChannelWorld } from "./channel-world.ts";
import { noLimits } from "./claims.ts";
import { act } from "./operations.ts";
import type { Receiver } from "./receiver.ts";

type RunOptions = { world: ChannelWorld; receiver: Receiver; seed: number };
type Source = Awaited<ReturnType<typeof openAnnouncementSource>>;
type Claimed = { due: DueDelivery; model: ModelDelivery; channel: ModelChannel };

const words = ["boat", "tide"] as const;
const allEvents = ["review.created", "review.updated", "review.rating_drop"];
const eventChoices = [allEvents, allEvents, allEvents.slice(0, 2), allEvents.slice(1)];
const outcomes = ["delivered", "delivered", "delivered", "retry", "retry", "expired"] as const;
/** How often each step is taken. */
const weights = {
  takeNew: 8,
  takeEdit: 12,
  rate: 12,
  changeFilter: 5,
  pauseOrResume: 5,
  changeView: 2,
  move: 2,
  claim: 8,
  answer: 16,
  answerGone: 1,
  sendAgain: 8,
  sendExpiredAgain: 2,
  wait: 3,
} as const;
type StepName = keyof typeof weights;
const stepNames = Object.keys(weights) as StepName[];
const weighted = stepNames.flatMap((name) => Array.from({ length: weights[name] }, () => name));

export class AnnouncementRun {
  readonly #options: RunOptions;
  readonly #source: Source;
  readonly #workerId: number;
  readonly #random: Random;
  readonly #channels = new Map<string, ModelChannel>();
  readonly #reviews = new Map<string, Take>();
  #inFlight: Claimed[] = [];
  readonly #view = { word: "boat" };
  readonly #counts = new Map<StepName, number>();
  #queuedCount = 0;

  private constructor(options: RunOptions, opened: { source: Source; workerId: number }) {
    this.#options = options;
    this.#source = opened.source;
    this.#workerId = opened.workerId;
    this.#random = createRandom(options.seed);
  }

  static async open(options: RunOptions): Promise<AnnouncementRun> {
    const { world } = options;
    const source = await openAnnouncementSource(world);
    const workerId = await world.database.addWorker({ leaseMs: hourMs });
    const run = new AnnouncementRun(options, { source, workerId });
    await run.#saveView();
    for (let count = 0; count < 2; count += 1) await run.#addChannel();
    return run;
  }

  describe(): string {
    const steps = [...this.#counts].map(([name, count]) => `${name} ${count}`).join(", ");
    return `${this.#queuedCount} events queued: ${steps}`;
  }

  async step(): Promise<void> {
    const name = this.#pick(weighted);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    await this[name]();
    await this.#compare(name);
  }

  takeNew = (): Promise<void> => this.#take(null);
  takeEdit = (): Promise<void> =>
    this.#take(this.#random.pick([...this.#reviews.values()]) ?? null);

  async #take(before: Take | null): Promise<void> {
    const reviewId = before?.reviewId ?? `r${this.#reviews.size}`;
    const take = { reviewId, rating: 1 + this.#random.below(5), word: this.#pick(words) };
    if (before?.rating === take.rating && before.word === take.word) return;
    this.#reviews.set(reviewId, take);
    const queuedCount = await this.#source.take(reviewId, take.rating, take.word);
    const kind = before ? "edited" : "new";
    this.#expectQueued(queuedCount, (channel) => channel.take(take, kind, this.#nowMs));
  }

  async rate(): Promise<void> {
    const average = baseline - this.#pick([0, 0.08, 0.3, 0.4]);
    const queuedCount = await this.#source.rate(average);
    this.#expectQueued(queuedCount, (channel) => channel.rate(average, this.#nowMs));
  }

  #expectQueued(count: number, queue: (channel: ModelChannel) => ModelDelivery | null): void {
    const owed = [...this.#channels.values()].filter(queue);
    expect(count, this.#where("queued")).toBe(owed.length);
    this.#queuedCount += count;
  }

  async changeFilter(): Promise<void> {
    const own = {
      stars: this.#pick([null, null, [1, 2], [4, 5]]),
      word: this.#pick([null, null, ...words]),
      followsView: false,
    };
    const chosen = this.#pick([own, own, { stars: null, word: null, followsView: true }]);
    await this.#change({ ...chosen, events: this.#pick(eventChoices) });
  }

  async #change(change: Partial<ModelSettings>): Promise<void> {
    const [id, channel] = this.#pickChannel();
    const { word, followsView, ...settings } = change;
    const isFilter = followsView !== undefined;
    const filters = { filter: word && `q=${word}`, view: followsView ? "Words" : null };
    await this.#source.change(id, isFilter ? { ...settings, ...filters } : settings);
    channel.change(change);
  }

  async pauseOrResume(): Promise<void> {
    const paused = [...this.#channels].filter(([, { settings }]) => settings.isPaused);
    const [id, channel] = paused[0] ?? this.#pickChannel();
    const isPaused = !channel.settings.isPaused;
    await this.#source.change(id, { isPaused });
    channel.change({ isPaused });
  }

  move = (): Promise<void> => this.#change({ url: this.#pickUrl() });

  async changeView(): Promise<void> {
    this.#view.word = this.#pick(words);
    await this.#saveView();
    for (const channel of this.#channels.values())
      if (channel.settings.followsView) channel.cancelUnwanted();
  }

  /** Due deliveries are on their way then; those that the claim finds unwanted are cancelled. */
  async claim(): Promise<void> {
    const { database, clock } = this.#options.world;
    const busyIds = this.#inFlight.map(({ due }) => due.id);
    const held = [...this.#channels.keys()].map((channelId) => ({
      channelId,
      countMax: 64,
      busyIds,
    }));
    const request = { ...noLimits, workerId: this.#workerId, now: clock.now(), held };
    for (const claimed of await database.claimDeliveries(request)) await this.#takeClaim(claimed);
  }

  async #takeClaim({ channelId, version, deliveries }: ClaimedChannel): Promise<void> {
    const { database, clock } = this.#options.world;
    const channel = this.#channels.get(channelId);
    if (!channel) return;
    const due = channel.deliveries.filter((one) => channel.isDue(one, this.#nowMs));
    const sendable = due.filter((one) => channel.wants(one));
    const sent = deliveries.filter(({ isWanted }) => isWanted);
    expect(idsOf(deliveries), this.#where("due")).toEqual(idsOf(due));
    expect(idsOf(sent), this.#where("claimed")).toEqual(idsOf(sendable));
    for (const delivery of sent) {
      const model = sendable.find(({ id }) => id === delivery.id);
      if (!model) continue;
      model.isInFlight = true;
      this.#inFlight.push({ due: delivery, model, channel });
    }
    const unwantedIds = idsOf(deliveries.filter(({ isWanted }) => !isWanted));
    if (unwantedIds.length === 0) return;
    const cancel = { channelId, version, now: clock.now(), unwantedIds };
    await database.transaction((tx) => tx.cancelClaimed(cancel));
    channel.cancelClaimed(unwantedIds);
  }

  /** Late for one that was cancelled meanwhile. */
  async answer(): Promise<void> {
    const claimed = this.#random.pick(this.#inFlight);
    if (!claimed) return;
    const kind = this.#pick(outcomes);
    const dueAt = new Date(this.#nowMs + 10 * minuteMs);
    await this.#finish(claimed, kind === "retry" ? { kind, dueAt } : { kind });
  }

  async #finish({ due, model, channel }: Claimed, outcome: DeliveryOutcome): Promise<void> {
    const { database, clock } = this.#options.world;
    this.#inFlight = this.#inFlight.filter((one) => one.model !== model);
    const isDelivered = outcome.kind === "delivered";
    const attempt = {
      deliveryId: due.id,
      channelId: due.channelId,
      event: due.event,
      number: due.attemptCount + 1,
      startedAt: clock.now(),
      durationMs: 5,
      status: isDelivered ? 200 : 503,
      reason: isDelivered ? null : "HTTP 503",
      answer: null,
      isTimeout: false,
      outcome,
    };
    const now = clock.now();
    const workerId = this.#workerId;
    await database.saveOutcomes({ workerId, attempts: [attempt], healths: [], now });
    model.isInFlight = false;
    if (isDelivered) channel.arrive(model);
    else if (outcome.kind === "retry")
      channel.fail(model, { status: "pending", dueAtMs: outcome.dueAt.getTime() });
    else channel.fail(model, { status: "expired", dueAtMs: 0 });
  }

  /** 410: the channel is deleted, and another one begins. */
  async answerGone(): Promise<void> {
    const claimed = this.#random.pick(this.#inFlight);
    if (!claimed) return;
    const { channel, due } = claimed;
    const { channelId } = due;
    const { database, clock } = this.#options.world;
    const { url } = channel.settings;
    const gone = { channelId, url, auditId: randomUUID(), now: clock.now() };
    expect(await database.transaction((tx) => tx.deleteGoneChannel(gone))).toBe(true);
    this.#channels.delete(channelId);
    this.#inFlight = this.#inFlight.filter((one) => one.channel !== channel);
    await this.#addChannel();
  }

  async sendAgain(): Promise<void> {
    const [, channel] = this.#pickChannel();
    const isOnItsWay = ({ status, dueAtMs }: ModelDelivery) =>
      status === "pending" && dueAtMs <= this.#nowMs;
    const delivery = this.#random.pick(channel.deliveries.filter((one) => !isOnItsWay(one)));
    if (!delivery || channel.settings.isPaused) return;
    await this.#source.sendAgain(delivery.id);
    channel.sendAgain(delivery, this.#nowMs);
  }

  async sendExpiredAgain(): Promise<void> {
    const [channelId, channel] = this.#pickChannel();
    if (channel.settings.isPaused) return;
    const { clock, workspaceId } = this.#options.world;
    clock.advance(minuteMs);
    const { queued } = await redeliverExpired(this.#source.deps, { channelId, workspaceId });
    expect(queued, this.#where("sent again")).toBe(channel.sendExpiredAgain(this.#nowMs));
  }

  async wait(): Promise<void> {
    this.#options.world.clock.advance(15 * minuteMs);
  }

  /** By a real engine to a real endpoint: everything that is wanted arrives, once, and nothing else. */
  async deliverTheRest(): Promise<void> {
    const { world, receiver } = this.#options;
    for (const claimed of [...this.#inFlight]) await this.#finish(claimed, { kind: "delivered" });
    await world.database.removeWorker(this.#workerId);
    await world.database.freeAbandonedChannels(world.clock.now());
    world.clock.advance(hourMs);
    const owed: string[] = [];
    for (const channel of this.#channels.values()) {
      channel.cancelUnwanted();
      const waiting = channel.deliveries.filter(({ status }) => status === "pending");
      for (const one of waiting) channel.arrive(one);
      owed.push(...idsOf(waiting));
    }
    const engine = world.run();
    await engine.outcomes.waitFor(owed.length);
    await engine.close();
    const received = receiver.requests.map(({ headers }) => headers["x-service-delivery"]);
    expect(received.sort(), this.#where("received")).toEqual(owed.sort());
    await this.#compare("the end");
  }

  /** The log of each channel is the model's, in its order; queued deliveries get their ids. */
  async #compare(step: string): Promise<void> {
    for (const [channelId, channel] of this.#channels) {
      const log = await this.#source.deliveries(channelId);
      for (const [index, { id }] of log.entries()) {
        const known = channel.deliveries[index];
        if (known) known.id ||= id;
      }
      expect(log.map(describe), this.#where(step)).toEqual(channel.deliveries.map(describe));
    }
  }

  #where(what: string): string {
    const stepCount = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    return `seed ${this.#options.seed}, step ${stepCount}: ${what}`;
  }

  get #nowMs(): number {
    return this.#options.world.clock.now().getTime();
  }

  #pick<Item>(items: readonly Item[]): Item {
    const [first] = items;
    if (first === undefined) throw new Error("nothing can be picked from an empty list");
    return this.#random.pick(items) ?? first;
  }

  #pickChannel(): [string, ModelChannel] {
    return this.#pick([...this.#channels]);
  }

  #pickUrl(): string {
    return `${new URL(this.#options.receiver.url).origin}/${this.#pick(["a", "b"])}`;
  }

  async #saveView(): Promise<void> {
    const { workspaceId } = this.#options.world;
    const view = { workspaceId, name: "Words", query: `q=${this.#view.word}` };
    await act(this.#source.deps, createView, view);
  }

  async #addChannel(): Promise<void> {
    const url = this.#pickUrl();
    const { channel } = await this.#source.addChannel({ url });
    const none = { stars: null, word: null, followsView: false, isPaused: false };
    const model = new ModelChannel({ url, events: allEvents, ...none }, this.#view);
    this.#channels.set(channel.id, model);
  }
}

const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id).sort();

const describe = ({ id, event, status }: Record<"id" | "event" | "status", string>): string =>
  `${id} ${event} ${status}`;
