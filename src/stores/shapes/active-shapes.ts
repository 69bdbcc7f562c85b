// The shapes that pages are read by: those of this release, and learned ones in their place. Remembers the last payload of a few
// feeds, so that one that could not be read can be learned from.

import { z } from "zod";
import type { LearnedShape } from "../../domain/feed/learned-shape.ts";
import { keepRecent } from "../../lib/bounded-map.ts";
import { parseJson } from "../../lib/json.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import { learnableShapes, type ShapeName } from "./known-values.ts";
import type { Path, Shape } from "./shape.ts";

/** The feed that a payload is from. */
type FeedOfPayload = { externalAppId: string; region: string };

/** More than are crawled at once. A payload takes some hundred kilobytes. */
const payloadCountMax = 12;
/** A store that changes every second page rarely shows so many in a row. */
const learnedRunMin = 5;

type ShapeOf<Name extends ShapeName> = Shape<(typeof learnableShapes)[Name]["shape"]["fields"]>;

export class ActiveShapes {
  #learned: ReadonlyMap<string, Shape> = new Map();
  #tried: ReadonlySet<string> = new Set();
  readonly #readAt = new Map<string, Date>();
  readonly #explainedAt = new Map<string, Date>();
  readonly #usedSince = new Map<string, Date>();
  /** Pages in a row that were right by the learned shape. */
  readonly #learnedRuns = new Map<string, number>();
  /** Since when a learned shape is tried, by its name. */
  readonly #triedSince = new Map<string, Date>();
  readonly #payloads = new Map<string, unknown>();

  find<Name extends ShapeName>(name: Name): ShapeOf<Name> {
    return (this.#learned.get(name) ?? learnableShapes[name].shape) as ShapeOf<Name>;
  }

  /** The shapes that pages of reviews may have: where a store changes a part of its pages, old and new ones. */
  findAll<Name extends ShapeName>(name: Name): ShapeOf<Name>[] {
    const shape = this.find(name);
    const release = learnableShapes[name].shape as ShapeOf<Name>;
    return shape === release ? [release] : [shape, release];
  }

  nameOf(shape: Shape): string {
    return Object.values(learnableShapes).some((one) => one.shape === shape)
      ? "release"
      : "learned";
  }

  /** A page whose known reviews are right by one shape alone. */
  noteRead(name: ShapeName, read: { shape: string; now: Date }): void {
    this.#readAt.set(`${name} ${read.shape}`, read.now);
    const count = this.#learnedRuns.get(name) ?? 0;
    this.#learnedRuns.set(name, read.shape === "release" ? 0 : count + 1);
  }

  /**
   * The learned shape where several pages were right by it within a day, and none by that of the release since the store
   * changed them; null otherwise.
   */
  findSole(name: ShapeName, now: Date): string | null {
    const readMsAgo = (shape: string): number =>
      now.getTime() - (this.#readAt.get(`${name} ${shape}`)?.getTime() ?? 0);
    const triedMsAgo = now.getTime() - (this.#triedSince.get(name) ?? now).getTime();
    // Pages of the release that were right shortly before may be those that the store did not change.
    const isFormer = readMsAgo("release") > Math.min(triedMsAgo + hourMs, dayMs);
    const isRepeated = (this.#learnedRuns.get(name) ?? 0) >= learnedRunMin;
    return readMsAgo("learned") < dayMs && isFormer && isRepeated ? "learned" : null;
  }

  /** Whether a learned shape is in use. */
  isLearned(name: ShapeName): boolean {
    return this.#learned.has(name);
  }

  /** A page that the learned shape explains, while it is not in use. */
  noteExplained(name: ShapeName, now: Date): void {
    this.#explainedAt.set(name, now);
  }

  /** Whether no page had the learned shape for a day, as far as this process knows. */
  isUnseen(name: ShapeName, now: Date): boolean {
    const times = [this.#readAt.get(`${name} learned`), this.#explainedAt.get(name)];
    const seen = times.flatMap((time) => time?.getTime() ?? []);
    const at = seen.length > 0 ? new Date(Math.max(...seen)) : this.#usedSince.get(name);
    if (at === undefined) this.#usedSince.set(name, now);
    return at !== undefined && now.getTime() - at.getTime() >= dayMs;
  }

  /** Whether pages in order contradict what was learned. */
  isTried(name: ShapeName): boolean {
    return this.#tried.has(name);
  }

  /** Uses the learned shapes that are in use, and the release's for all others. */
  use(learned: readonly LearnedShape[]): void {
    const tried = learned.filter(({ state }) => state === "shadow" || state === "proposed");
    this.#tried = new Set(tried.map(({ name }) => name));
    for (const { name, state, since } of learned) {
      if (state === "withdrawn") this.#triedSince.delete(name);
      else if (!this.#triedSince.has(name)) this.#triedSince.set(name, since);
    }
    const used = learned
      .filter(({ state }) => state === "used")
      .map(({ shape }) => parseShape(shape));
    this.#learned = new Map(used.flatMap((shape) => (shape ? [[shape.name, shape]] : [])));
  }

  /** Nothing says nothing: a second call may not answer. */
  notePayload(name: ShapeName, feed: FeedOfPayload, payload: unknown): void {
    if ((payload ?? null) === null) return;
    const noted = { key: keyOf(name, feed), value: payload, countMax: payloadCountMax };
    keepRecent(this.#payloads, noted);
  }

  /** The last payload of a feed, once. */
  takePayload(name: ShapeName, feed: FeedOfPayload): unknown {
    const key = keyOf(name, feed);
    const payload = this.#payloads.get(key);
    this.#payloads.delete(key);
    return typeof payload === "string" ? parseJson(payload) : payload;
  }
}

function keyOf(name: ShapeName, { externalAppId, region }: FeedOfPayload): string {
  return [name, externalAppId, region].join(" ");
}

const path: z.ZodType<Path> = z
  .array(z.union([z.string().max(100), z.int().min(-1).max(10_000)]))
  .max(20);
const shapeSchema = z.strictObject({
  name: z.string().max(100),
  version: z.int(),
  root: path,
  fields: z.record(
    z.string().max(100),
    z.strictObject({
      type: z.enum(["text", "number", "count", "value"]),
      paths: z.array(path).max(10),
    }),
  ),
});

/** null unless it is a shape that this release knows, with the same fields, types and version. */
export function parseShape(json: unknown): Shape | null {
  const { data: shape } = shapeSchema.safeParse(json);
  const known = shape && isShapeName(shape.name) ? learnableShapes[shape.name].shape : null;
  if (!shape || !known || shape.version !== known.version) return null;
  const describe = ({ fields }: Shape): string[] =>
    Object.entries(fields)
      .map(([name, { type }]) => `${name} ${type}`)
      .sort();
  return describe(shape).join() === describe(known).join() ? shape : null;
}

export function isShapeName(name: string): name is ShapeName {
  return Object.hasOwn(learnableShapes, name);
}
