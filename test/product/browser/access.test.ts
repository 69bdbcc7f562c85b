// Refused access: members to pages of owners, and all users to other workspaces, whatever the URL.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createChannel, createKey, createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";

let world: BrowserFixture;
let home = "";
let elsewhere = "";
/** Ids of what is in the home workspace. */
let ids: Record<"app" | "review" | "channel" | "delivery" | "key", string>;

describe.skipIf(!hasBrowser())("access", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    await addContent();
  });
  afterAll(() => world?.close());

  test("a member sees none of an owner's buttons, and the service refuses what they do", async () => {
    await world.signIn({ email: "olga@example.com", workspaceId: home });
    const visitor = await world.signIn({
      email: "ben@example.com",
      workspaceId: home,
      role: "member",
    });
    const { page } = visitor;
    await page.getByText("olga@example.com").waitFor();
    expect(await presentButtons(page, ["Remove", "Invite", "Add an account"])).toEqual([]);
    await page.goto(`/w/${home}/keys`);
    await page.getByText("Weekly report").waitFor();
    expect(await presentButtons(page, ["Revoke", "Create a key"])).toEqual([]);
    await page.goto(`/w/${home}/sources/apps/${ids.app}`);
    await page.getByRole("heading", { name: "Tidepool Journal", level: 1 }).waitFor();
    expect(await presentButtons(page, ["Remove"])).toEqual([]);
    await page.goto(`/w/${home}/sources/channels/${ids.channel}?tab=secret`);
    await page.getByText("Owners of the workspace can see").waitFor();
    expect(await presentButtons(page, ["Rotate", "Show the secret"])).toEqual([]);
    await page.goto(`/w/${home}/sources/channels/${ids.channel}?tab=settings`);
    await page.getByRole("button", { name: "Save" }).waitFor();
    expect(await presentButtons(page, ["Delete"])).toEqual([]);
    await page.goto(`/w/${home}/settings?tab=audit`);
    await page.getByRole("link", { name: "Topics" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    expect(visitor.takeErrors()).toEqual([]);

    const scope = `/workspaces/${home}`;
    const refused = [
      ["DELETE", `${scope}/apps/${ids.app}`],
      ["DELETE", `${scope}/channels/${ids.channel}`],
      ["POST", `${scope}/channels/${ids.channel}/secret`],
      ["POST", `${scope}/channels/${ids.channel}/secret/rotate`],
      ["POST", `${scope}/keys/${ids.key}/revoke`],
      ["GET", `${scope}/invitations`],
      ["GET", `${scope}/credentials`],
      ["GET", `${scope}/audit`],
    ];
    expect(await requestStatuses(visitor, refused)).toEqual(refused.map(() => 403));
    await visitor.context.close();
  });

  test("a viewer reads every page without a refused request, and sees no button that changes something", async () => {
    const visitor = await world.signIn({
      email: "vera@example.com",
      workspaceId: home,
      role: "viewer",
    });
    const { page } = visitor;
    const settings = ["Remove", "Invite", "Add an account", "Add a topic", "Edit", "Save"];
    const pages: [path: string, heading: string, buttons: string[]][] = [
      ["overview", "Overview", ["Add an app"]],
      ["reviews?rating=1", "Reviews", ["Assign", "Save this view", "Copy as curl"]],
      [`reviews/${ids.app}/${ids.review}`, "Review", ["Add the note", "Mark as done"]],
      ["compare", "Compare", []],
      ["sources", "Sources", ["Add an app", "New channel", "Add a channel"]],
      [`sources/apps/${ids.app}`, "Tidepool Journal", ["Save", "Remove", "Collect now"]],
      ["settings?tab=topics", "Settings", settings],
      ["settings", "Settings", settings],
    ];
    for (const [path, heading, buttons] of pages) {
      await page.goto(`/w/${home}/${path}`);
      await page.getByRole("heading", { name: heading, level: 1, exact: true }).waitFor();
      await expect.poll(() => page.locator("[class*=skeleton]").count()).toBe(0);
      expect(await presentButtons(page, buttons), path).toEqual([]);
      expect(visitor.takeErrors(), path).toEqual([]);
    }
    expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
    await page.goto(`/w/${home}/sources`);
    await page.getByText("You are a viewer here.").waitFor();
    expect(await checkPage(visitor, "sources-viewer")).toEqual([]);
    await visitor.context.close();
  });

  test("a member of another workspace finds nothing by any id", async () => {
    const visitor = await world.signIn({ email: "eve@example.com", workspaceId: elsewhere });
    const { page } = visitor;
    await page.goto(`/w/${home}/overview`);
    await page.getByRole("heading", { name: "Workspace not found" }).waitFor();
    for (const path of [`sources/apps/${ids.app}`, `sources/channels/${ids.channel}`]) {
      await page.goto(`/w/${elsewhere}/${path}`);
      await page.getByRole("alert").waitFor();
    }
    await page.goto(`/w/${elsewhere}/reviews?app=${ids.app}`);
    await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
    await expect.poll(() => page.getByText("The tide table").count()).toBe(0);

    const paths = [
      `/apps/${ids.app}`,
      `/apps/${ids.app}/reviews/${ids.review}`,
      `/channels/${ids.channel}`,
      `/channels/${ids.channel}/deliveries`,
      `/deliveries/${ids.delivery}`,
      `/reviews?app=${ids.app}`,
      `/overview?app=${ids.app}&from=2026-01-01&to=2026-02-01`,
    ];
    for (const workspaceId of [home, elsewhere]) {
      const requests = paths.map((path) => ["GET", `/workspaces/${workspaceId}${path}`]);
      expect(await requestStatuses(visitor, requests)).toEqual(requests.map(() => 404));
    }
    await visitor.context.close();
  });

  test("a session that ended elsewhere leads back to the sign-in", async () => {
    const visitor = await world.signIn({ email: "kim@example.com", workspaceId: home });
    // The page has loaded everything: the click is the first request of the ended session.
    await visitor.page.getByText("kim@example.com").first().waitFor();
    await visitor.context.request.post("/console/api/session/sign-out", {
      headers: { origin: world.service.url },
    });
    await visitor.page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
    await visitor.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect.poll(() => visitor.page.getByText("Weekly report").count()).toBe(0);
    await visitor.context.close();
  });
});

