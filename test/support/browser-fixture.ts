// What a browser test stands on: the pages as they are built, the real service on simulated stores, a
// customer's endpoint and a browser. Nobody has an account in it, and there is no workspace.

import { openSimulator } from "../../simulator/simulator.ts";
import type { StoreState } from "../../simulator/store-state.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import type { Service } from "../../src/main.ts";
import { createUser } from "../../src/use-cases/members/users.ts";
import { openTestBrowser, type TestBrowser, type WatchedPage } from "./browser.ts";
import { ensureBuilt } from "./built-cli.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { startBareService } from "./service.ts";

export type BrowserWorld = {
  service: Service;
  receiver: Receiver;
  browser: TestBrowser;
  /** As it stands in the log. */
  setupLink: string;
  /** Somebody with an account, at the sign-in page and through it. */
  signIn(person: {
    email: string;
    workspaceId: string;
    role?: "owner" | "member";
  }): Promise<WatchedPage>;
  close(): Promise<void>;
};

export const password = "Seventeen-quiet-otters";

export async function openBrowserWorld(stores: StoreState): Promise<BrowserWorld> {
  const resources = new ResourceStack();
  try {
    return await openParts(stores, resources);
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

async function openParts(stores: StoreState, resources: ResourceStack): Promise<BrowserWorld> {
  ensureBuilt();
  const simulator = await openSimulator({ clock: systemClock, storeState: stores });
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
  const service = await startBareService({ storesUrl: simulator.url, log });
  resources.add(() => service.close());
  const browser = await openTestBrowser(service.url);
  resources.add(() => browser.close());
  return {
    service,
    receiver,
    browser,
    setupLink,
    async signIn({ email, workspaceId, role = "owner" }) {
      const deps = { ...service.deps, actor: "test" };
      await createUser(deps, { email, name: null, role, workspaceId, password });
      const person = await browser.newPerson();
      await person.page.goto(`/w/${workspaceId}/settings`);
      await person.page.getByLabel("E-mail").fill(email);
      await person.page.getByLabel("Password").fill(password);
      await person.page.getByRole("button", { name: "Sign in" }).click();
      await person.page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
      return person;
    },
    close: () => resources.closeAll(),
  };
}
