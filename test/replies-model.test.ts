// A model check of answers to reviews: random sequences of people in two workspaces, colleagues in the store's console,
// reviewers, crawls that are late, processes that crash before and after each request, two processes at once, and requests that
// time out. Each request to publish is held against what its author saw, and the end against the store. REPLIES_SEEDS,
// REPLIES_STEPS and REPLIES_FIRST_SEED say how much.
import { afterAll, expect, test } from "vitest";
import { connectIdOf } from "../simulator/connect-review.ts";
import { AppError } from "../src/domain/error.ts";
import { replyFilterValues } from "../src/domain/review/reply-state.ts";
import { isSameAnswer, type StoreAnswers } from "../src/domain/review/store-answer.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import type { FetchedPage } from "../src/stores/store.ts";
import { createRandom } from "./product/chaos/model-steps.ts";
import { longTest } from "./support/patience.ts";
import {
  Crash,
  logOfProcess,
  toFilterValue,
  UnknownAttempts,
  type View,
} from "./support/reply-model.ts";
import { openReplyWorld, type ReplyWorld } from "./support/reply-world.ts";
import { openTestContext } from "./support/test-context.ts";
import { volume } from "./support/volume.ts";

const seedCount = Number(process.env["REPLIES_SEEDS"] ?? volume(10));
const firstSeed = Number(process.env["REPLIES_FIRST_SEED"] ?? 1);
const stepCount = Number(process.env["REPLIES_STEPS"] ?? 120);
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

const totals = { steps: 0, published: 0, crashes: 0, faults: 0, refusals: 0, elsewhere: 0 };
afterAll(() => {
  process.stderr.write(`answers: ${JSON.stringify(totals)}\n`);
});

type Wish = { text: string | null; saw: string | null };
type Team = ReplyWorld["teams"][number];
type Review = ReplyWorld["reviews"][number];

test.each(["appstore", "googleplay"] as const)(
  "%s: never two different answers by mistake, none lost, and every state is right at the end",
  longTest,
  async (store) => {
    for (const seed of seeds) await runModel(store, seed);
    expect(totals.published).toBeGreaterThan(0);
    expect(totals.crashes).toBeGreaterThan(0);
  },
);

async function runModel(store: StoreId, seed: number): Promise<void> {
  const context = await openTestContext();
  const run = new Run(store, seed);
  const world = await openReplyWorld(context, {
    ...{ store, reviewCount: 2, teamCount: 2, log: logOfProcess },
    change: (answers) => run.watch(answers),
  });
  try {
    run.begin(world);
    for (let step = 0; step < stepCount; step += 1) await run.step();
    await run.settle();
    await run.check();
  } catch (error) {
    throw new Error(`${store}, seed ${seed}: ${run.trail.slice(-25).join("\n")}`, { cause: error });
  } finally {
    await world.close();
    await context.close();
  }
}

class Run {
  readonly trail: string[] = [];
  readonly #store: StoreId;
  readonly #random: ReturnType<typeof createRandom>;
  #world!: ReplyWorld;
  /** The last accepted wish of each workspace for each review. */
  readonly #wishes = new Map<string, Wish>();
  readonly #authors = new Map<string, Team>();
  /** The answers that people read, which may be old. */
  readonly #screens = new Map<string, View>();
  /** Each change of a store's answer, by review. */
  readonly #changes = new Map<string, { text: string | null; isOurs: boolean }[]>();
  readonly #unknown = new UnknownAttempts();
  #oldPage: FetchedPage | null = null;
  #isCalm = false;
  #isInConsole = false;
  #textCount = 0;

  constructor(store: StoreId, seed: number) {
    this.#store = store;
    this.#random = createRandom(seed);
  }

