// The lines that features add to the export of a workspace, and how an import takes them back.
import type { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/database.ts";

export type PortableKind = {
  /** The name of its lines. */
  kind: string;
  /** In batches. */
  list(database: Database, scope: { workspaceId: string }): AsyncIterable<readonly object[]>;
  schema: z.ZodObject;
  /** In a transaction of its own; `line` is of the schema. False where it is left out. */
  save(
    tx: DatabaseTransaction,
    line: object & { workspaceId: string },
    scope: { now: Date },
  ): Promise<unknown>;
};

/** Ties the lines that are saved to their schema. */
export function portableKind<Line extends z.ZodObject>(
  kind: Omit<PortableKind, "schema" | "save"> & {
    schema: Line;
    save(
      tx: DatabaseTransaction,
      line: z.output<Line> & { workspaceId: string },
      scope: { now: Date },
    ): Promise<unknown>;
  },
): PortableKind {
  return kind as PortableKind;
}

/** A table: features add theirs. */
export const portableKinds: PortableKind[] = [];
