// The routes of a resource: list, read, create, change and delete.
import { objectSchema, viewSchema } from "../../use-cases/resources/json-schema.ts";
import type { Resource } from "../../use-cases/resources/resource.ts";
import { findView, type ManageRoute, noQuery, writeQuery } from "./manage-route.ts";

export const secretSchema = {
  type: "string",
  description: "Webhooks: what their deliveries are signed with.",
};
const warning = {
  type: ["string", "null"],
  description: "Something to know about a valid setting; null when there is nothing.",
};

export function routesOf(resource: Resource): ManageRoute[] {
  return [...readRoutes(resource), ...writeRoutes(resource)];
}

function readRoutes(resource: Resource): ManageRoute[] {
  const { noun, plural } = resource;
  const { name, article, one, all, view } = describe(resource);
  const read = { method: "get", status: 200, body: null, query: noQuery } as const;
  const routes: ManageRoute[] = [
    {
      ...read,
      ...all,
      answer: objectSchema({ [plural]: { type: "array", items: view } }),
      operationId: `listManaged${name}s`,
      summary: `List ${plural} with their settings`,
      handle: async ({ deps, workspaceId }) => ({
        body: { [plural]: await resource.list(deps.database, workspaceId) },
      }),
    },
    {
      ...read,
      ...one,
      answer: objectSchema({ [noun]: view }),
      operationId: `getManaged${name}`,
      summary: `Read ${article} ${noun} with its settings`,
      async handle({ deps, workspaceId, id }) {
        const tagged = await findView(resource, deps.database, { workspaceId, id });
        return { body: { [noun]: tagged }, tagged };
      },
    },
  ];
  // The list of apps is an endpoint of the read API.
  return noun === "app" ? routes.slice(1) : routes;
}

function writeRoutes(resource: Resource): ManageRoute[] {
  const { noun, newSchema, changeSchema } = resource;
  const { name, article, one, all, view } = describe(resource);
  const saved = { [noun]: view, warning };
  const created = noun === "channel" ? { ...saved, secret: secretSchema } : saved;
  const routes: ManageRoute[] = [
    {
      ...all,
      method: "post",
      status: 201,
      body: newSchema,
      answer: objectSchema(created),
      query: writeQuery,
      operationId: `create${name}`,
      summary: noun === "app" ? "Follow an app" : `Create ${article} ${noun}`,
      async handle({ deps, workspaceId, body }) {
        const { view, warning = null, secret } = await resource.create(deps, workspaceId, body);
        const shown = { [noun]: view, warning };
        return { body: secret == null ? shown : { ...shown, secret }, tagged: view };
      },
    },
    {
      ...one,
      method: "delete",
      status: 204,
      body: null,
      answer: objectSchema({ isDryRun: { type: "boolean" } }),
      query: writeQuery,
      operationId: `delete${name}`,
      summary: noun === "app" ? "Unfollow an app" : `Delete ${article} ${noun}`,
      async handle({ deps, workspaceId, id }) {
        await resource.remove(deps, { workspaceId, id });
        return { body: null };
      },
    },
  ];
  if (changeSchema !== null) {
    routes.push({
      ...one,
      method: "patch",
      status: 200,
      body: changeSchema,
      answer: objectSchema(saved),
      query: writeQuery,
      operationId: `change${name}`,
      summary: `Change ${article} ${noun}`,
      description: "Fields that are left out stay as they are.",
      async handle({ deps, workspaceId, id, body }) {
        const { view, warning = null } = await resource.change(deps, { workspaceId, id }, body);
        return { body: { [noun]: view, warning }, tagged: view };
      },
    });
  }
  return routes;
}

function describe(resource: Resource) {
  const { noun, path } = resource;
  return {
    name: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    article: noun === "app" ? "an" : "a",
    one: { path: `/${path}/{${noun}}`, resource },
    all: { path: `/${path}`, resource: null },
    view: viewSchema(resource),
  };
}