  begin(world: ReplyWorld): void {
    this.#world = world;
    const { storeState } = world.harness;
    const addReply = storeState.addReply.bind(storeState);
    storeState.addReply = (app, answer) => {
      const { storeReviewId, reply } = answer;
      const log = this.#changes.get(storeReviewId) ?? [];
      const isOurs = !this.#isInConsole;
      const before = log.at(-1);
      const isAgain = isOurs && before?.isOurs && before.text === reply?.text;
      if (isAgain) throw new Error(`${reply?.text} was sent twice`);
      this.#changes.set(storeReviewId, [...log, { text: reply?.text ?? null, isOurs }]);
      if (isOurs) totals.published += 1;
      addReply(app, answer);
    };
  }

  /** Crashes before and after requests, and checks each that leaves. */
  watch(answers: StoreAnswers): StoreAnswers {
    const around = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
      this.#maybeCrash(`before ${name}`);
      const result = await call();
      this.#maybeCrash(`after ${name}`);
      return result;
    };
    return {
      read: async (review) => {
        if (!this.#isCalm && this.#random.below(25) === 0)
          this.#writeElsewhere(this.#reviewRead(review));
        const result = await around("read", () => answers.read(review));
        // A successful read gives the outcome of the requests before it.
        if (result.outcome === "ok") this.#unknown.settle(this.#reviewRead(review).id);
        return result;
      },
      publish: async (answer) => {
        const key = this.#assertWished(answer.text);
        this.#unknown.add(key, this.#world.clock.now());
        const result = await around("publish", () => answers.publish(answer));
        const isKnown = result.outcome !== "unknown" || result.isTaken === "no";
        if (isKnown) this.#unknown.settle(key);
        return result;
      },
      withdraw: (review) => {
        this.#assertWithdrawalWished(review.storeReviewId);
        return around("withdraw", () => answers.withdraw(review));
      },
    };
  }

  #maybeCrash(when: string): void {
    if (this.#isCalm || this.#random.below(8) !== 0) return;
    totals.crashes += 1;
    this.trail.push(`crash ${when}`);
    throw new Crash(when);
  }

  /** The text is the last wish of its team, and the store has what its author saw. */
  #assertWished(text: string): string {
    const [key = "", wish] = [...this.#wishes].find(([, one]) => one.text === text) ?? [];
    expect(wish, `nobody wishes ${text} any more`).toBeDefined();
    const { storeReviewId } = this.#reviewOf(key);
    const now = this.#world.inStore(storeReviewId);
    const isExpected = now === null ? wish?.saw === null : isSameAnswer(now, wish?.saw ?? null);
    expect(isExpected, `${text} over ${now}; its author saw ${wish?.saw}`).toBe(true);
    return key;
  }

