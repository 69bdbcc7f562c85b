// The words of `starpost report`: links are apps or refused, and a search takes no app that only the store connects with it.
import { describe, expect, test } from "vitest";
import type { Container } from "../../app/container.ts";
import { ofEachStore, type StoreId } from "../../domain/store/store-id.ts";
import { requireAppLinks } from "./app-words.ts";
import { findApps } from "./find-apps.ts";

test.each([
  "https://apps.apple.com/us/app/driftnote/id1987004512",
  "apps.apple.com/app/id1987004512",
  "itms-apps://apps.apple.com/app/id1987004512",
  "https://play.google.com/store/apps/details?id=app.driftnote.android",
  "market://details?id=app.driftnote.android",
  "https://addons.mozilla.org/en-US/firefox/addon/driftnote-clipper/?utm_source=x",
  "addons.mozilla.org/de/android/addon/clipper%40driftnote.invalid/reviews/12/",
  "1987004512",
  "app.driftnote.android",
  "Driftnote: Notes & Diary",
])("%s is a link to an app, an id or a name", (word) => {
  expect(() => requireAppLinks([word])).not.toThrow();
});

test.each([
  ["https://example.com/app/id1987004512", "is not a link to an app"],
  ["ftp://apps.apple.com/app/id1987004512", "is not a link to an app"],
  ["market://search?q=notes", "is not a link to an app"],
  ["https://apps.apple.com/us/developer/driftnote/id1987004512", "is not a link to an app"],
  ["https://apps.apple.com/us/story/id1987004512", "is not a link to an app"],
  ["https://addons.mozilla.org/en-US/firefox/user/11001/", "is not a link to an app"],
  ["https://addons.mozilla.org/firefox/addon/%E0%A4%A/", "is not a link to an app"],
  ["https://play.google.com/store/apps/developer?id=Driftnote", "is not a link to an app"],
  ["apps.apple.com/us/charts", "is not a link to an app"],
  ["https://apple.co/3abc", "only forwards"],
  ["apple.co/3abc", "only forwards"],
  ["https://play.app.goo.gl/?link=x", "only forwards"],
  ["https://www.google.com/url?q=https://apps.apple.com/app/id1", "only forwards"],
])("%s is refused: it %s", (word, reason) => {
  expect(() => requireAppLinks(["1987004512", word])).toThrow(reason);
});

describe("a search", () => {
  const storesWith = (names: Partial<Record<StoreId, string>>) => {
    const storeOf = (store: StoreId) => ({
      parseLink: () => null,
      validateAppId: () => ({ ok: false, reason: "is a name" }),
      findApps: async () =>
        names[store] === undefined
          ? { outcome: "empty" }
          : { outcome: "ok", value: [{ externalAppId: "7", name: names[store] }] },
    });
    return ofEachStore(storeOf) as unknown as Container["stores"];
  };
  const find = (word: string, names: Partial<Record<StoreId, string>>) =>
    findApps(storesWith(names), { words: [word], countries: ["us"], note: () => {} });

  test.each([
    ["driftnote", "Driftnote: Notes & Diary"],
    ["Tagebuch", "Mein Tagebuch – Notizen"],
    ["insta", "Instagram"],
    ["pokemon", "Pokémon GO"],
    ["楽天", "楽天市場アプリ"],
    ["drift note", "DriftNote"],
  ])("%j takes %j", async (word, name) => {
    const found = await find(word, { appstore: name });
    expect(found.map(({ store }) => store)).toEqual(["appstore"]);
  });

  test.each([
    ["Zzzqqq no such app", "Driftnote"],
    ["banking", "Tidelist: Grocery Lists"],
    ["???", "Driftnote"],
  ])("%j does not take %j, which it names", async (word, name) => {
    await expect(find(word, { appstore: name, googleplay: name })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining(`did you mean ${name} (appstore 7) or ${name}`),
    });
  });

  test("takes the one store whose hit has the name", async () => {
    const found = await find("Driftnote", { appstore: "Driftnote", googleplay: "Tidelist" });
    expect(found.map(({ store }) => store)).toEqual(["appstore"]);
  });
});
