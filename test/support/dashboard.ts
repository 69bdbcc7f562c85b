// The dashboard's API of a real service, asked as the pages ask it: with a cookie jar, as JSON, and with
// what browsers say of where a request comes from.
import { silentLog } from "../../src/lib/log.ts";
import { createSetupLink } from "../../src/use-cases/members/setup.ts";
import { createUser } from "../../src/use-cases/members/users.ts";
import { createWorkspace } from "../../src/use-cases/members/workspaces.ts";
import { startTestService, type TestService } from "./service.ts";

export type Said = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
};

export type Browser = {
  ask(
    path: string,
    asked?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Said>;
  get(path: string): Promise<Said>;
  post(path: string, body?: unknown): Promise<Said>;
  patch(path: string, body?: unknown): Promise<Said>;
  delete(path: string): Promise<Said>;
  cookie(): string;
};

export type DashboardWorld = {
  service: TestService;
  browser(): Browser;
  /** Somebody with an account, signed in; the workspace of the service unless another is named. */
  signIn(person: {
    email: string;
    workspaceId?: string;
    role?: "owner" | "member";
  }): Promise<Browser>;
  setupToken(): Promise<string>;
  /** Its id. */
  newWorkspace(name: string): Promise<string>;
  close(): Promise<void>;
};

export const password = "Seventeen-quiet-otters";

export async function openDashboardWorld(
  given: { storesUrl?: string; env?: Record<string, string> } = {},
): Promise<DashboardWorld> {
  const service = await startTestService({
    // Nobody listens there: what needs a store brings one.
    storesUrl: given.storesUrl ?? "http://127.0.0.1:9",
    env: { ROLES: "dashboard,api", ...given.env },
  });
  const { clock, database } = service.deps;
  return {
    service,
    browser: () => openBrowser(service.url),
    async signIn({ email, workspaceId = service.workspaceId, role = "owner" }) {
      const deps = { clock, database, log: silentLog, actor: "test" };
      const wanted = { email, name: null, role, workspaceId };
      await createUser(deps, { ...wanted, password });
      const browser = openBrowser(service.url);
      const said = await browser.post("/session/sign-in", { email, password });
      if (said.status !== 200) throw new Error(`sign-in: ${said.text}`);
      return browser;
    },
    async setupToken() {
      const opened = await createSetupLink({ clock, database, defaultPlan: "studio" });
      if (!opened) throw new Error("somebody has an account already");
      return opened.token;
    },
    async newWorkspace(name) {
      return (await createWorkspace({ clock, database }, { name, plan: "studio" })).id;
    },
    close: () => service.close(),
  };
}

export function openBrowser(url: string): Browser {
  let cookie = "";
  async function ask(path: string, asked: Parameters<Browser["ask"]>[1] = {}): Promise<Said> {
    const { method = "GET", body } = asked;
    const response = await fetch(`${url}/console/api${path}`, {
      method,
      headers: {
        ...(cookie && { cookie }),
        origin: url,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...asked.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";")[0] ?? "";
    const text = await response.text();
    const isJson = /json\b/.test(response.headers.get("content-type") ?? "");
    const json = isJson && !/jsonl|ndjson/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: json ? JSON.parse(text) : null,
    };
  }
  return {
    ask,
    get: (path) => ask(path),
    post: (path, body) => ask(path, { method: "POST", body }),
    patch: (path, body) => ask(path, { method: "PATCH", body }),
    delete: (path) => ask(path, { method: "DELETE" }),
    cookie: () => cookie,
  };
}
