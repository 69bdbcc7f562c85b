// The seam for a server that the product brings, where DATABASE_URL names none. A feature hands it in.
import type { Log } from "../lib/log.ts";
import type { DatabaseAccess } from "./pool.ts";

/** In the data folder. Both throw AppError `unavailable`. */
export type OwnDatabase = {
  checkFolder(dataDir: string): Promise<void>;
  openServer(options: {
    dataDir: string;
    creates: boolean;
    log: Log;
    onProgress(sentence: string): void;
    sqlAddress?: { host: string; port: number } | undefined;
  }): Promise<Pick<DatabaseAccess, "connection"> & { close(): Promise<void> }>;
};

/** At most one. */
export const ownDatabases: (() => Promise<OwnDatabase>)[] = [];
