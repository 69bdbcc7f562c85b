// Every page, full and empty, in light and dark, narrow and wide: axe-core finds nothing serious, nothing
// moves or overflows the window, nothing is requested elsewhere. SCREENSHOTS=1 saves screenshots/.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSampleStores, sampleAppStoreApp } from "../../../simulator/sample-stores.ts";
import { toCrawlDeps } from "../../../src/app/workers/crawl-worker.ts";
import { crawlListing } from "../../../src/crawling/crawl-feed.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import type { App } from "../../../src/domain/feed/listing.ts";
import { createSampleWorkspace } from "../../../src/features/demo/sample-workspace.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createUser } from "../../../src/use-cases/accounts/users.ts";
import { createKey, createWorkspace, removeMember } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { typeInto } from "../../support/hands.ts";

const sample = createSampleStores({ clock: systemClock, pastDays: 60 });

const mara = { email: "mara@example.com", name: "Mara Lind", role: "owner" };
const ben = { email: "ben@example.com", name: "Ben Okafor", role: "member" };

let world: BrowserFixture;
let owner: WatchedPage;
let full = "";
let empty = "";
/** Ids of things of the full workspace. */
let ids: { app: string; channel: string };
let invitation = "";

describe.skipIf(!hasBrowser())("the pages", { shuffle: false }, () => {
  beforeAll(async () => {
    world = await openBrowserFixture(sample.storeState);
  });
  afterAll(() => world?.close());

  test("before there is an account", async () => {
    const visitor = await world.browser.newVisitor();
    await visitor.page.goto("/");
    await visitor.page.getByText("one-time set-up link").waitFor();
    expect(await checkPage(visitor, "setup-pending")).toEqual([]);
    await visitor.page.goto(world.setupLink);
    await visitor.page.getByLabel("Workspace name").waitFor();
    expect(await focusedLabel(visitor)).toBe("Your name");
    expect(await checkPage(visitor, "setup")).toEqual([]);
    await visitor.context.close();
  });

  describe("once there are users", () => {
    beforeAll(fill);

    test("outside of a workspace", async () => {
      const visitor = await world.browser.newVisitor();
      await visitor.page.goto("/");
      await visitor.page.getByLabel("Password").waitFor();
      expect(await checkPage(visitor, "sign-in")).toEqual([]);
      expect(await focusedLabel(visitor)).toBe("E-mail");
      await visitor.page.getByRole("link", { name: "Can't sign in?" }).click();
      await visitor.page.getByText("Send a link").waitFor();
      expect(await focusedLabel(visitor)).toBe("E-mail");
      await typeInto(visitor.page.getByLabel("E-mail"), "mara@example.com");
      expect(await checkPage(visitor, "forgotten-password")).toEqual([]);
      await visitor.page.getByText("Send a link").click();
      await visitor.page.getByText("This service sends no e-mail").waitFor();
      await visitor.page.goto("/reset#invented");
      await visitor.page.getByLabel("New password").waitFor();
      expect(await focusedLabel(visitor)).toBe("New password");
      expect(await checkPage(visitor, "reset-password")).toEqual([]);
      await visitor.page.goto(invitation);
      await visitor.page.getByText("invites you").waitFor();
      expect(await focusedLabel(visitor)).toBe("Your name");
      expect(await checkPage(visitor, "join")).toEqual([]);
      await visitor.context.close();
    });

    test.each([
      ["overview", "/overview", "Countries and languages"],
      ["overview-one-app", "/overview?app=:app", "Versions, before and after"],
      ["reviews", "/reviews", "Show more"],
      ["reviews-filtered", "/reviews?rating=1&sentiment=negative&q=sync", "Remove the filter"],
      ["reviews-translated", "/reviews?q=in+English+words", "Translated from German"],
      ["sources", "/sources", "Failing since"],
      ["add-app", "/sources?add=app", "Link, name or id"],
      ["app", "/sources/apps/:app", "Collect now"],
      ["new-channel", "/sources/channels/new", "Last reviews that match"],
      ["channel", "/sources/channels/:channel", "Failing since"],
      ["channel-settings", "/sources/channels/:channel?tab=settings", "Last reviews that match"],
      ["keys", "/keys", "Last used"],
      ["settings", "/settings", "ben@example.com"],
      ["settings-you", "/settings?tab=you", "Your sessions"],
      ["settings-topics", "/settings?tab=topics", "Name in the API"],
      ["settings-outgoing", "/settings?tab=outgoing", "Former member"],
      ["settings-audit", "/settings?tab=audit", "Channel: created"],
      ["not-found", "/nothing", "Page not found"],
    ])("of a full workspace: %s", async (name, path, sign) => {
      await open(full, { path, sign });
      expect(await checkPage(owner, name)).toEqual([]);
    });

    test.each([
      ["overview-empty", "/overview", "Follow your first app"],
      ["reviews-empty", "/reviews", "No app is followed yet"],
      ["sources-empty", "/sources", "No channel yet"],
      ["keys-empty", "/keys", "No key yet"],
      ["settings-empty", "/settings", "No open invitations"],
    ])("of an empty workspace: %s", async (name, path, sign) => {
      await open(empty, { path, sign });
      expect(await checkPage(owner, name)).toEqual([]);
    });

    test("the overview is a screen and a half", async () => {
      await open(full, { path: "/overview", sign: "Countries and languages" });
      await owner.page.setViewportSize({ width: 1440, height: 900 });
      expect(
        await owner.page.evaluate<number>("document.documentElement.scrollHeight"),
      ).toBeLessThan(2_100);
    });

    test("charts are lines over a faint area, also with reduced motion", async () => {
      await open(full, { path: "/overview?app=:app", sign: "Store rating over time" });
      await owner.page.locator("canvas").first().waitFor();
      expect(await owner.page.evaluate<number>(solidShareOf)).toBeLessThan(0.2);
    });

    test("a menu opens, moves and closes by keys", async () => {
      const { page } = owner;
      await open(full, { path: "/overview", sign: "Countries and languages" });
      const button = page.getByRole("button", { name: "Account and theme" });
      const focusedItem = () => page.locator("[role^=menuitem]:focus").innerText();
      await button.focus();
      await page.keyboard.press("ArrowDown");
      await expect.poll(focusedItem).toBe("Theme: System");
      expect(await checkPage(owner, "user-menu")).toEqual([]);
      await page.keyboard.press("ArrowUp");
      await expect.poll(focusedItem).toBe("Sign out");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await expect.poll(focusedItem).toBe("Theme: Light");
      await page.keyboard.press("End");
      await expect.poll(focusedItem).toBe("Sign out");
      await page.keyboard.press("Home");
      await expect.poll(focusedItem).toBe("Theme: System");
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("menu").count()).toBe(0);
      await expect.poll(() => page.locator(":focus").innerText()).toContain("Account and theme");
      await page.keyboard.press("ArrowUp");
      await expect.poll(focusedItem).toBe("Sign out");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.getByRole("menu").count()).toBe(0);
    });

    test("keys go to an app or a page from everywhere, and ? lists the keys", async () => {
      const { page } = owner;
      await open(full, { path: "/keys", sign: "Last used" });
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("overv");
      await expect.poll(() => page.getByRole("dialog").getByRole("link").count()).toBe(1);
      await page.keyboard.press("Enter");
      await page.getByText("Countries and languages").waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("dialog").getByRole("link", { name: "Settings" }).waitFor();
      expect(await checkPage(owner, "go-to")).toEqual([]);
      await page.keyboard.type("app ");
      const apps = page.getByRole("dialog").getByRole("link", { name: /App$/ });
      await apps.first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).searchParams.has("app")).toBe(true);
      await page.keyboard.press("?");
      await page.getByText("Search reviews").waitFor();
      expect(await checkPage(owner, "keys-help")).toEqual([]);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    });

    test("with details and dialogs open", async () => {
      const { page } = owner;
      await open(full, { path: "/sources/channels/:channel", sign: "Delivery log" });
      await page.getByRole("main").locator("details").first().locator("summary").first().click();
      await page.getByText(/ Attempt 1, /).waitFor();
      expect(await checkPage(owner, "channel-open")).toEqual([]);
      await open(full, { path: "/sources/channels/:channel?tab=secret", sign: "Signing secret" });
      await page.getByRole("button", { name: "Show the secret" }).click();
      await page.locator("code", { hasText: "whsec_" }).waitFor();
      expect(await checkPage(owner, "channel-secret")).toEqual([]);
      await open(full, { path: "/reviews?edited=true", sign: "show what changed" });
      await page.getByText("show what changed").click();
      await page.getByText("first written").waitFor();
      expect(await checkPage(owner, "reviews-edited")).toEqual([]);
      await open(full, { path: "/sources/apps/:app", sign: "Collect now" });
      await page.getByText(/^\d+ feeds$/).click();
      expect(await checkPage(owner, "app-open")).toEqual([]);
      await open(full, { path: "/keys", sign: "Last used" });
      await page.getByRole("button", { name: "Create a key" }).click();
      await typeInto(page.getByLabel("Name"), "Second");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await page.getByText("Your new key").waitFor();
      expect(await checkPage(owner, "new-key")).toEqual([]);
      // Its button is in a cell whose words don't wrap.
      await open(full, { path: "/settings", sign: "Members" });
      await page.getByRole("button", { name: "Leave" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await checkPage(owner, "leave")).toEqual([]);
    });
  });
});

