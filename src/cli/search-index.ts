// What `starpost search-index create` and `drop` do, on the database of the settings.
import { type OpenDatabaseOptions, openPostgres } from "../app/open-database.ts";
import type { SearchIndex } from "../database/read-models/search-index.ts";
import {
  createSearchIndex,
  dropSearchIndex,
  type SearchIndexOptions,
} from "../database/search-index.ts";
import { ResourceStack } from "../lib/resource-stack.ts";

export type SearchIndexChange = "create" | "drop";

/** @throws AppError `conflict` when it can't be done here or now, with the reason */
export async function changeSearchIndex(
  { note, ...deps }: OpenDatabaseOptions & { note: (sentence: string) => void },
  options: Pick<SearchIndexOptions, "onProgress"> & { change: SearchIndexChange },
): Promise<SearchIndex> {
  const resources = new ResourceStack();
  try {
    const onProgress = (sentence: string): void => note(`${sentence} …`);
    const access = await openPostgres({ ...deps, onProgress }, resources);
    const connection = access.directConnection ?? access.connection;
    const { change, ...others } = options;
    const run = change === "create" ? createSearchIndex : dropSearchIndex;
    return await run({ log: deps.log, connection, ...others });
  } finally {
    await resources.closeAll();
  }
}
