// Forms of services: what people enter fills the blanks of each preset.
import { expect, test } from "vitest";
import {
  fillPreset,
  isUrlFilled,
  readField,
  takesToken,
  toToken,
} from "../dashboard/src/pages/channels/http-preset.ts";
import { httpPresets } from "../src/domain/channel/http-presets.ts";

// One entry that each field accepts, with the value in it, and tokens that the services hand out.
const entries: Readonly<Record<string, readonly [entry: string, value: string][]>> = {
  OWNER: [
    ["acme", "acme"],
    ["https://github.com/acme/app", "acme"],
  ],
  REPO: [
    ["my.app-2", "my.app-2"],
    ["https://github.com/acme/app", "app"],
  ],
  PROJECT_ID: [["4711", "4711"]],
  SITE: [
    ["acme", "acme"],
    ["https://acme.atlassian.net/jira/your-work", "acme"],
  ],
  KEY: [
    ["QA", "QA"],
    ["QA-12", "QA"],
  ],
  TEAM_ID: [["9cfb482a-81e3-4154-b5b9-2c805e70a02d", "9cfb482a-81e3-4154-b5b9-2c805e70a02d"]],
  SUBDOMAIN: [
    ["acme", "acme"],
    ["acme.zendesk.com", "acme"],
  ],
  "ZAMMAD.EXAMPLE.COM": [
    ["help.example.com", "help.example.com"],
    ["https://help.example.com/", "help.example.com"],
  ],
  TOPIC: [
    ["acme-reviews", "acme-reviews"],
    ["https://ntfy.sh/acme", "acme"],
  ],
};
const letters = "Ab3dE5gH1jK2mN4pQ6rS8tU0vW7xY9z";
const tokens: Readonly<Record<string, readonly string[]>> = {
  github: [`ghp_${letters}`, `gho_${letters}`, `github_pat_${letters}_${letters}`],
  gitlab: [`glpat-${letters}`, letters],
  jira: ["ATATT3xSECRET", `ATATT3xFf${letters}-${letters}=1A2B3C4D`, letters],
  linear: [`lin_api_${letters}`],
  zendesk: [letters],
  zammad: [letters, `${letters}_${letters}-`],
  ntfy: [`tk_${letters.toLowerCase()}`],
};

const presetOf = (id: string) => {
  const found = httpPresets.find((preset) => preset.id === id);
  if (!found) throw new Error(`no preset ${id}`);
  return found;
};

test("Jira takes a site, a project, an e-mail address and a token", () => {
  const jira = presetOf("jira");
  const { url, request } = fillPreset(jira, { SITE: "harbour", KEY: "T1" });
  expect(url).toBe("https://harbour.atlassian.net/rest/api/3/issue");
  expect(JSON.parse(request.body).fields.project).toEqual({ key: "T1" });
  const token = toToken(jira, { email: "mara@example.com ", token: "ünsafe" });
  expect(Buffer.from(token, "base64").toString()).toBe("mara@example.com:ünsafe");
});

test("an empty field stays in capitals, and makes no token", () => {
  const jira = presetOf("jira");
  expect(fillPreset(jira, {}).url).toBe("https://SITE.atlassian.net/rest/api/3/issue");
  expect(toToken(jira, { email: "a@b.c", token: "" })).toBe("");
});

test.each(httpPresets)(
  "$id: each blank is in the URL or the body, and nothing else has to be replaced",
  (preset) => {
    for (const { blank } of preset.fields)
      expect(preset.url + preset.request.body).toContain(blank);
    const asksForUrl = ["google-chat", "mattermost"].includes(preset.id);
    expect(isUrlFilled(preset)).toBe(!asksForUrl);
    expect(takesToken(preset)).toBe(!asksForUrl && preset.id !== "ntfy");
    const values = Object.fromEntries(
      preset.fields.map(({ blank }) => [blank, entries[blank]?.[0]?.[0] ?? ""]),
    );
    const filled = fillPreset(preset, values);
    if (!asksForUrl) expect(filled.url).not.toMatch(/[A-Z]{3}/);
    expect(filled.request.body).not.toMatch(/"[A-Z_]{3,}"/);
  },
);

test.each(httpPresets.filter(({ fields }) => fields.length > 0))(
  "$id: each field has a hint of its own, reads its entries, and refuses the service's token",
  (preset) => {
    const hints = [preset.hint, ...preset.fields.map(({ hint }) => hint)];
    expect(new Set(hints).size).toBe(hints.length);
    for (const field of preset.fields) {
      expect(field.hint).not.toMatch(/token|secret|key of|API key/i);
      // The pattern attribute of a field has the flag v, in which more characters need a backslash.
      expect(() => new RegExp(field.pattern, "v")).not.toThrow();
      for (const [entry, value] of entries[field.blank] ?? [])
        expect([entry, readField(field, ` ${entry} `)]).toEqual([entry, value]);
      for (const token of tokens[preset.id] ?? []) {
        expect([token, readField(field, token)]).toEqual([token, null]);
        const { url, request } = fillPreset(preset, { [field.blank]: token });
        expect(url + request.body).not.toContain(token);
      }
    }
  },
);
