// The resources of the API, and those of them that are small: topics, views and store credentials.
import { z } from "zod";
import { type Credential, credentialEntrySchema } from "../../domain/credential.ts";
import { type OwnTopic, ownTopicSchema } from "../../domain/own-topic.ts";
import { savedViewSchema } from "../../domain/review-work.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { addCredential, removeCredential } from "../credentials/credentials.ts";
import { changeView, keepView, removeView } from "../reviews/saved-views.ts";
import { changeOwnTopic, createOwnTopic, removeOwnTopic } from "../topics/own-topics.ts";
import { appResource } from "./apps.ts";
import { channelResource } from "./channels.ts";
import { defineResource, type Resource, type View } from "./resource.ts";

export const topicResource = defineResource({
  noun: "topic",
  plural: "topics",
  path: "own-topics",
  newSchema: ownTopicSchema,
  changeSchema: ownTopicSchema.pick({ phrases: true }).meta({ id: "TopicChange" }),
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the topic."),
      ...ownTopicSchema.shape,
      createdAt: z.iso.datetime().describe("When the topic was created."),
    })
    .meta({ id: "ManagedTopic" }),
  list: async (database, workspaceId) =>
    (await database.listOwnTopics({ workspaceId })).map(toTopicView),
  create: async (deps, workspaceId, input) => ({
    view: toTopicView(await createOwnTopic(deps, { ...input, workspaceId })),
  }),
  change: async (deps, { workspaceId, id: topic }, { phrases }) => ({
    view: toTopicView(await changeOwnTopic(deps, { workspaceId, topic, phrases })),
  }),
  remove: (deps, { workspaceId, id: topic }) => removeOwnTopic(deps, { workspaceId, topic }),
  lock: (tx, { workspaceId }) => tx.lockWorkspace(workspaceId),
});

export const viewResource = defineResource({
  noun: "view",
  plural: "views",
  path: "views",
  newSchema: savedViewSchema,
  changeSchema: savedViewSchema.partial().meta({ id: "ViewChange" }),
  viewSchema: z
    .object({ id: z.string().describe("Identifier of the view."), ...savedViewSchema.shape })
    .meta({ id: "ManagedView" }),
  list: async (database, workspaceId) =>
    (await database.listSavedViews(workspaceId)).map(({ hasLinks: _, ...view }) => view),
  create: async (deps, workspaceId, input) => ({
    view: await keepView(deps, { ...input, workspaceId }),
  }),
  change: async (deps, place, change) => ({
    view: await changeView(deps, { ...place, ...change }),
  }),
  remove: removeView,
  lock: (tx, { workspaceId }) => tx.lockWorkspace(workspaceId),
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

export const resources: readonly Resource[] = [
  appResource,
  channelResource,
  topicResource,
  viewResource,
  credentialResource,
];

function toTopicView({ id, name, phrases, createdAt }: OwnTopic): View {
  return { id, name, phrases, createdAt: formatTimestamp(createdAt) };
}

function toCredentialView({ id, store, name, subject, createdAt }: Credential): View {
  return { id, store, name, subject, createdAt: formatTimestamp(createdAt) };
}