async function addContent(): Promise<void> {
  const { deps } = world.service;
  const actingDeps = { ...deps, actor: "test" };
  home = (await createWorkspace(actingDeps, { name: "Harbour Apps", plan: "studio" })).id;
  elsewhere = (await createWorkspace(actingDeps, { name: "Elsewhere", plan: "studio" })).id;
  const app = await anApp(deps.database, { workspaceId: home });
  const [review] = await saveReviews(deps.database, app, [aReview()]);
  const endpoint = { workspaceId: home, name: "All", url: world.receiver.url };
  const { channel } = await createChannel(actingDeps, { ...channelDefaults, ...endpoint });
  const key = await createKey(actingDeps, { workspaceId: home, name: "Weekly report" });
  const owner = await world.signIn({ email: "ann@example.com", workspaceId: home });
  const testResponse = await owner.context.request.post(
    `/console/api/workspaces/${home}/channels/${channel.id}/test`,
    { data: {}, headers: { origin: world.service.url } },
  );
  const { deliveryId } = (await testResponse.json()) as { deliveryId: string };
  ids = {
    app: app.id,
    review: review?.id ?? "",
    channel: channel.id,
    delivery: deliveryId,
    key: key.id,
  };
  await owner.context.close();
}

/** Those of the buttons that the page has. */
async function presentButtons(page: Page, names: readonly string[]): Promise<string[]> {
  const counts = await Promise.all(
    names.map((name) => page.getByRole("button", { name, exact: true }).count()),
  );
  return names.filter((_, index) => (counts[index] ?? 0) > 0);
}

/** The response statuses of requests with the browser's cookie. */
function requestStatuses(
  visitor: WatchedPage,
  requests: readonly (readonly string[])[],
): Promise<number[]> {
  return Promise.all(
    requests.map(async ([method = "", path = ""]) => {
      const response = await visitor.context.request.fetch(`/console/api${path}`, {
        method,
        headers: { origin: world.service.url },
        ...(method === "POST" ? { data: {} } : {}),
      });
      return response.status();
    }),
  );
}
