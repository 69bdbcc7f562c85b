// What a browser can't get to: an owner's things for a member, and anything of another workspace for
// anybody, by whatever address.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../../simulator/world.ts";
import { channelDefaults } from "../../src/domain/channel.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createChannel } from "../../src/use-cases/channels/save-channel.ts";
import { issueKey } from "../../src/use-cases/keys/keys.ts";
import { createWorkspace } from "../../src/use-cases/members/workspaces.ts";
import { hasBrowser, type WatchedPage } from "../support/browser.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/browser-world.ts";
import { anApp, aReview, saveReviews } from "../support/world.ts";

let world: BrowserWorld;
let home = "";
let elsewhere = "";
/** Ids of things at home. */
let ids: Record<"app" | "review" | "channel" | "delivery" | "key", string>;

describe.skipIf(!hasBrowser())("borders", () => {
  beforeAll(async () => {
    world = await openBrowserWorld(new World(systemClock));
    await furnish();
  });
  afterAll(() => world?.close());

  test("a member sees none of an owner's buttons, and the service refuses what they do", async () => {
    await world.signIn({ email: "olga@example.com", workspaceId: home });
    const person = await world.signIn({
      email: "ben@example.com",
      workspaceId: home,
      role: "member",
    });
    const { page } = person;
    await page.getByText("olga@example.com").waitFor();
    expect(await buttons(page, ["Remove", "Invite somebody", "Add an account"])).toEqual([]);
    await page.goto(`/w/${home}/keys`);
    await page.getByText("Weekly report").waitFor();
    expect(await buttons(page, ["Revoke", "Create a key"])).toEqual([]);
    await page.goto(`/w/${home}/sources/apps/${ids.app}`);
    await page.getByRole("heading", { name: "Tidepool Journal", level: 1 }).waitFor();
    expect(await buttons(page, ["Remove"])).toEqual([]);
    await page.goto(`/w/${home}/sources/channels/${ids.channel}`);
    await page.getByText("Owners of the workspace can see").waitFor();
    expect(await buttons(page, ["Delete", "Rotate", "Show the secret"])).toEqual([]);
    expect(person.takeTroubles()).toEqual([]);

    const scope = `/workspaces/${home}`;
    const refused = [
      ["DELETE", `${scope}/apps/${ids.app}`],
      ["DELETE", `${scope}/channels/${ids.channel}`],
      ["POST", `${scope}/channels/${ids.channel}/secret`],
      ["POST", `${scope}/channels/${ids.channel}/secret/rotate`],
      ["POST", `${scope}/keys/${ids.key}/revoke`],
      ["GET", `${scope}/invitations`],
      ["GET", `${scope}/credentials`],
    ];
    expect(await ask(person, refused)).toEqual(refused.map(() => 403));
    await person.context.close();
  });

  test("a person of another workspace finds nothing by any id", async () => {
    const person = await world.signIn({ email: "eve@example.com", workspaceId: elsewhere });
    const { page } = person;
    await page.goto(`/w/${home}/overview`);
    await page.getByRole("heading", { name: "There is no such workspace" }).waitFor();
    for (const path of [`sources/apps/${ids.app}`, `sources/channels/${ids.channel}`]) {
      await page.goto(`/w/${elsewhere}/${path}`);
      await page.getByRole("alert").waitFor();
    }
    await page.goto(`/w/${elsewhere}/reviews?app=${ids.app}`);
    await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
    expect(await page.getByText("The tide table").count()).toBe(0);

    const paths = [
      `/apps/${ids.app}`,
      `/apps/${ids.app}/icon`,
      `/apps/${ids.app}/reviews/${ids.review}`,
      `/channels/${ids.channel}`,
      `/channels/${ids.channel}/deliveries`,
      `/deliveries/${ids.delivery}`,
      `/reviews?app=${ids.app}`,
      `/overview?app=${ids.app}&from=2026-01-01&to=2026-02-01`,
    ];
    for (const workspaceId of [home, elsewhere]) {
      const asked = paths.map((path) => ["GET", `/workspaces/${workspaceId}${path}`]);
      expect(await ask(person, asked)).toEqual(asked.map(() => 404));
    }
    await person.context.close();
  });

  test("a session that ended elsewhere leads back to the sign-in", async () => {
    const person = await world.signIn({ email: "kim@example.com", workspaceId: home });
    await person.context.request.post("/console/api/session/sign-out", {
      headers: { origin: world.service.url },
    });
    await person.page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
    await person.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await person.page.getByText("Weekly report").count()).toBe(0);
    await person.context.close();
  });
});

async function furnish(): Promise<void> {
  const { deps } = world.service;
  const acting = { ...deps, actor: "test" };
  home = (await createWorkspace(acting, { name: "Harbour Apps", plan: "studio" })).id;
  elsewhere = (await createWorkspace(acting, { name: "Elsewhere", plan: "studio" })).id;
  const app = await anApp(deps.database, { workspaceId: home });
  const [review] = await saveReviews(deps.database, app, [aReview()]);
  const about = { workspaceId: home, name: "All", url: world.receiver.url };
  const { channel } = await createChannel(acting, { ...channelDefaults, ...about });
  const key = await issueKey(acting, { workspaceId: home, name: "Weekly report" });
  const owner = await world.signIn({ email: "ann@example.com", workspaceId: home });
  const tested = await owner.context.request.post(
    `/console/api/workspaces/${home}/channels/${channel.id}/test`,
    { data: {}, headers: { origin: world.service.url } },
  );
  const { deliveryId } = (await tested.json()) as { deliveryId: string };
  ids = {
    app: app.id,
    review: review?.id ?? "",
    channel: channel.id,
    delivery: deliveryId,
    key: key.id,
  };
  await owner.context.close();
}

/** Which of these the page has. */
async function buttons(page: Page, names: readonly string[]): Promise<string[]> {
  const counts = await Promise.all(
    names.map((name) => page.getByRole("button", { name, exact: true }).count()),
  );
  return names.filter((_, at) => (counts[at] ?? 0) > 0);
}

/** The statuses, asked with the cookie of the browser. */
function ask(person: WatchedPage, asked: readonly (readonly string[])[]): Promise<number[]> {
  return Promise.all(
    asked.map(async ([method = "", path = ""]) => {
      const answer = await person.context.request.fetch(`/console/api${path}`, {
        method,
        headers: { origin: world.service.url },
        ...(method === "POST" ? { data: {} } : {}),
      });
      return answer.status();
    }),
  );
}
