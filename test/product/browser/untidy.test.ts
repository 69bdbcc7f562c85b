// Every page with an untidy workspace, with one review, and with nothing: at five sizes nothing is wider than the window,
// every control can be reached, and no word is broken into letters.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import type { Database } from "../../../src/database/database.ts";
import * as digestStatements from "../../../src/features/digests/sql.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createUser } from "../../../src/use-cases/accounts/users.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { savePicture, savesScreenshots, settle } from "../../support/browser-checks.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { typeInto } from "../../support/hands.ts";
import { listReachProblems } from "../../support/reach-checks.ts";
import { fillTidily } from "../../support/tidy-workspace.ts";
import { fillUntidily } from "../../support/untidy-workspace.ts";

const sizes = [
  { width: 1440, height: 800 },
  { width: 1024, height: 700 },
  // Between the layouts: with the navigation beside the page, and above it.
  { width: 910, height: 700 },
  { width: 700, height: 900 },
  { width: 390, height: 740 },
];

const pages: readonly (readonly [name: string, path: string])[] = [
  ["overview", "/overview"],
  ["overview of an app", "/overview?app=:app"],
  ["overview of a week", "/overview?range=7d"],
  ...pictured(
    ["14d", "30d", "365d"].map(
      (range) => [`overview of ${range}`, `/overview?range=${range}`] as const,
    ),
  ),
  ["release", "/releases/:app"],
  ["past verdicts", "/verdicts/:app"],
  ["reviews", "/reviews"],
  ["reviews, one opened", "/reviews?open=:app/:review"],
  ["reviews, filtered", "/reviews?rating=1&sentiment=negative&q=harbour"],
  ["review", "/reviews/:app/:review"],
  ["compare", "/compare"],
  ["sources", "/sources"],
  ["app", "/sources/apps/:app"],
  ["new channel", "/sources/channels/new"],
  ["channel", "/sources/channels/:channel"],
  ["channel settings", "/sources/channels/:channel?tab=settings"],
  ["keys", "/keys"],
  ["settings", "/settings"],
  ["settings, you", "/settings?tab=you"],
  ["settings, topics", "/settings?tab=topics"],
  ["settings, analysis", "/settings?tab=analysis"],
  ["settings, outgoing", "/settings?tab=outgoing"],
  ["settings, audit", "/settings?tab=audit"],
];

/** For pictures alone: the charts of the other ranges. */
function pictured(list: readonly (readonly [name: string, path: string])[]) {
  return savesScreenshots ? list : [];
}

/** Workspaces with usual data, for pictures alone: whatever breaks in them breaks in the untidy ones first. */
const tidy: readonly [workspace: string, appCount: number][] = savesScreenshots
  ? [
      ["of three apps", 3],
      ["of sixty apps", 60],
    ]
  : [];

type Ids = { workspaceId: string; app: string; review: string; channel: string };

let world: BrowserFixture;
let visitor: WatchedPage;
const workspaces: Record<string, Ids> = {};

