// starpost shape: where the stores' pages have their fields, as the release says or as was learned.

import { type Command, command } from "../../cli/command.ts";
import { readNamedFile } from "../../cli/named-file.ts";
import { required } from "../../cli/option.ts";
import { parseJson } from "../../lib/json.ts";
import { findShape, importShape, listShapes } from "./store-shapes.ts";

const shape = required("<shape>", "Its name, as the list shows it.");
const fileBytesMax = 100_000;

export const commands: Command[] = [
  command({
    name: "shape list",
    description: "List the shapes of the stores' pages, with learned ones and their evidence.",
    async run({ database }) {
      const columns = ["name", "version", "state", "rounds", "since", "evidence", "moved"];
      return { value: await listShapes(database), columns };
    },
  }),
  command({
    name: "shape show",
    description: "Print the shape that pages are read by: the path of each field.",
    args: { shape },
    async run({ database }, { shape: name }) {
      return { value: await findShape(database, { name, isLearned: false }) };
    },
  }),
  command({
    name: "shape export",
    description: "Print the learned shape, in any state, for `shape import` elsewhere.",
    args: { shape },
    async run({ database, write }, { shape: name }) {
      await write(`${JSON.stringify(await findShape(database, { name, isLearned: true }))}\n`);
      return null;
    },
  }),
  command({
    name: "shape import",
    description: "Use an exported shape, until a page contradicts it.",
    args: { file: required("<file>", "The output of `shape export`.") },
    question: async (_context, { file }) => `Read the stores' pages by the shape in ${file}?`,
    async run(context, { file }) {
      const text = await readNamedFile(file, { field: "file", bytesMax: fileBytesMax });
      const { name, state } = await importShape(context, parseJson(text.toString()));
      return { value: { name, state } };
    },
  }),
];
