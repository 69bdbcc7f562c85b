// A session that ends while a page is open: the user signs in over the page, which keeps what was typed. And what removes
// something says what ends with it, or takes it back as it was.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { typeInto } from "../../support/hands.ts";

let world: BrowserFixture;
let visitor: WatchedPage;
let workspaceId: string;

describe.skipIf(!hasBrowser())("an open page", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { deps } = world.service;
    workspaceId = (await createWorkspace(deps, { name: "Reef", plan: "studio" })).id;
    const app = await anApp(deps.database, { workspaceId, name: "Tide" });
    const texts = ["The map crashes, crash after crash", "Calm and useful"];
    await saveReviews(
      deps.database,
      app,
      texts.map((text) => aReview({ text, date: systemClock.now() })),
    );
    await world.signIn({ email: "mara@example.com", workspaceId });
  });
  beforeEach(async () => {
    visitor = await world.signInAgain({ email: "mara@example.com", workspaceId });
  });
  afterAll(() => world?.close());

  test("goes on with a half filled form once the user has signed in again", async () => {
    const { page, context } = visitor;
    await page.goto(`/w/${workspaceId}/sources/channels/new`);
    await typeInto(page.getByLabel("Name"), "Night desk");
    await typeInto(page.getByLabel("Endpoint URL"), world.receiver.url);
    await context.clearCookies();
    await page.getByRole("button", { name: "Create the channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByText("Sign in as mara@example.com").waitFor();
    await typeInto(dialog.getByLabel("Password"), "not the password");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("E-mail or password is wrong").waitFor();
    await typeInto(dialog.getByLabel("Password"), password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("dialog", { name: "Night desk is ready" }).waitFor();
    const channels = await world.service.deps.database.listChannels({ workspaceId });
    expect(channels.map(({ name }) => name)).toEqual(["Night desk"]);
    visitor.takeErrors();
  });

  test("leads to the sign-in page when the user leaves the question", async () => {
    const { page, context } = visitor;
    await page.goto(`/w/${workspaceId}/keys`);
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await context.clearCookies();
    await page.getByRole("link", { name: "Settings" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await typeInto(page.getByLabel("E-mail"), "mara@example.com");
    await typeInto(page.getByLabel("Password"), password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    visitor.takeErrors();
  });

  test("marks the words of a search, in upper and lower case", async () => {
    const { page } = visitor;
    await page.goto(`/w/${workspaceId}/reviews?q=CRASH`);
    await page.locator("mark").first().waitFor();
    expect(await page.locator("mark").allInnerTexts()).toEqual(["crash", "crash", "crash"]);
  });

  test("takes a removed view back with its address, and asks before links end", async () => {
    const { page } = visitor;
    await page.goto(`/w/${workspaceId}/reviews?rating=1`);
    await page.getByRole("button", { name: "Save this view" }).click();
    await typeInto(page.getByLabel("Name"), "One star");
    await page.getByRole("button", { name: "Save the view" }).click();
    await page.waitForURL(/view=/);
    const address = page.url();
    const remove = async () => {
      await page.getByRole("button", { name: "View", exact: true }).click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
    };
    await remove();
    await page.getByRole("button", { name: "Undo" }).click();
    const link = page.getByRole("link", { name: "One star" });
    await link.waitFor();
    await link.click();
    expect(page.url()).toBe(address);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByText("You won't see this link again").waitFor();
    await page.getByRole("button", { name: "Close" }).last().click();
    await remove();
    const dialog = page.getByRole("dialog", { name: "Remove One star?" });
    await dialog.getByRole("button", { name: "Remove the view" }).click();
    await page.getByText("One star is removed").waitFor();
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    expect(visitor.takeErrors()).toEqual([]);
  });
});
