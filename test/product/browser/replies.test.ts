// Answers to reviews in the dashboard: the job of a support team with its clicks, templates that ask for what is not known,
// and what viewers and teams without an account see.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateStoreKeys } from "../../../simulator/store-keys.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { findReplies } from "../../../src/features/replies/find-replies.ts";
import { draftReply } from "../../../src/features/replies/operations.ts";
import { createTemplate } from "../../../src/features/replies/templates.ts";
import { addCredential } from "../../../src/features/store-accounts/operations.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs } from "../../../src/lib/timestamp.ts";
import { addApp, createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { press, typeInto } from "../../support/hands.ts";
import { act } from "../../support/operations.ts";
import { waitFor } from "../../support/wait-for.ts";

const keys = generateStoreKeys();
const log = { store: "googleplay", externalAppId: "com.example.lanternlog" } as const;
const storeState = new StoreState(systemClock);
const complaints = ["It crashes.", "It loses my notes.", "Too slow."];

let world: BrowserFixture;
let workspaceId = "";
let member: WatchedPage;
let page: Page;

describe.skipIf(!hasBrowser())("answers", { shuffle: false }, () => {
  beforeAll(async () => {
    const now = systemClock.now().getTime();
    storeState.addApp({ ...log, name: "Lantern Log" });
    for (const [index, text] of complaints.entries())
      storeState.addReview(log, {
        ...{
          region: "en",
          rating: 1,
          text,
          author: index === 0 ? "" : `Ada ${index}`,
          version: "",
        },
        at: new Date(now - (index + 1) * 3_600_000),
      });
    const answered = { text: "Thanks", at: new Date(now - dayMs) };
    const other = { region: "en", at: new Date(now - 2 * dayMs) };
    storeState.addReview(log, { ...other, rating: 1, text: "Bad", reply: answered });
    storeState.addReview(log, { ...other, rating: 5, text: "Good", version: "" });
    world = await openBrowserFixture(storeState, {}, keys.accounts);
    const deps = { ...world.service.deps, actor: "test" };
    workspaceId = (await createWorkspace(deps, { name: "Harbour", plan: "studio" })).id;
    const keyFile = JSON.stringify({
      client_email: keys.service.clientEmail,
      private_key: keys.service.privateKeyPem,
    });
    const account = { store: "googleplay", name: "Play", keyFile };
    const credential = await act(deps, addCredential, { ...account, workspaceId });
    const added = {
      workspaceId,
      name: "Lantern Log",
      isCollected: true,
      credentialId: credential.id,
    };
    const { app } = await addApp(deps, { ...added, ...log });
    await world.service.deps.database.notify("feeds");
    await waitFor(
      async () => {
        const query = { listingId: app.listingId, afterId: null, limit: 10 };
        return (await world.service.deps.database.listReviewsById(query)).length === 5;
      },
      { withinMs: 20_000, what: () => "the first crawl" },
    );
    const text = "Hello {author}, {app} {version} fixes this.";
    await act(deps, createTemplate, { workspaceId, name: "Fixed", text });
    member = await world.signIn({ email: "mara@example.com", workspaceId, role: "member" });
    page = member.page;
    await page.addInitScript({ content: clickCounter });
  });
  afterAll(() => world?.close());

  test("unanswered one-star reviews of the last week, three of them answered and published: 12 clicks", async () => {
    await page.goto(`/w/${workspaceId}/reviews`);
    const bar = page.getByRole("search");
    await bar.waitFor();
    await page.evaluate(`sessionStorage.removeItem("clicks")`);
    await press(bar.locator("summary", { hasText: "Stars" }));
    await press(bar.getByText("1 ★", { exact: true }));
    await press(bar.locator("summary", { hasText: "Answer" }));
    await press(bar.getByText("Unanswered", { exact: true }));
    await press(bar.locator("summary", { hasText: "Dates" }));
    await press(bar.getByText("Last 7 days", { exact: true }));
    await page.getByRole("status").getByText("3 reviews", { exact: true }).waitFor();
    const open = page.getByRole("region", { name: "Open review" });
    await press(page.getByRole("link", { name: "Answer", exact: true }).first());
    for (const [index, complaint] of complaints.entries()) {
      if (index > 0) await press(open.getByRole("link", { name: "Next" }));
      await open.getByText(complaint, { exact: true }).waitFor();
      await open.locator("textarea[id]:focus").waitFor();
      await page.keyboard.type(`Answer ${index + 1}`);
      await open.getByText("342 characters left").waitFor();
      await press(open.getByRole("button", { name: "Send" }));
      await open.getByText("Published", { exact: true }).waitFor();
    }
    expect(await countClicks()).toBeLessThanOrEqual(12);
    const answers = storeState.reviewsNow(log, "all").map(({ text, reply }) => [text, reply?.text]);
    expect(Object.fromEntries(answers)).toEqual({
      ...{ "It crashes.": "Answer 1", "It loses my notes.": "Answer 2", "Too slow.": "Answer 3" },
      ...{ Bad: "Thanks", Good: undefined },
    });
    await page.reload();
    await page.getByText("No review matches").waitFor();
    expect(member.takeErrors()).toEqual([]);
  });

  test("`r` opens the box; a template asks for what is not known, and nothing raw is inserted", async () => {
    await page.goto(`/w/${workspaceId}/reviews?q=good`);
    await page.locator("[data-review]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    const open = page.getByRole("region", { name: "Open review" });
    const box = open.getByLabel("Your answer");
    await open.locator("textarea[id]:focus").waitFor();
    await open.getByLabel("Template").selectOption({ label: "Fixed" });
    const missing = open.getByLabel("What is the version?");
    expect(await box.inputValue()).toBe("");
    await typeInto(missing, "4.3");
    await press(open.getByRole("button", { name: "Insert the template" }));
    expect(await box.inputValue()).toMatch(/^Hello .+, Lantern Log 4\.3 fixes this\.$/);
    await press(open.getByRole("button", { name: "Save draft" }));
    await open.getByText("Draft", { exact: true }).waitFor();
    expect(storeState.reviewsNow(log, "all").find(({ text }) => text === "Good")?.reply).toBe(null);
    expect(member.takeErrors()).toEqual([]);
  });

  test("`r` on a review that was read before goes to the box, and letters stay there", async () => {
    const open = await openGood();
    await open.getByLabel("Your answer").waitFor();
    await press(open.getByRole("button", { name: "Back to the list" }));
    await open.waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await open.locator("textarea[id]:focus").waitFor();
    await page.keyboard.type(" else");
    expect(await open.getByLabel("Your answer").inputValue()).toContain(" else");
    expect(await page.getByRole("button", { name: "Open again" }).count()).toBe(0);
    expect(member.takeErrors()).toEqual([]);
  });

  test("a text that was not saved survives Escape, closing, and going to another review and back", async () => {
    await page.goto(`/w/${workspaceId}/reviews?rating=1`);
    await page.locator("[data-review]").nth(1).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    const open = page.getByRole("region", { name: "Open review" });
    const box = open.getByLabel("Your answer");
    await open.locator("textarea[id]:focus").waitFor();
    await page.keyboard.type("Not yet saved");
    await page.keyboard.press("Escape");
    expect(await box.inputValue()).toBe("Not yet saved");
    await press(open.getByRole("link", { name: "Next" }));
    await open.getByRole("link", { name: "Previous" }).waitFor();
    await expect.poll(() => box.inputValue()).toBe("");
    await press(open.getByRole("link", { name: "Previous" }));
    await expect.poll(() => box.inputValue()).toBe("Not yet saved");
    await press(open.getByRole("button", { name: "Back to the list" }));
    await open.waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await expect.poll(() => box.inputValue()).toBe("Not yet saved");
    await open.getByRole("button", { name: "Back to the list" }).focus();
    await page.keyboard.press("Escape");
    await open.waitFor({ state: "detached" });
    expect(member.takeErrors()).toEqual([]);
  });

  test("a draft that a colleague saved meanwhile is not overwritten: the refusal is shown, and both texts", async () => {
    const open = await openGood();
    const box = open.getByLabel("Your answer");
    await typeInto(box, "Mine");
    await draftAsColleague("Of a colleague");
    await press(open.getByRole("button", { name: "Save draft" }));
    await open.getByRole("alert").waitFor();
    await open.getByText("Of a colleague", { exact: true }).waitFor();
    expect([await box.inputValue(), await readDraft()]).toEqual(["Mine", "Of a colleague"]);
    // It was read, but not chosen.
    const isRefused = page.waitForResponse((response) => response.status() === 409);
    await press(open.getByRole("button", { name: "Save draft" }));
    await isRefused;
    expect([await box.inputValue(), await readDraft()]).toEqual(["Mine", "Of a colleague"]);
    await press(open.getByRole("button", { name: "Keep my text" }));
    await press(open.getByRole("button", { name: "Save draft" }));
    await open.getByText("Of a colleague", { exact: true }).waitFor({ state: "detached" });
    await expect.poll(readDraft).toBe("Mine");
    const errors = member.takeErrors();
    expect(errors.filter((error) => !error.includes("409"))).toEqual([]);
  });

  test("a review that is opened again shows the draft that a colleague saved meanwhile", async () => {
    await openGood();
    await draftAsColleague("Older");
    const open = await openGood();
    const box = open.getByLabel("Your answer");
    await expect.poll(() => box.inputValue()).toBe("Older");
    await press(open.getByRole("button", { name: "Back to the list" }));
    await open.waitFor({ state: "detached" });
    await draftAsColleague("Newer");
    // The answer in the cache is too old by now.
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 60_000; }");
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await expect.poll(() => box.inputValue()).toBe("Newer");
    await typeInto(box, "Newest");
    await press(open.getByRole("button", { name: "Save draft" }));
    await expect.poll(readDraft).toBe("Newest");
    expect(member.takeErrors()).toEqual([]);
  });

  test("an app without an account says what to do, and a viewer sees answers and no box", async () => {
    const { database } = world.service.deps;
    const app = await anApp(database, { workspaceId, name: "Public" });
    // Two readings of the clock could name two seconds, and a review after its reply makes the reply outdated.
    const date = systemClock.now();
    const reply = { text: "We know", at: date };
    const [review] = await saveReviews(database, app, [aReview({ reply, date })]);
    const path = `/w/${workspaceId}/reviews/${app.id}/${review?.id}`;
    await page.goto(path);
    await page.getByText(/read from public pages, which take no answers. Add a key/).waitFor();
    expect(await page.getByLabel("Your answer").count()).toBe(0);
    const viewer = await world.signIn({ email: "vic@example.com", workspaceId, role: "viewer" });
    await viewer.page.goto(path);
    await viewer.page.getByText("Written elsewhere", { exact: true }).waitFor();
    await viewer.page.getByText("We know").waitFor();
    expect(await viewer.page.getByLabel("Your answer").count()).toBe(0);
    expect(await viewer.page.getByText("read from public pages").count()).toBe(0);
    expect([member.takeErrors(), viewer.takeErrors()]).toEqual([[], []]);
  });
});

let openedId = "";

/** The review without an answer, with its box. */
async function openGood(): Promise<Locator> {
  await page.goto(`/w/${workspaceId}/reviews?q=good`);
  await page.locator("[data-review]").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  const open = page.getByRole("region", { name: "Open review" });
  await open.locator("textarea[id]:focus").waitFor();
  openedId = new URL(page.url()).searchParams.get("open")?.split("/")[1] ?? "";
  return open;
}

async function draftAsColleague(draft: string): Promise<void> {
  const deps = { ...world.service.deps, actor: "colleague" };
  await act(deps, draftReply, { workspaceId, id: openedId, draft });
}

async function readDraft(): Promise<string | null | undefined> {
  const { database } = world.service.deps;
  const [row] = await findReplies(database, { workspaceId, ids: [openedId] });
  return row?.reply?.draft;
}

// As in jobs.test.ts: presses of the pointer; going to a text field doesn't count.
const clickCounter = `
  addEventListener("pointerdown", ({ target }) => {
    if (target.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
    sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks") ?? 0) + 1);
  }, true);
`;

function countClicks(): Promise<number> {
  return page.evaluate<number>(`Number(sessionStorage.getItem("clicks") ?? 0)`);
}
