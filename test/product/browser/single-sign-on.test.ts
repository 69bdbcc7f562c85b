// Single sign-on on the pages, at a real provider: the way there and back, the proof before what is dangerous, the code of
// a second factor, and an account that may not come in.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { stepOf, totpCode } from "../../../src/lib/totp.ts";
import { createWorkspace } from "../../support/acts.ts";
import { base32Bytes } from "../../support/base32.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { onFreePort } from "../../support/free-port.ts";
import { typeInto } from "../../support/hands.ts";
import {
  clientId,
  clientSecret,
  type OpenIdServer,
  openOpenIdServer,
} from "../../support/open-id-server.ts";

const nora = { sub: "nora", email: "nora@corp.example", email_verified: true, name: "Nora Lind" };
let idp: OpenIdServer;
let world: BrowserFixture;
let home = "";
let visitor: WatchedPage;

/** The provider's own pages may be requested, and nothing else of elsewhere. */
const isOurs = (line: string) => !line.includes(idp.issuer);
const check = async (page: WatchedPage, name: string) =>
  (await checkPage(page, name)).filter(isOurs);
const takeErrors = (page: WatchedPage) => page.takeErrors().filter(isOurs);

describe.skipIf(!hasBrowser())("single sign-on", () => {
  beforeAll(async () => {
    idp = await openOpenIdServer();
    world = await onFreePort((address) => {
      idp.redirectTo(`${address.PUBLIC_URL}/auth/oidc/callback`);
      return openBrowserFixture(new StoreState(systemClock), {
        ...{ ...address, OIDC_ISSUER: idp.issuer },
        ...{ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
        ...{ OIDC_SIGN_UP: "member", OIDC_ALLOWED_DOMAINS: "corp.example" },
      });
    });
    const workspace = { name: "Paper Harbor", plan: "studio" };
    home = (await createWorkspace(world.service.deps, workspace)).id;
    const owner = await world.signIn({ email: "olga@example.com", workspaceId: home });
    await owner.context.close();
    visitor = await world.browser.newVisitor();
  });
  afterAll(async () => {
    await world?.close();
    await idp?.close();
  });

  test("leads to the provider and back to the page that was opened", async () => {
    const { page } = visitor;
    await page.goto(`/w/${home}/settings?tab=you`);
    await page.getByRole("button", { name: "Continue with single sign-on" }).waitFor();
    expect(await check(visitor, "sign-in-with-provider")).toEqual([]);
    idp.use(nora);
    await page.getByRole("button", { name: "Continue with single sign-on" }).click();
    await page.getByRole("button", { name: "Sign in as Nora Lind" }).click();
    await page.waitForURL(`**/w/${home}/settings?tab=you`);
    await page.getByText("nora@corp.example").first().waitFor();
    await page.getByText("You sign in with single sign-on.").waitFor();
    expect(takeErrors(visitor)).toEqual([]);
  });

  test("goes on with a half filled form after a sign-in on another tab, once the session has ended", async () => {
    const { page, context } = visitor;
    await page.goto(`/w/${home}/sources/channels/new`);
    await typeInto(page.getByLabel("Name"), "Night desk");
    await typeInto(page.getByLabel("Endpoint URL"), world.receiver.url);
    await context.clearCookies();
    await page.getByRole("button", { name: "Create the channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByText(`Sign in as ${nora.email}`).waitFor();
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
    await dialog.getByText("You aren't signed in with this account yet.").waitFor();
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      dialog.getByRole("link", { name: "sign in on another tab" }).click(),
    ]);
    idp.use(nora);
    await tab.getByRole("button", { name: "Continue with single sign-on" }).click();
    await tab.getByRole("button", { name: "Sign in as Nora Lind" }).click();
    await tab.getByRole("link", { name: "Overview", exact: true }).waitFor();
    await tab.close();
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("dialog", { name: "Night desk is ready" }).waitFor();
    const channels = await world.service.deps.database.listChannels({ workspaceId: home });
    expect(channels.map(({ name }) => name)).toEqual(["Night desk"]);
    await page.goto(`/w/${home}/settings?tab=you`);
    await page.getByText("You sign in with single sign-on.").waitFor();
    // The browser writes the refused request to its console.
    expect(takeErrors(visitor)).toEqual([expect.stringContaining("401")]);
  });

  test("proves who it is before what is dangerous", async () => {
    const { page } = visitor;
    const { database } = world.service.deps;
    const user = await database.findUserByEmail(nora.email);
    const now = systemClock.now();
    const query = { userId: user?.id ?? "", now, idleSince: new Date(0) };
    for (const { id } of await database.listSessions(query)) {
      await database.proveSession({ id, provedAt: new Date(now.getTime() - 3_600_000) });
    }
    await page.getByRole("button", { name: "Set up" }).click();
    const question = page.getByRole("dialog", { name: "Sign in again" });
    await question.waitFor();
    expect(takeErrors(visitor)).toEqual([expect.stringContaining("403")]);
    expect(await check(visitor, "sign-in-again")).toEqual([]);
    await question.getByRole("button", { name: "Continue with single sign-on" }).click();
    // The provider knows her, and asks all the same.
    await page.getByRole("button", { name: "Sign in as Nora Lind" }).click();
    await page.waitForURL(`**/w/${home}/settings?tab=you`);
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog");
    const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    const code = totpCode(base32Bytes(secret), stepOf(systemClock.now()));
    await typeInto(dialog.getByLabel("Code", { exact: true }), code);
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByText("They are not shown again").waitFor();
    const codes = await dialog.locator("li code").allTextContents();
    await dialog.getByRole("button", { name: "I have saved them" }).click();

    // Elsewhere the provider's word is not enough any more.
    const other = await world.browser.newVisitor();
    await other.page.goto("/");
    await other.page.getByRole("button", { name: "Continue with single sign-on" }).click();
    await other.page.getByRole("button", { name: "Sign in as Nora Lind" }).click();
    const field = other.page.getByLabel("Code", { exact: true });
    await field.waitFor();
    expect(new URL(other.page.url()).pathname).toBe("/sign-in-link");
    expect(await check(other, "sign-in-link")).toEqual([]);
    await typeInto(field, codes[0] ?? "");
    await other.page.getByRole("button", { name: "Sign in" }).click();
    await other.page.getByRole("link", { name: "Overview", exact: true }).waitFor();
    expect(takeErrors(other)).toEqual([]);
    await other.context.close();
  });

  test("says why an account may not come in", async () => {
    const other = await world.browser.newVisitor();
    const { page } = other;
    idp.use({ sub: "eve", email: "eve@elsewhere.example", email_verified: true, name: "Eve" });
    await page.goto("/");
    await page.getByRole("button", { name: "Continue with single sign-on" }).click();
    await page.getByRole("button", { name: "Sign in as Eve" }).click();
    await page.getByText("not in a domain that may sign in here").waitFor();
    expect(await check(other, "sign-in-problem")).toEqual([]);
    expect(takeErrors(other)).toEqual([]);
    await page.getByRole("link", { name: "Back to the sign-in" }).click();
    await page.getByLabel("E-mail").waitFor();
    await other.context.close();
  });
});
