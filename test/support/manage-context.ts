// Programs that set up a workspace over the API: a workspace with a managing key, requests, and one of each thing.

import { generateKeyPairSync } from "node:crypto";
import pg from "pg";
import { expect } from "vitest";
import requestBodies from "../../docs-site/request-bodies.json" with { type: "json" };
import type { ManageRoute } from "../../src/api/manage/manage-route.ts";
import { manageRoutes } from "../../src/api/manage/routes.ts";
import {
  type ApiResponse,
  type ApiTestContext,
  openApiTestContext,
  type RequestOptions,
} from "./api-test-context.ts";
import { aKey, anAnsweredReview, anApp, aReview, aWorkspace, saveReviews } from "./factories.ts";

export const noId = "00000000-0000-4000-8000-000000000000";
export const hook = "https://hooks.example.com/starpost";

/** A key of the kind that App Store Connect makes. */
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keyFile = String(privateKey.export({ type: "pkcs8", format: "pem" }));

/** A body that each route with one accepts, as on the reference page; `{{review}}` is the id of a review of the workspace. */
export const bodies: Readonly<Record<string, object>> = {
  ...requestBodies,
  "post /channels": { name: "Desk", url: hook },
  "post /credentials": { store: "appstore", name: "Ours", keyFile, keyId: "ABCDEF1234" },
};

export const nameOf = ({ method, path }: ManageRoute): string => `${method} ${path}`;
export const fillBody = (body: object | undefined, { review = noId }: Record<string, string>) =>
  body && JSON.parse(JSON.stringify(body).replaceAll("{{review}}", review));
export const bodyOf = (route: ManageRoute, ids: Record<string, string>): RequestOptions =>
  route.operation?.file ? aFile : route.body ? { body: fillBody(bodies[nameOf(route)], ids) } : {};
const aFile = {
  body: "id,rating,date\nr1,5,2026-10-13\n",
  headers: { "content-type": "text/csv" },
};
export const fill = (path: string, ids: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, noun: string) => ids[noun] ?? noId);

type Json = ReturnType<typeof Object>;

export type ManageContext = ApiTestContext & {
  workspaceId: string;
  key: string;
  /** The review of the last `createOfEach`. */
  reviewId: string;
  replyId: string;
  /** Another workspace with a key of its own, for the next test. */
  renew(): Promise<void>;
  send(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  /** The body of an answer that is no problem. */
  call(method: string, path: string, body?: unknown): Promise<Json>;
  queryDatabase(text: string): Promise<pg.QueryResult>;
  /** One of each thing, by the name that paths have for it. */
  createOfEach(): Promise<Record<string, string>>;
  /** Removes what a route would create a second time, and the app that uses a credential to be removed. */
  clearFor(route: ManageRoute, ids: Record<string, string>): Promise<void>;
  /** Everything that the workspace has, as far as these routes change it. */
  readAll(): Promise<string>;
};

export async function openManageContext(
  options?: Parameters<typeof openApiTestContext>[0],
): Promise<ManageContext> {
  const context = await openApiTestContext(options);
  const world: ManageContext = {
    ...context,
    workspaceId: "",
    key: "",
    reviewId: "",
    replyId: "",
    async renew() {
      const workspace = await aWorkspace(context.database);
      world.workspaceId = workspace.id;
      world.reviewId = "";
      world.replyId = "";
      world.key = (await aKey(context.database, workspace, "manage")).key;
    },
    send(method, path, options = {}) {
      context.clock.advance(1_000);
      return context.request(`/api/v1${path}`, { key: world.key, ...options, method });
    },
    async call(method, path, body) {
      const response = await world.send(method, path, body === undefined ? {} : { body });
      expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
      return Object(response.json);
    },
    async queryDatabase(text) {
      const client = new pg.Client({ connectionString: context.connectionString });
      await client.connect();
      try {
        return await client.query(text);
      } finally {
        await client.end();
      }
    },
    async createOfEach() {
      const app = await anApp(context.database, { workspaceId: world.workspaceId });
      // As an app of the App Store is when it is followed: without languages.
      await context.database.updateApp({ ...app, languages: [] });
      const [review] = await saveReviews(context.database, app, [aReview()]);
      const reply = await anAnsweredReview(context.database, world.workspaceId);
      const ids: Record<string, string> = { review: review?.id ?? "", reply };
      world.reviewId = review?.id ?? "";
      world.replyId = reply;
      for (const route of manageRoutes()) {
        if (route.method !== "post" || route.status !== 201) continue;
        const created = await world.call("POST", route.path, bodyOf(route, ids).body);
        const [noun = ""] = Object.keys(created);
        ids[noun] = created[noun].id;
      }
      const { deliveryId } = await world.call("POST", `/channels/${ids["channel"]}/test`);
      return { ...ids, delivery: deliveryId };
    },
    async clearFor(route, ids) {
      const isAll = route.status === 201;
      const deleted = manageRoutes().filter(
        ({ method, path }) =>
          method === "delete" &&
          (isAll || (nameOf(route).includes("credential") && path === "/apps/{app}")),
      );
      for (const { path } of deleted) await world.call("DELETE", fill(path, ids));
    },
    async readAll() {
      const paths = ["/channels", "/own-topics", "/views", "/credentials", "/apps"];
      paths.push("/reply-templates");
      // Without those of a feature that is left out.
      const lists = paths.filter((one) => manageRoutes().some(({ path }) => path === one));
      if (world.replyId !== "") lists.push(`/replies/${world.replyId}`);
      if (world.reviewId !== "") lists.push(`/reviews/${world.reviewId}/work`);
      const answers = [];
      for (const path of lists) answers.push((await world.send("GET", path)).text);
      return answers.join("\n");
    },
  };
  await world.renew();
  return world;
}
