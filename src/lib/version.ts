// This version of Starpost, from the one place that states it: package.json beside src/.
import fs from "node:fs";
import { z } from "zod";

const file = new URL("../../package.json", import.meta.url);

export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(fs.readFileSync(file, "utf8")));