  /** A team wishes the withdrawal of the answer that the store has. */
  #assertWithdrawalWished(id: string): void {
    const review = this.#reviewRead({ storeReviewId: id });
    const now = this.#world.inStore(review.storeReviewId);
    const isWished = [...this.#wishes].some(
      ([key, { text, saw }]) =>
        text === null && isSameAnswer(saw, now) && this.#reviewOf(key) === review,
    );
    expect(isWished, `nobody wishes that ${now} is withdrawn`).toBe(true);
  }

  async step(): Promise<void> {
    totals.steps += 1;
    const steps = [
      ...Array(2).fill(() => this.#look()),
      ...Array(6).fill(() => this.#send()),
      ...Array(8).fill(() => this.#work()),
      ...Array(2).fill(() => this.#wait()),
      ...Array(2).fill(() => this.#crawl()),
      () => this.#withdraw(),
      () => this.#withdrawUnread(),
      () => this.#takeBack(),
      () => this.#draft(),
      () => this.#writeElsewhere(),
      () => this.#edit(),
      ...Array(2).fill(() => this.#fault()),
      () => this.#wait(),
      () => this.#world.recheck(),
    ];
    await this.#pick(steps)();
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.below(list.length)] as T;
  }

  #place(): { team: Team; review: Review; key: string } {
    const team = this.#pick(this.#world.teams);
    const review = this.#pick(this.#world.reviews);
    return { team, review, key: `${team.workspaceId} ${review.id}` };
  }

  #reviewOf(key: string): Review {
    const found = this.#world.reviews.find(({ id }) => key.endsWith(id));
    if (!found) throw new Error(`no review of ${key}`);
    return found;
  }

  /** By the id that the store has for it. */
  #reviewRead({ storeReviewId }: { storeReviewId: string }): Review {
    const idOf = this.#store === "appstore" ? connectIdOf : (id: string): string => id;
    const found = this.#world.reviews.find((one) => idOf(one.storeReviewId) === storeReviewId);
    if (!found) throw new Error(`no review ${storeReviewId}`);
    return found;
  }

  async #look(): Promise<void> {
    const { team, review, key } = this.#place();
    this.#screens.set(key, await this.#world.readView(review.id, team));
  }

  async #send(): Promise<void> {
    const { team, review, key } = this.#place();
    if (this.#random.below(4) > 0)
      this.#screens.set(key, await this.#world.readView(review.id, team));
    const saw = this.#screens.get(key)?.publicText ?? null;
    this.#textCount += 1;
    const text = `Answer ${this.#textCount}`;
    await this.#attempt(`send ${text} over ${saw} to ${review.storeReviewId}`, async () => {
      await this.#world.send(review.id, { text, replaces: saw }, team);
      this.#unknown.assertNone(key, this.#world.clock.now());
      this.#wishes.set(key, { text, saw });
      this.#authors.set(text, team);
    });
  }

  async #withdraw(): Promise<void> {
    const { team, review, key } = this.#place();
    if (this.#random.below(4) > 0)
      this.#screens.set(key, await this.#world.readView(review.id, team));
    const saw = this.#screens.get(key)?.publicText ?? null;
    await this.#attempt(`withdraw ${saw} of ${review.storeReviewId}`, async () => {
      await this.#world.withdraw(review.id, { replaces: saw }, team);
      this.#unknown.assertNone(key, this.#world.clock.now());
      this.#wishes.set(key, { text: null, saw });
    });
  }

  /** Withdrawing needs a quote of the public answer. */
  async #withdrawUnread(): Promise<void> {
    const { team, review } = this.#place();
    await expect(this.#world.withdraw(review.id, {}, team)).rejects.toThrow(AppError);
  }

  async #takeBack(): Promise<void> {
    const { team, review, key } = this.#place();
    await this.#attempt(`take back ${review.storeReviewId}`, async () => {
      await this.#world.takeBack(review.id, team);
      this.#unknown.assertNone(key, this.#world.clock.now());
      this.#wishes.delete(key);
    });
  }

  async #draft(): Promise<void> {
    const { team, review } = this.#place();
    await this.#world.draft(review.id, `Draft ${this.#random.below(100)}`, team);
  }

  /** A refusal is an answer to people. Anything else is a bug. */
  async #attempt(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.trail.push(what);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      totals.refusals += 1;
      this.trail.push(`refused: ${what}`);
    }
  }

  async #work(): Promise<void> {
    this.trail.push("work");
    const processes = this.#random.below(3) === 0 ? 2 : 1;
    const ended = await Promise.allSettled(
      Array.from({ length: processes }, () => this.#world.work()),
    );
    for (const one of ended)
      if (one.status === "rejected" && !(one.reason instanceof Crash)) throw one.reason;
  }

  async #crawl(): Promise<void> {
    const page = this.#random.below(3) === 0 ? this.#oldPage : null;
    this.#oldPage = await this.#world.fetchPage();
    await this.#world.crawl(page ?? this.#oldPage);
  }

  #writeElsewhere({ storeReviewId } = this.#pick(this.#world.reviews)): void {
    this.#textCount += 1;
    const text = this.#random.below(3) === 0 ? null : `Console ${this.#textCount}`;
    totals.elsewhere += 1;
    this.trail.push(`console writes ${text} to ${storeReviewId}`);
    this.#isInConsole = true;
    this.#world.writeElsewhere(storeReviewId, text);
    this.#isInConsole = false;
  }

  async #edit(): Promise<void> {
    const { storeReviewId } = this.#pick(this.#world.reviews);
    const rating = 1 + this.#random.below(5);
    const text = `Changed ${this.#random.below(1_000)}`;
    this.#world.clock.advance(minuteMs);
    const { storeState } = this.#world.harness;
    storeState.editReview(this.#world.key, { storeReviewId, rating, text });
    if (this.#random.below(2) === 0) await this.#crawl();
  }

  #fault(): void {
    totals.faults += 1;
    const { fail, failReads, setRules } = this.#world;
    this.#pick([
      () => fail({ fault: "cut", times: 1 }),
      () => fail({ fault: "server_error", times: 1 }),
      () => fail({ fault: "server_error", isLost: true, times: 1 }),
      () => fail({ fault: "too_many", isLost: true, times: 1 }),
      () => fail({ fault: "refused", status: 403, isLost: true, times: 1 }),
      () => failReads({ fault: "cut", times: 1 }),
      () => failReads({ fault: "too_many", times: 1 }),
      () => failReads({ fault: "refused", status: 403, times: 1 }),
      () => setRules({ delayMs: this.#random.below(3) * hourMs }),
    ])();
  }

  #wait(): void {
    const durationMs = this.#pick([minuteMs, 6 * minuteMs, hourMs, 8 * hourMs]);
    this.trail.push(`${durationMs / minuteMs} minutes`);
    this.#world.clock.advance(durationMs);
  }

  /** Without new trouble, until nothing is left to do. */
  async settle(): Promise<void> {
    this.#isCalm = true;
    const { clock, harness } = this.#world;
    harness.simulator.faultFlags.disable();
    for (let round = 0; round < 12; round += 1) {
      clock.advance(7 * hourMs);
      await this.#world.crawl();
      await this.#world.recheck();
      await this.#world.work();
    }
  }

  async check(): Promise<void> {
    for (const team of this.#world.teams) {
      for (const { id, storeReviewId } of this.#world.reviews) {
        const view = await this.#world.readView(id, team);
        const text = this.#world.inStore(storeReviewId);
        const about = `${this.#store} ${storeReviewId} ${JSON.stringify(view)}`;
        expect(view.publicText, about).toBe(text);
        const isOurs = text !== null && this.#authors.get(text) === team;
        this.#checkState(view, { text, about, isOurs });
        await this.#checkFilter(view, team);
        const wish = this.#wishes.get(`${team.workspaceId} ${id}`);
        if (!wish?.text) continue;
        const isPublished = this.#changes
          .get(storeReviewId)
          ?.some((one) => one.isOurs && one.text === wish.text);
        // Kept, and with a reason where the store never had it.
        expect(view.text, about).toBe(wish.text);
        if (!isPublished) expect(view.reason, about).not.toBe(null);
      }
    }
  }

  /** The filter of lists finds the review under the one value that its state has. */
  async #checkFilter(view: View, { workspaceId, listing }: Team): Promise<void> {
    const { database } = this.#world;
    const [review] = await database.loadReviews({ listingId: listing.id, ids: [view.id] });
    const apps = await database.listFollowedApps({ workspaceId, ids: null });
    const found: string[] = [];
    for (const reply of replyFilterValues) {
      const query = { workspaceId, apps, filters: { reply }, after: null, limit: 100 };
      const { keys } = await database.listReviewKeys(query);
      if (keys.some(({ id }) => id === view.id)) found.push(reply);
    }
    expect(found, JSON.stringify(view)).toEqual([toFilterValue(view, review?.date ?? null)]);
  }

  #checkState(
    { state, reason }: View,
    { text, about, isOurs }: { text: string | null; about: string; isOurs: boolean },
  ): void {
    if (state === "published") expect([isOurs, reason], about).toEqual([true, null]);
    else if (state === "elsewhere") expect([text !== null, isOurs], about).toEqual([true, false]);
    else if (state === "outdated") expect(text, about).not.toBe(null);
    else if (state === "refused") expect(reason, about).not.toBe(null);
    else {
      expect(["unanswered", "draft", "withdrawn"], about).toContain(state);
      expect(text, about).toBe(null);
    }
  }
}