const solidShareOf = `(() => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let solidCount = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 200) solidCount += 1;
  return solidCount / (data.length / 4);
})()`;

function focusedLabel({ page }: WatchedPage): Promise<string | undefined> {
  return page.evaluate<string | undefined>("document.activeElement.labels?.[0]?.textContent");
}

async function open(workspaceId: string, target: { path: string; sign: string }): Promise<void> {
  const path = target.path.replace(/:(app|channel)/, (_, name: "app" | "channel") => ids[name]);
  await owner.page.goto(`/w/${workspaceId}${path}`);
  await owner.page.getByText(target.sign).first().waitFor();
  await owner.page.locator('[class*="skeleton"]').first().waitFor({ state: "detached" });
}

/** One product on both stores, a channel that works and one that fails, a key, two users. */
async function fill(): Promise<void> {
  const { service, receiver } = world;
  const { deps } = service;
  receiver.reply(({ path }) => ({ kind: "status", status: path.endsWith("/down") ? 503 : 200 }));
  const startedAt = systemClock.now();
  const sampleWorkspace = await createSampleWorkspace(deps, {
    ...{ ...sample, startedAt, receiverUrl: receiver.url },
    print: () => undefined,
  });
  full = sampleWorkspace.workspaceId;
  const actingDeps = { ...deps, actor: "test" };
  empty = (await createWorkspace(actingDeps, { name: "Blank Slate", plan: "studio" })).id;
  owner = await world.signIn({ email: mara.email, workspaceId: full });
  await createUser(actingDeps, { ...ben, workspaceId: full, password });
  await createUser(actingDeps, { ...mara, workspaceId: empty, password: null });
  const [app] = await deps.database.listApps({ workspaceId: full });
  const failingChannel = { ...channelDefaults, name: "Low ratings", url: `${receiver.url}/down` };
  const { channel } = await post(`/workspaces/${full}/channels`, {
    ...failingChannel,
    stars: [1, 2],
  });
  ids = { app: app?.id ?? "", channel: channel.id };
  for (const id of [sampleWorkspace.channelId, sampleWorkspace.channelId, channel.id]) {
    await post(`/workspaces/${full}/channels/${id}/test`, {});
  }
  await receiver.waitFor(3);
  await fetch(`${service.url}/api/v1/apps`, {
    headers: { authorization: `Bearer ${sampleWorkspace.apiKey}` },
  });
  if (app) await editAndTranslate(app);
  const former = { email: "cleo@example.com", name: "Cleo Marsh", role: "owner" };
  const { id: formerId } = await createUser(actingDeps, { ...former, workspaceId: full, password });
  const left = { workspaceId: full, name: "Old dashboard" };
  await createKey({ ...deps, actor: formerId }, left);
  await removeMember(actingDeps, { workspaceId: full, userId: formerId });
  for (const link of [
    { kind: "overview", query: "range=30d", isFrozen: false, days: 30 },
    { kind: "report", query: `app=${app?.id}`, days: 90 },
  ]) {
    await post(`/workspaces/${full}/links`, link);
  }
  const offer = { email: null, role: "member" };
  invitation = (await post(`/workspaces/${full}/invitations`, offer)).link;
}

