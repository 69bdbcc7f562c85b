// A damaged word list is refused with the file, the line and the entry.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { readPhraseList } from "./word-lists.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-words-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, "en.txt");
const read = (text: string) => {
  fs.writeFileSync(file, text);
  return readPhraseList(pathToFileURL(file), ["crash", "bug"]);
};

describe("a word list", () => {
  test("has the phrases of each section, over several lines", () => {
    const text = "# Comment\n\n[crash]\ncrash* force_close\nshuts_down\n\n[bug]\n";
    expect(read(text)).toEqual({ crash: ["crash*", "force_close", "shuts_down"], bug: [] });
  });

  test("fills groups: each word of one before a gap, alternatives behind it", () => {
    const text =
      "[@things]\nsong* map\n[@stops]\nstop cut_out\n[crash]\nmy_@things_froze\n[bug]\n@things…@stops\n";
    expect(read(text)).toEqual({
      crash: ["my_song_froze", "my_map_froze"],
      bug: ["song*…stop|cut_out", "map…stop|cut_out"],
    });
  });

  test.each([
    ["[crash]\nno_@one\n[bug]\n", 'no section "@one" for "no_@one"'],
    ["[crash]\ncrash\n[crush]\n", 'line 3: unknown section "crush"'],
    ["[crash]\n[crash]\n", 'line 2: second section "crash"'],
    ["crash\n[crash]\n", "line 1: phrases before the first section"],
    ["[crash]\ncrash\nfreeze crash\n", 'line 3: "crash" is listed twice'],
    ["[crash]\nsteal*_my\n", 'line 2: "steal*_my" is not a phrase'],
    ["[crash]\n_*\n", 'line 2: "_*" is not a phrase'],
  ])("%j is refused", (text, message) => {
    expect(() => read(text)).toThrow(
      `${file}${message.startsWith("line") ? ", " : ": "}${message}`,
    );
  });

  test("without one of its sections is refused", () => {
    expect(() => read("[crash]\ncrash\n")).toThrow(`${file}: section "bug" is missing`);
  });
});
