// The resources of the API, and those of them that are small: topics, views and store credentials.
import { z } from "zod";
import { type Credential, credentialEntrySchema } from "../domain/credential.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { addCredential, removeCredential } from "../use-cases/credentials/credentials.ts";
import { appResource } from "./app-resource.ts";
import { channelResource } from "./channel-resource.ts";
import { carryOut } from "./frame.ts";
import type { Noun, Operation, OperationDeps, Thing } from "./operation.ts";
import { defineResource, type Resource, type ResourceDeps, type View } from "./resource.ts";
import { changeTopic, createTopic, removeTopic, topicNoun } from "./topic.ts";
import { changeView, createView, removeView, viewNoun } from "./view.ts";

export const topicResource = asResource(topicNoun, {
  create: createTopic,
  change: changeTopic,
  remove: removeTopic,
});
export const viewResource = asResource(viewNoun, {
  create: createView,
  change: changeView,
  remove: removeView,
});

export const credentialResource = defineResource({
  noun: "credential",
  plural: "credentials",
  path: "credentials",
  newSchema: credentialEntrySchema,
  changeSchema: null,
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the credential."),
      ...credentialEntrySchema.pick({ store: true, name: true }).shape,
      subject: z
        .string()
        .describe("Its name at the store: a key id, or the address of a service account."),
      createdAt: z.iso.datetime().describe("When the credential was added."),
    })
    .meta({ id: "ManagedCredential" }),
  list: async (database, workspaceId) =>
    (await database.listCredentials({ workspaceId })).map(toCredentialView),
  create: async (deps, workspaceId, input) => ({
    view: toCredentialView(await addCredential(deps, { ...input, workspaceId })),
  }),
  change: () => Promise.reject(new Error("a credential is not changed")),
  remove: removeCredential,
  lock: (tx, place) => tx.lockCredential(place),
});

export const resources: readonly Resource[] = [appResource, channelResource, credentialResource];

/** For `apply`, which runs the verbs of all nouns on one joined database. */
function asResource<Row extends Thing>(
  noun: Noun<Row>,
  verbs: { create: Operation; change: Operation; remove: Operation },
): Resource {
  const { create, change, remove } = verbs;
  const act = async (
    deps: ResourceDeps,
    operation: Operation,
    request: { workspaceId: string; id?: string; input: unknown },
  ) => {
    const actor = { kind: "operator", name: deps.actor } as const;
    // The verbs of these nouns neither ask a store nor send an e-mail.
    const operationDeps = deps as unknown as OperationDeps;
    const { result } = await carryOut(operationDeps, operation, { ...request, actor });
    return { view: noun.toView(result as Row) };
  };
  return {
    noun: noun.noun as Resource["noun"],
    plural: noun.plural,
    path: noun.path,
    newSchema: create.schema,
    changeSchema: change.schema,
    viewSchema: noun.viewSchema,
    list: async (database, workspaceId) =>
      (await noun.list(database, workspaceId)).map(noun.toView),
    create: (deps, workspaceId, input) => act(deps, create, { workspaceId, input }),
    change: (deps, place, input) => act(deps, change, { ...place, input: input as unknown }),
    remove: (deps, place) => act(deps, remove, { ...place, input: undefined }),
    lock: (tx, { workspaceId }) => tx.lockWorkspace(workspaceId),
  };
}

function toCredentialView({ id, store, name, subject, createdAt }: Credential): View {
  return { id, store, name, subject, createdAt: formatTimestamp(createdAt) };
}