/** Edits one review, and gives a German one its translation. */
async function editAndTranslate({ id, listingId }: App): Promise<void> {
  const { deps } = world.service;
  const [newest] = sample.storeState.reviewsNow(sampleAppStoreApp, "us");
  if (newest) {
    const text = `${newest.text} Until the last update, that is: now it loses what I wrote.`;
    sample.storeState.editReview(sampleAppStoreApp, { ...newest, rating: 2, text });
  }
  const listing = await deps.database.findListing(listingId);
  if (!listing) throw new Error("the app has no listing");
  await crawlListing(toCrawlDeps(deps), { listing });
  const response = await owner.context.request.get(
    `/console/api/workspaces/${full}/reviews?app=${id}&limit=100`,
  );
  const { reviews } = (await response.json()) as {
    reviews: { id: string; country: string; text: string }[];
  };
  const german = reviews.find(({ country }) => country === "de");
  if (!german) throw new Error("no review in German");
  const translation = { text: "What this person wrote, in English words.", from: "de" };
  const translated = [{ reviewId: german.id, source: german.text, translation }];
  await deps.database.setTranslations({ listingId, translated });
}

// biome-ignore lint/suspicious/noExplicitAny: the responses have every shape.
async function post(path: string, data: unknown): Promise<any> {
  const response = await owner.context.request.post(`/console/api${path}`, {
    data,
    headers: { origin: world.service.url },
  });
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
  return response.json();
}
