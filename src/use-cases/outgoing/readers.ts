// The seam for what reads a workspace without channel or key: features list theirs.
import type { DatabaseTransaction } from "../../database/database.ts";

export type Reader = {
  kind: string;
  id: string;
  name: string;
  /** In words. */
  destination: string;
  /** null: the operator made it. */
  madeBy: string | null;
  madeAt: Date;
  usedAt: Date | null;
  endsAt: Date | null;
};

export type ListReaders = (
  database: DatabaseTransaction,
  query: { workspaceId: string; now: Date },
) => Promise<Reader[]>;

/** A table: features add theirs. */
export const readerLists: ListReaders[] = [];
