// The seam for programs that read a workspace without channel, key or link: features list theirs.
import type { DatabaseTransaction } from "../../database/database.ts";

export type Reader = { kind: "sql"; id: string; name: string; destination: string; madeAt: Date };

export type ListReaders = (
  database: DatabaseTransaction,
  scope: { workspaceId: string },
) => Promise<Reader[]>;

/** A table: features add theirs. */
export const readerLists: ListReaders[] = [];
