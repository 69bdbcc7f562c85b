// starpost topics: the names that a channel's filter and the read API take.
import { topicNames } from "../../domain/topics.ts";
import { type Command, command } from "../command.ts";

export const topicCommands: Command[] = [
  command({
    name: "topics",
    description: "List the topics that reviews are sorted into, for --topics and the read API.",
    args: {},
    options: {},
    async run() {
      return { value: topicNames.map((topic) => ({ topic })), columns: ["topic"] };
    },
  }),
];
