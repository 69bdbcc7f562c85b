// An operator's view of the shapes of the stores' payloads: those of the release, and learned ones in their place.

import { AppError } from "../../domain/error.ts";
import type { LearnedShape } from "../../domain/feed/learned-shape.ts";
import type { Clock } from "../../lib/clock.ts";
import { isShapeName, parseShape } from "../../stores/shapes/active-shapes.ts";
import { learnableShapes } from "../../stores/shapes/known-values.ts";
import type { Path, Shape } from "../../stores/shapes/shape.ts";

type ShapeReader = { listLearnedShapes(): Promise<LearnedShape[]> };

/** One row for each shape. `moved`: fields that are elsewhere than in the release, or unknown. */
export async function listShapes(database: ShapeReader) {
  const learned = await database.listLearnedShapes();
  return Object.entries(learnableShapes).map(([name, { shape }]) => {
    const row = learned.find((one) => one.name === name);
    const found = row ? parseShape(row.shape) : null;
    return {
      name,
      version: shape.version,
      state: row?.state ?? "release",
      rounds: row?.roundCount ?? null,
      since: row?.since ?? null,
      evidence: row?.reason ?? null,
      moved: found ? describeMoves(shape, found) : [],
    };
  });
}

/**
 * The shape that pages are read by, or the learned one in any state.
 *
 * @throws AppError `invalid_input` for another name
 */
export async function findShape(
  database: ShapeReader,
  { name, isLearned }: { name: string; isLearned: boolean },
): Promise<Shape> {
  if (!isShapeName(name)) {
    const names = Object.keys(learnableShapes).join(", ");
    throw new AppError("invalid_input", `there is no shape ${name}; shapes are ${names}`);
  }
  const row = (await database.listLearnedShapes()).find((one) => one.name === name);
  const learned = row && (isLearned || row.state === "used") ? parseShape(row.shape) : null;
  return learned ?? learnableShapes[name].shape;
}

/**
 * Uses a shape that another installation exported, until a page contradicts it.
 *
 * @throws AppError `invalid_input` for anything but a shape of this release
 */
export async function importShape(
  deps: {
    clock: Clock;
    actor: string;
    database: { saveLearnedShape(learned: LearnedShape & { actor: string }): Promise<boolean> };
  },
  json: unknown,
): Promise<LearnedShape> {
  const shape = parseShape(json);
  if (!shape) {
    const message = "this is not an exported shape with the fields and the version of this release";
    throw new AppError("invalid_input", message);
  }
  const learned: LearnedShape = {
    ...{ name: shape.name, shape, state: "used", roundCount: 0 },
    reason: "an operator imported it",
    since: deps.clock.now(),
  };
  await deps.database.saveLearnedShape({ ...learned, actor: deps.actor });
  return learned;
}

/** `rating: 2 → -1.3`, and `votes: 6 → unknown`. */
function describeMoves(old: Shape, learned: Shape): string[] {
  const root =
    describePath(old.root) === describePath(learned.root)
      ? []
      : [["items", old.root, learned.root] as const];
  const fields = Object.entries(old.fields).flatMap(([name, { paths }]) => {
    const now = learned.fields[name]?.paths ?? [];
    return JSON.stringify(paths) === JSON.stringify(now) ? [] : [[name, paths[0], now[0]] as const];
  });
  return [...root, ...fields].map(
    ([name, before, now]) =>
      `${name}: ${describePath(before)} → ${now ? describePath(now) : "unknown"}`,
  );
}

function describePath(path: Path | undefined): string {
  return path?.join(".") ?? "unknown";
}
