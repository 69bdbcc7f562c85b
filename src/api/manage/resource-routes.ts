// The routes of a resource: list, read, create, change and delete.
import { z } from "zod";
import type { Resource } from "../../operations/resource.ts";
import {
  findView,
  type ManageRoute,
  noQuery,
  rehearsalAnswer,
  secretSchema,
  warningSchema as warning,
  writeQuery,
} from "./manage-route.ts";

export function routesOf(resource: Resource): ManageRoute[] {
  return [...readRoutes(resource), ...writeRoutes(resource)];
}

function readRoutes(resource: Resource): ManageRoute[] {
  const { noun, plural, viewSchema } = resource;
  const { name, article, one, all } = describe(resource);
  const read = { method: "get", status: 200, body: null, query: noQuery } as const;
  const routes: ManageRoute[] = [
    {
      ...read,
      ...all,
      answer: z.object({ [plural]: z.array(viewSchema) }),
      operationId: `listManaged${name}s`,
      summary: `List ${plural} with their settings`,
      description: `All ${plural} of the workspace; secrets are left out.`,
      handle: async ({ deps, workspaceId }) => ({
        body: { [plural]: await resource.list(deps.database, workspaceId) },
      }),
    },
    {
      ...read,
      ...one,
      answer: z.object({ [noun]: viewSchema }),
      operationId: `getManaged${name}`,
      summary: `Read ${article} ${noun} with its settings`,
      description: `The \`ETag\` of the answer is what \`If-Match\` takes when the ${noun} is changed or deleted.`,
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
  const { noun, newSchema, changeSchema, viewSchema } = resource;
  const { name, article, one, all } = describe(resource);
  const saved = z.object({ [noun]: viewSchema, warning }).meta({ id: `Saved${name}` });
  const created =
    noun === "channel"
      ? saved.extend({ secret: secretSchema.optional() }).meta({ id: `Created${name}` })
      : saved;
  const routes: ManageRoute[] = [
    {
      ...all,
      method: "post",
      status: 201,
      body: newSchema,
      answer: created,
      query: writeQuery,
      operationId: `create${name}`,
      summary: noun === "app" ? "Follow an app" : `Create ${article} ${noun}`,
      description: createdNotes[noun] ?? "",
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
      answer: rehearsalAnswer,
      query: writeQuery,
      operationId: `delete${name}`,
      summary: noun === "app" ? "Unfollow an app" : `Delete ${article} ${noun}`,
      description: deletedNotes[noun] ?? "",
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
      answer: saved,
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

const createdNotes: Readonly<Record<string, string>> = {
  app: "The store is asked for the app, and its reviews are read from now on.",
  channel: "The answer shows the signing secret of a webhook.",
  credential: "The account must be able to read the store's official API.",
};

const deletedNotes: Readonly<Record<string, string>> = {
  app: "Its reviews are no longer shown, and channels that name it alone send nothing.",
  channel: "Its pending deliveries are deleted with it.",
  credential: "One that an app is read with is not deleted.",
};

function describe(resource: Resource) {
  const { noun, path } = resource;
  return {
    name: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    article: noun === "app" ? "an" : "a",
    one: { path: `/${path}/{${noun}}`, resource },
    all: { path: `/${path}`, resource: null },
  };
}
