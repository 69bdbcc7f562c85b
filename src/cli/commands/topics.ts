// starpost topics: the names that a channel's filter and the read API take.
import { topicNames } from "../../domain/review/topics.ts";
import { type Command, command } from "../command.ts";

export const commands: Command[] = [
  command({
    name: "topics",
    async runAlone() {
      return { value: topicNames.map((topic) => ({ topic })), columns: ["topic"] };
    },
  }),
];
