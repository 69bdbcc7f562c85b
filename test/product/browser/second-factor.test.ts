// The second factor on the pages: set up with the QR code, asked for at the sign-in, and the password that is
// asked for once more before what is dangerous.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { stepOf, totpCode } from "../../../src/lib/totp.ts";
import { createWorkspace } from "../../support/acts.ts";
import { base32Bytes } from "../../support/base32.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { typeInto } from "../../support/hands.ts";

const email = "mara@example.com";
let world: BrowserFixture;
let home = "";
let visitor: WatchedPage;
let recoveryCodes: string[] = [];

describe.skipIf(!hasBrowser())("the second factor", { shuffle: false }, () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const workspace = { name: "Paper Harbor", plan: "studio" };
    home = (await createWorkspace(world.service.deps, workspace)).id;
    visitor = await world.signIn({ email, workspaceId: home });
  });
  afterAll(() => world?.close());

  test("is set up with a QR code and a first code of the app", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "You", exact: true }).click();
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog");
    const squares = dialog.getByRole("img", { name: "QR code" }).locator("path");
    expect((await squares.getAttribute("d"))?.length).toBeGreaterThan(1_000);
    const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    expect(await checkPage(visitor, "second-factor")).toEqual([]);
    const code = totpCode(base32Bytes(secret), stepOf(systemClock.now()));
    await typeInto(dialog.getByLabel("Code", { exact: true }), code);
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByText("They are not shown again").waitFor();
    recoveryCodes = await dialog.locator("li code").allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await dialog.getByRole("button", { name: "I have saved them" }).click();
    await page.getByText("10 recovery codes left").waitFor();
    expect(visitor.takeErrors()).toEqual([]);
  });

  test("is asked for at the sign-in", async () => {
    const other = await world.browser.newVisitor();
    const { page } = other;
    await page.goto(`/w/${home}/settings?tab=you`);
    await typeInto(page.getByLabel("E-mail"), email);
    await typeInto(page.getByLabel("Password"), password);
    await page.getByRole("button", { name: "Sign in" }).click();
    const code = page.getByLabel("Code", { exact: true });
    await code.waitFor();
    const focused = "document.activeElement.getAttribute('autocomplete')";
    expect(await page.evaluate(focused)).toBe("one-time-code");
    await typeInto(code, "000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Doesn't match: enter the one that the app shows now").waitFor();
    await typeInto(code, recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("9 recovery codes left").waitFor();
    await other.context.close();
  });

  test("and the password are asked for once more before a key is created", async () => {
    const { page } = visitor;
    const { database } = world.service.deps;
    const user = await database.findUserByEmail(email);
    const now = systemClock.now();
    const query = { userId: user?.id ?? "", now, idleSince: new Date(0) };
    for (const { id } of await database.listSessions(query)) {
      await database.proveSession({ id, provedAt: new Date(now.getTime() - 3_600_000) });
    }
    await page.goto(`/w/${home}/keys`);
    await page.getByRole("button", { name: "Create a key" }).first().click();
    await typeInto(page.getByLabel("Name"), "Weekly report");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Enter your password" });
    await dialog.waitFor();
    // The key's dialog is behind it, and one refused request is what this is about.
    expect(visitor.takeErrors()).toEqual([expect.stringContaining("403")]);
    expect(await checkPage(visitor, "enter-password")).toEqual([]);
    await typeInto(dialog.getByLabel("Password"), password);
    await typeInto(dialog.getByLabel("Code", { exact: true }), recoveryCodes[1] ?? "");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("dialog", { name: "Your new key" }).waitFor();
  });

  test("is set up before anything else where the workspace requires it", async () => {
    const { database } = world.service.deps;
    const other = await world.signIn({ email: "ben@example.com", workspaceId: home });
    const { page } = other;
    // Owners without one of their own can't require it.
    expect(await page.getByLabel("Require two-factor authentication").isDisabled()).toBe(true);
    await visitor.page.goto(`/w/${home}/settings`);
    await visitor.page.getByLabel("Require two-factor authentication").click();
    await visitor.page.getByText("Saved").waitFor();
    expect(await database.findWorkspace(home)).toMatchObject({ requiresSecondFactor: true });
    // The page that was open notices with its next request.
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("heading", { name: "Secure your account" }).waitFor();
    other.takeErrors();
    expect(await checkPage(other, "second-factor-needed")).toEqual([]);
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog");
    const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    const code = totpCode(base32Bytes(secret), stepOf(systemClock.now()));
    await typeInto(dialog.getByLabel("Code", { exact: true }), code);
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByRole("button", { name: "I have saved them" }).click();
    await page.getByRole("link", { name: "Settings", exact: true }).waitFor();
    expect(other.takeErrors()).toEqual([]);
    await other.context.close();
  });
});
