// The files of trained weights are what was shipped: a damaged one would give other results for ever, and nobody
// would see it.
import { createHash } from "node:crypto";
import fs from "node:fs";

const shippedFolder = new URL("../analysis/models/", import.meta.url);
/** One line for each file, as `sha256sum` writes them. */
const checksumFile = "SHA256SUMS";

/** What is wrong with the weights, in words for the operator; null when each file is as it was shipped. */
export function findModelFault(folder: URL = shippedFolder): string | null {
  const faults = listExpected(folder).flatMap(({ name, checksum }) => {
    const bytes = readIfThere(new URL(name, folder));
    if (bytes === null) return `${name} is missing`;
    const found = createHash("sha256").update(bytes).digest("hex");
    return found === checksum ? [] : `${name} is damaged`;
  });
  if (faults.length === 0) return null;
  return `the weights of the analysis can't be used: ${faults.join(", ")}; install Starpost again`;
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
