// The check of the shipped weights, on copies that were damaged.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findAnalysisFault, findFaultIn } from "./analysis-files.ts";

const folder = new URL("../analysis/models/", import.meta.url);

test("a file that is damaged, cut or missing is found and named", () => {
  expect(findAnalysisFault()).toBeNull();
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-models-"));
  try {
    fs.cpSync(folder, copy, { recursive: true });
    const url = pathToFileURL(`${copy}/`);
    expect(findFaultIn(url)).toBeNull();
    fs.truncateSync(path.join(copy, "sentiment.bin"), 1_000_000);
    const bytes = fs.readFileSync(path.join(copy, "topics.bin"));
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
    fs.writeFileSync(path.join(copy, "topics.bin"), bytes);
    fs.rmSync(path.join(copy, "language.bin"));
    expect(findFaultIn(url)).toBe(
      "the weights of the analysis can't be used: language.bin is missing, sentiment.bin is damaged, topics.bin is damaged; install Starpost again",
    );
    fs.rmSync(path.join(copy, "SHA256SUMS"));
    expect(findFaultIn(url)).toContain("SHA256SUMS is missing");
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
});
