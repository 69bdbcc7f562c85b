// Finds the folder of recorded store pages: RECORDED_DATA, else a folder beside the checkout. The
// pages hold other people's texts and stay outside of the project; without them tests are skipped.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const checkout = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

export const recordedFolder =
  process.env["RECORDED_DATA"] ?? path.resolve(checkout, "../shared/recorded");

/** Whether there are recordings; prints a message where there are none. */
export function hasRecordings(): boolean {
  const isThere = fs.existsSync(recordedFolder);
  if (!isThere) {
    process.stderr.write(`no recorded store pages in ${recordedFolder}: their tests are skipped\n`);
  }
  return isThere;
}

/** Names of the files of one kind, sorted; a kind is a folder. */
export function recordedNames(kind: string, extension = ""): string[] {
  const folder = path.join(recordedFolder, kind);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort();
}

export function recordedText(kind: string, name: string): string {
  return fs.readFileSync(path.join(recordedFolder, kind, name), "utf8");
}

export function recordedBytes(kind: string, name: string): Buffer {
  return fs.readFileSync(path.join(recordedFolder, kind, name));
}
