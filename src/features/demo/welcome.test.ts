import { expect, test } from "vitest";
import { formatWelcome } from "./demo.ts";

const demo = {
  url: "http://h",
  apiKey: "sp_x",
  signInUrl: "http://h/in",
  webhook: null,
  dataDir: "./data-demo",
};

test.each([
  ["demo", "npm run demo -- --webhook", "then npm start"],
  ["dev", "npm run demo -- --webhook", "then npm start"],
  ["npx", "npx starpost demo --webhook", "then npx starpost serve"],
  [undefined, "starpost demo --webhook", "then starpost serve"],
])("the demo names the commands as it was started, by %s", (script, receiver, own) => {
  const text = formatWelcome(demo, script).join("\n");
  expect(text).toContain(`receiver: ${receiver} http`);
  expect(text).toMatch(new RegExp(`${own}$`, "m"));
});
