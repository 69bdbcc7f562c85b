// A secret that was pasted into a field for something else is refused before it is stored, shown, logged or looked up: in each
// field of each operation, and in the URL of a channel.
import { expect, test } from "vitest";
import { AppError } from "../src/domain/error.ts";
import { hasKnownSecret } from "../src/domain/known-secret.ts";
import { parseInput } from "../src/domain/validation-errors.ts";
import { setupSchema } from "../src/features/setup-document/schema.ts";
import { nouns } from "../src/operations/operations.ts";
import { parseDestinationFields } from "../src/use-cases/channels/parse-destination.ts";
import { operationCases } from "./support/operation-cases.ts";

const letters = "Ab3dE5gH1jK2mN4pQ6rS8tU0vW7xY9z";
const secrets = [
  `ATATT3xFf${letters}`,
  `ghp_${letters}`,
  `github_pat_${letters}`,
  `glpat-${letters}`,
  `lin_api_${letters}`,
  `xoxb-1234567890-${letters}`,
  `sk-proj-${letters}`,
  `whsec_${letters}=`,
  `sp_${letters}${letters}`.slice(0, 46),
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${letters}`,
];

/** Fields for secrets, for texts that people write or search for, and those whose shape a later step checks. */
const openFields = {
  secrets: ["credential create keyFile"],
  texts: [
    "reply draft draft",
    "reply send text",
    "template change text",
    "template create text",
    "topic change phrases",
    "topic create phrases",
    "view change query",
    "view create query",
  ],
  checkedLater: [
    // The store's pattern of an id.
    "app create externalAppId",
    "app import-reviews name",
    // The host of the URL; its path may be a secret.
    "channel create url",
    "credential create keyId",
    "credential create name",
    // The version of the reply that it replaces.
    "reply send replaces",
    "reply withdraw replaces",
    "workspace export-reviews format",
  ],
};

const bodies = Object.entries(operationCases).flatMap(([name, { body, another }]) =>
  [body, another].flatMap((one) => (one ? [[name, one as Record<string, unknown>] as const] : [])),
);
const operationOf = (name: string) => {
  const all = nouns.flatMap(({ operations }) => operations);
  return all.find(({ noun, verb }) => `${noun.noun} ${verb}` === name);
};

test("each text of each operation refuses a secret, except for those that take one or any text", () => {
  const accepting = new Set<string>();
  for (const [name, body] of bodies) {
    const schema = operationOf(name)?.schema;
    if (!schema) continue;
    for (const [field, value] of Object.entries(body)) {
      const isList = Array.isArray(value);
      if (typeof (isList ? value[0] : value) !== "string") continue;
      const refused = secrets.map((secret) => {
        const entered = { ...body, [field]: isList ? [secret] : secret };
        const parsed = schema.safeParse(entered);
        if (parsed.success) return false;
        expect(JSON.stringify(parsed.error.issues), `${name} ${field}`).not.toContain(letters);
        return true;
      });
      if (refused.includes(false)) accepting.add(`${name} ${field}`);
    }
  }
  expect([...accepting].sort()).toEqual(Object.values(openFields).flat().sort());
});

test("a URL with a secret for its host is refused before the host is looked up", async () => {
  const lookedUp: string[] = [];
  const checkUrl = async (url: string) => {
    lookedUp.push(url);
    return { ok: true } as const;
  };
  const enter = (host: string) => {
    const input = { url: `https://${host}.example.com/hook` };
    return parseDestinationFields({ checkUrl }, { type: "webhook", input, before: null });
  };
  const error = await enter("ATATT3xSECRETS").catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AppError);
  expect(String(error)).not.toContain("SECRETS");
  expect(lookedUp).toEqual([]);
  await enter("hooks");
  expect(lookedUp).toEqual(["https://hooks.example.com/hook"]);
});

test("the refusal of a file does not quote a secret that stands where a name belongs", () => {
  const view = { name: `ghp_${letters}`, query: "rating=1" };
  const parse = () => parseInput(setupSchema(), { views: [{ ...view, colour: "red" }] });
  expect(parse).toThrow(/views: entry 1: colour is not known here/);
  expect(parse).not.toThrow(letters);
});

test("ordinary names have no secrets", () => {
  const names = [
    [
      "Tidepool Journal",
      "gh_pages",
      "ghp",
      "task-force-of-the-harbour",
      "sk-store-localization-bugs",
    ],
    [
      "x".repeat(120),
      "https://example.com/a/very/long/address",
      "eyJ",
      "Begin private beta",
      "lin_api",
    ],
    ["Reisekostenabrechnungsverwaltung für Außendienstmitarbeiterinnen", "xoxo, the team", "glpat"],
  ].flat();
  expect(names.filter(hasKnownSecret)).toEqual([]);
});
