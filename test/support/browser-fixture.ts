// The fixture of browser tests: the built pages, the real service on simulated stores, a webhook receiver
// and a browser. It starts without an account or workspace.
import type { ApiAccounts } from "../../simulator/api-auth.ts";
import { openSimulator, type Simulator } from "../../simulator/simulator.ts";
import type { StoreState } from "../../simulator/store-state.ts";
import type { Service } from "../../src/app/service.ts";
import type { MemberRole } from "../../src/domain/people/user.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { createUser } from "../../src/use-cases/accounts/users.ts";
import { openTestBrowser, type TestBrowser, type WatchedPage } from "./browser.ts";
import { ensureBuilt } from "./built-cli.ts";
import { typeInto } from "./hands.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { startBareService } from "./service.ts";

export type BrowserFixture = {
  service: Service;
  receiver: Receiver;
  simulator: Simulator;
  browser: TestBrowser;
  /** From the log. */
  setupLink: string;
  /** Creates a user and signs in on the sign-in page. */
  signIn(user: {
    email: string;
    workspaceId: string;
    role?: MemberRole;
    /** The window; 1280 by 900 without. */
    width?: number;
    height?: number;
    isTouch?: boolean;
  }): Promise<WatchedPage>;
  /** The same user in a browser of its own. */
  signInAgain(
    user: { email: string; workspaceId: string } & Parameters<TestBrowser["newVisitor"]>[0],
  ): Promise<WatchedPage>;
  close(): Promise<void>;
};

const officialUrls = [
  "APP_STORE_CONNECT_BASE_URL",
  "ANDROID_PUBLISHER_BASE_URL",
  "GOOGLE_OAUTH_BASE_URL",
];

export const password = "Seventeen-quiet-otters";

/**
 * @param env settings in addition to those that every test needs
 * @param accounts of the stores' official APIs
 */
export async function openBrowserFixture(
  stores: StoreState,
  env: Record<string, string> = {},
  accounts: ApiAccounts = {},
): Promise<BrowserFixture> {
  const resources = new ResourceStack();
  try {
    return await openResources(resources, { stores, env, accounts });
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

async function openResources(
  resources: ResourceStack,
  {
    stores,
    env,
    accounts,
  }: { stores: StoreState; env: Record<string, string>; accounts: ApiAccounts },
): Promise<BrowserFixture> {
  ensureBuilt();
  const simulator = await openSimulator({ clock: systemClock, storeState: stores, accounts });
  resources.add(() => simulator.close());
  const receiver = await openReceiver();
  resources.add(() => receiver.close());
  let setupLink = "";
  const log = {
    ...silentLog,
    info(facts: Record<string, unknown>) {
      if (typeof facts["link"] === "string") setupLink = facts["link"];
    },
  };
  const official = Object.fromEntries(officialUrls.map((name) => [name, simulator.url]));
  const service = await startBareService({
    ...{ storesUrl: simulator.url, log },
    env: { ...official, ...env },
  });
  resources.add(() => service.close());
  const browser = await openTestBrowser(service.url);
  resources.add(() => browser.close());
  const signInAgain: BrowserFixture["signInAgain"] = async ({ email, workspaceId, ...window }) => {
    const visitor = await browser.newVisitor(window);
    await visitor.page.goto(`/w/${workspaceId}/settings`);
    await typeInto(visitor.page.getByLabel("E-mail"), email);
    await typeInto(visitor.page.getByLabel("Password"), password);
    await visitor.page.getByRole("button", { name: "Sign in" }).click();
    await visitor.page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    return visitor;
  };
  return {
    service,
    receiver,
    simulator,
    browser,
    setupLink,
    signInAgain,
    async signIn({ role = "owner", ...user }) {
      const { email, workspaceId } = user;
      const deps = { ...service.deps, actor: "test" };
      await createUser(deps, { email, name: null, role, workspaceId, password });
      return signInAgain(user);
    },
    close: () => resources.closeAll(),
  };
}
