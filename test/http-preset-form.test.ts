// Forms of services: what people enter fills the blanks of each preset.
import { expect, test } from "vitest";
import {
  fillPreset,
  isUrlFilled,
  takesToken,
  toToken,
} from "../dashboard/src/pages/sources/http-preset.ts";
import { httpPresets } from "../src/domain/http-presets.ts";

const presetOf = (id: string) => {
  const found = httpPresets.find((preset) => preset.id === id);
  if (!found) throw new Error(`no preset ${id}`);
  return found;
};

test("Jira takes a site, a project, an e-mail address and a token", () => {
  const jira = presetOf("jira");
  const { url, request } = fillPreset(jira, { SITE: "harbour", KEY: 'T"1' });
  expect(url).toBe("https://harbour.atlassian.net/rest/api/3/issue");
  expect(JSON.parse(request.body).fields.project).toEqual({ key: 'T"1' });
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
    const values = Object.fromEntries(preset.fields.map(({ blank }) => [blank, "x"]));
    const filled = fillPreset(preset, values);
    if (!asksForUrl) expect(filled.url).not.toMatch(/[A-Z]{3}/);
    expect(filled.request.body).not.toMatch(/"[A-Z_]{3,}"/);
  },
);
