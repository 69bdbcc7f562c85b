// Checks the data of the analysis at the start. The weights must be as they were shipped, because a damaged file gives
// wrong results without an error; word lists, which people edit, must be complete.

import { createHash } from "node:crypto";
import fs from "node:fs";
import { readSentimentWords, readTopicWords } from "../analysis/lexicon.ts";
import { messageOf } from "../lib/errors.ts";
import { lazy } from "../lib/lazy.ts";

const shippedFolder = new URL("../analysis/models/", import.meta.url);
/** One line for each file, as `sha256sum` writes them. */
const checksumFile = "SHA256SUMS";

/** The fault in words for the operator; null when all files can be used. They are read once in a process. */
export const findAnalysisFault = lazy(() => findFaultIn(shippedFolder));

export function findFaultIn(folder: URL): string | null {
  const faults = listExpected(folder).flatMap(({ name, checksum }) => {
    const bytes = readIfThere(new URL(name, folder));
    if (bytes === null) return `${name} is missing`;
    const found = createHash("sha256").update(bytes).digest("hex");
    return found === checksum ? [] : `${name} is damaged`;
  });
  if (faults.length > 0)
    return `the weights of the analysis can't be used: ${faults.join(", ")}; install Starpost again`;
  try {
    readTopicWords();
    readSentimentWords();
    return null;
  } catch (error) {
    return `a word list of the analysis can't be used: ${messageOf(error)}`;
  }
}

const line = /^([0-9a-f]{64}) {2}(\S+)$/gm;

/** The list itself counts as missing weights when it can't be read. */
function listExpected(folder: URL): { name: string; checksum: string }[] {
  const text = readIfThere(new URL(checksumFile, folder))?.toString("utf8") ?? "";
  const found = [...text.matchAll(line)].map(([, checksum = "", name = ""]) => ({
    name,
    checksum,
  }));
  return found.length > 0 ? found : [{ name: checksumFile, checksum: "" }];
}

function readIfThere(file: URL): Buffer | null {
  try {
    return fs.readFileSync(file);
  } catch {
    // Missing, a folder, or not readable for this user: for the analysis all the same.
    return null;
  }
}
