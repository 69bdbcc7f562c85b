// The dashboard API of a real service, called as the pages call it: with a cookie jar, as JSON, and with the
// Origin header that browsers send.
import { createBrowserToken } from "../../src/dashboard-api/session/browser-token.ts";
import type { MemberRole } from "../../src/domain/people/user.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Log } from "../../src/lib/log.ts";
import { hashPassword } from "../../src/use-cases/accounts/password-hash.ts";
import { createSetupLink } from "../../src/use-cases/accounts/setup.ts";
import { addMember, insertUser } from "../../src/use-cases/accounts/users.ts";
import { createWorkspace } from "./acts.ts";
import { startTestService, type TestService } from "./service.ts";

export type ApiResponse = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape.
  json: any;
};

type RequestOptions = {
  method?: string;
  body?: unknown;
  /** In place of a body of JSON. */
  file?: NonNullable<RequestInit["body"]>;
  headers?: Record<string, string>;
  redirect?: "manual";
};

export type DashboardClient = {
  request(path: string, options?: RequestOptions): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown): Promise<ApiResponse>;
  patch(path: string, body?: unknown): Promise<ApiResponse>;
  delete(path: string): Promise<ApiResponse>;
  cookie(): string;
};

export type DashboardFixture = {
  service: TestService;
  /** Not signed in. */
  newClient(): DashboardClient;
  /** Creates a user and signs in; in the workspace of the service unless another is named. */
  signIn(user: {
    email: string;
    workspaceId?: string;
    role?: MemberRole;
  }): Promise<DashboardClient>;
  setupToken(): Promise<string>;
  /** Its id. */
  addWorkspace(name: string): Promise<string>;
  close(): Promise<void>;
};

export const password = "Seventeen-quiet-otters";

export async function openDashboardFixture(
  options: { storesUrl?: string; env?: Record<string, string>; log?: Log; clock?: Clock } = {},
): Promise<DashboardFixture> {
  const service = await startTestService({
    // Nothing listens there: a test that reads from a store passes its own.
    storesUrl: options.storesUrl ?? "http://127.0.0.1:9",
    // Tests name the client they play in X-Forwarded-For.
    env: { ROLES: "dashboard,api", TRUSTED_PROXIES: "127.0.0.0/8", ...options.env },
    ...(options.log && { log: options.log }),
    ...(options.clock && { clock: options.clock }),
  });
  const { clock, database } = service.deps;
  return {
    service,
    newClient: () => createDashboardClient(service.url),
    async signIn({ email, workspaceId = service.workspaceId, role = "owner" }) {
      const by = { clock, actor: "test" };
      const passwordHash = await hashPassword(password);
      const user = { email, name: email.split("@")[0] ?? email, passwordHash };
      await database.transaction(async (tx) => {
        const userId = await insertUser(by, tx, { ...user, actor: by.actor });
        await addMember(by, tx, { workspaceId, userId, role });
      });
      // In a browser that the account knows: its owner gets no e-mail about it.
      const known = createBrowserToken(service.deps.cursorKeys[0], email);
      const client = createDashboardClient(service.url, {
        "starpost-browser": known,
        "__Host-starpost-browser": known,
      });
      const response = await client.post("/session/sign-in", { email, password });
      if (response.status !== 200) throw new Error(`sign-in failed: ${response.text}`);
      return client;
    },
    async setupToken() {
      const link = await createSetupLink({ clock, database, defaultPlan: "studio" });
      if (!link) throw new Error("there is no set-up link, because there is an account already");
      return link.token;
    },
    async addWorkspace(name) {
      return (await createWorkspace({ clock, database }, { name, plan: "studio" })).id;
    },
    close: () => service.close(),
  };
}

export function createDashboardClient(
  url: string,
  kept: Record<string, string> = {},
): DashboardClient {
  const cookies = new Map(Object.entries(kept));
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  async function request(path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const { method = "GET", body, file } = options;
    const response = await fetch(`${url}/console/api${path}`, {
      method,
      redirect: options.redirect ?? "follow",
      headers: {
        ...(cookies.size > 0 && { cookie: cookie() }),
        origin: url,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(file === undefined ? {} : { "content-type": "application/octet-stream" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file, duplex: "half" as const }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const text = await response.text();
    const contentType = response.headers.get("content-type") ?? "";
    const isJson = /json\b/.test(contentType) && !/jsonl|ndjson/.test(contentType);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  }
  return {
    request,
    get: (path) => request(path),
    post: (path, body) => request(path, { method: "POST", body }),
    patch: (path, body) => request(path, { method: "PATCH", body }),
    delete: (path) => request(path, { method: "DELETE" }),
    cookie,
  };
}
