// The state that the demo keeps between two runs: when its stores started, and the workspace it made.

import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { readTextIfThere } from "../../lib/files.ts";
import { parseJson } from "../../lib/json.ts";

const demoState = z.object({
  /** The simulated stores grow from this moment in every run, so reviews keep their ids. */
  startedAt: z.iso.datetime(),
  /** null while the first run prepares it: what is there already is used again. */
  sample: z
    .object({
      workspaceId: z.uuid(),
      channelId: z.uuid(),
      /** The channel whose endpoint fails. */
      failingChannelId: z.uuid(),
      /** For the sample workspace only; a real key is never stored. */
      apiKey: z.string(),
    })
    .nullable(),
  /** Where the last run listened: the next one checks first whether it still runs. */
  url: z.url().nullable(),
});
export type DemoState = z.infer<typeof demoState>;
export type SampleWorkspace = NonNullable<DemoState["sample"]>;

/**
 * null before the first run.
 *
 * @throws AppError `invalid_input` for a damaged file
 */
export async function readDemoState(dataDir: string): Promise<DemoState | null> {
  const file = fileOf(dataDir);
  const content = await readTextIfThere(file);
  if (content === null) return null;
  const read = demoState.safeParse(parseJson(content));
  if (read.success) return read.data;
  throw new AppError(
    "invalid_input",
    `${file} is damaged; delete the folder ${dataDir} to begin the demo anew`,
  );
}

export async function writeDemoState(dataDir: string, state: DemoState): Promise<void> {
  const file = fileOf(dataDir);
  // As the embedded server makes it: its user must be able to enter what root makes.
  const mode = process.getuid?.() === 0 ? 0o755 : 0o700;
  await fs.mkdir(dataDir, { recursive: true, mode });
  // Renamed into place: a demo that is killed meanwhile leaves the old state or the new one.
  await fs.writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await fs.rename(`${file}.new`, file);
}

// Named like the data folder's own files: one with anything else in it is refused.
function fileOf(dataDir: string): string {
  return path.join(dataDir, "starpost.demo.json");
}