describe.skipIf(!hasBrowser())("nothing breaks", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { deps } = world.service;
    const create = async (name: string) =>
      (await createWorkspace(deps, { name, plan: "studio" })).id;
    const untidy = await create("W".repeat(100));
    const single = await create("One review");
    const empty = await create("Nothing");
    const now = systemClock.now();
    const { apps, channelId } = await fillUntidily(deps.database, { workspaceId: untidy, now });
    const app = await anApp(deps.database, { workspaceId: single });
    await saveReviews(deps.database, app, [aReview({ date: now, storeReviewId: "only" })]);
    workspaces["untidy"] = await idsOf(deps.database, untidy, apps[0]?.id, channelId);
    workspaces["with one review"] = await idsOf(deps.database, single, app.id);
    for (const [name, appCount] of tidy) {
      const workspaceId = await create(name);
      const [first] = await fillTidily(deps.database, { workspaceId, appCount, now });
      workspaces[name] = await idsOf(deps.database, workspaceId, first?.id);
    }
    workspaces["empty"] = await idsOf(deps.database, empty);
    visitor = await world.signIn({ email: "mara@example.com", workspaceId: untidy });
    const viewer = { name: null, role: "viewer", password, workspaceId: untidy } as const;
    const email = "the-harbour-authority.department-of-tides-and-moorings@example.com";
    await createUser({ ...deps, actor: "test" }, { ...viewer, email });
    const { user } = await readJson<{ user: { id: string } }>("/session");
    const own = Object.values(workspaces).map(({ workspaceId }) => workspaceId);
    for (const workspaceId of own.filter((id) => id !== untidy))
      await deps.database.insertMember({
        workspaceId,
        userId: user.id,
        role: "owner",
        joinedAt: now,
      });
  });
  afterAll(() => world?.close());

  const everywhere = pages.map(([name, path]) => ({ workspace: "untidy", name, path }));
  // Figures are what little data changes: the settings are the same.
  const figures = ["with one review", "empty", ...tidy.map(([name]) => name)].flatMap((workspace) =>
    pages
      .filter(([, path]) => !/^.(settings|keys)/.test(path))
      .map(([name, path]) => ({ workspace, name, path })),
  );
  test.each([...everywhere, ...figures])(
    "in a workspace that is $workspace: $name",
    async ({ workspace, name, path }) => {
      const { workspaceId, ...ids } = workspaces[workspace] ?? { workspaceId: "" };
      const isComplete = [...path.matchAll(/:(\w+)/g)].every(
        ([, id = ""]) => ids[id as keyof typeof ids] !== "",
      );
      if (!isComplete) return;
      const { page } = visitor;
      const filled = path.replace(/:(\w+)/g, (_, id) => ids[id as keyof typeof ids] ?? "");
      await page.goto(`/w/${workspaceId}${filled}`);
      const problems: string[] = [];
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.locator("main h1").first().waitFor();
        await expect.poll(() => page.locator('[class*="skeleton"]').count()).toBe(0);
        await settle(visitor);
        const title = `untidy ${workspace} ${name} ${size.width}`.replaceAll(/[ ,]+/g, "-");
        await savePicture(page, title);
        const found = await listReachProblems(page);
        problems.push(...found.map((problem) => `${size.width}: ${problem}`));
      }
      if (name === "overview") {
        await page.setViewportSize({ width: 1440, height: 800 });
        const height = await page.evaluate<number>("document.documentElement.scrollHeight");
        expect(height).toBeLessThanOrEqual(overviewHeightMax);
      }
      expect([...problems, ...visitor.takeErrors()]).toEqual([]);
    },
  );

  test("hundreds of apps and channels are found by words, in parts, and again after a look at one", async () => {
    const { workspaceId } = workspaces["untidy"] ?? { workspaceId: "" };
    const { page } = visitor;
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.goto(`/w/${workspaceId}/sources`);
    for (const name of ["App", "Channel"]) {
      const card = page.getByRole("region", { name: `${name}s` });
      const rows = card.getByRole("listitem");
      await expect.poll(() => rows.count()).toBe(20);
      await typeInto(card.getByRole("searchbox"), "hafenbehörde plus");
      await card.getByRole("button", { name: /^Show (9 more of 29|20 more of 43)$/ }).click();
      await expect.poll(() => rows.count()).toBe(name === "App" ? 29 : 40);
      expect(
        new Set(await rows.getByRole("link", { name: "Hafenbehörde" }).allInnerTexts()).size,
      ).toBe(1);
      await typeInto(card.getByRole("searchbox"), "nothing like this");
      await card.getByText(`No ${name.toLowerCase()} has these words.`).waitFor();
      await typeInto(card.getByRole("searchbox"), "");
      await card.getByRole("combobox").selectOption("By name");
      const names = await rows.locator('[class*="name"]').allInnerTexts();
      expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
    }
    const search = page.getByRole("searchbox", { name: "Search channels" });
    await typeInto(search, "hafenbehörde");
    await page
      .getByRole("region", { name: "Channels" })
      .getByRole("listitem")
      .first()
      .getByRole("link")
      .click();
    await page.getByRole("link", { name: "Secret" }).waitFor();
    await page.goBack();
    await expect.poll(() => search.inputValue()).toBe("hafenbehörde");
    expect(visitor.takeErrors()).toEqual([]);
  });
});

/** Also of 200 apps. */
const overviewHeightMax = 2_600;

async function idsOf(
  database: Database,
  workspaceId: string,
  app = "",
  channel = "",
): Promise<Ids> {
  const apps = await database.listFollowedApps({ workspaceId, ids: [app].filter(Boolean) });
  const days = { from: "2000-01-01", to: "2100-01-01", scanMax: 100, limit: 1 };
  const [first] = apps;
  const [newest] = first
    ? JSON.parse(
        await database
          .with(digestStatements)
          .listDigestReviews({ workspaceId, app: first, ...days }),
      )
    : [];
  return { workspaceId, app, review: newest?.id ?? "", channel };
}

async function readJson<Body>(path: string): Promise<Body> {
  const response = await visitor.context.request.get(`/console/api${path}`);
  return (await response.json()) as Body;
}
