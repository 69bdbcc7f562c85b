// The resources of the API, and those of them that are small: topics, views and store credentials.
import { credentialEntrySchema } from "../../domain/credential.ts";
import { ownTopicSchema } from "../../domain/own-topic.ts";
import { savedViewSchema } from "../../domain/review-work.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { addCredential, removeCredential } from "../credentials/credentials.ts";
import { changeView, keepView, removeView } from "../reviews/saved-views.ts";
import { changeOwnTopic, createOwnTopic, removeOwnTopic } from "../topics/own-topics.ts";
import { appResource } from "./apps.ts";
import { channelResource } from "./channels.ts";
import { defineResource, pick, type Resource, type View } from "./resource.ts";

export const topicResource = defineResource({
  noun: "topic",
  plural: "topics",
  path: "own-topics",
  newSchema: ownTopicSchema,
  changeSchema: ownTopicSchema.pick({ phrases: true }),
  shownFields: { id: "Identifier of the topic.", createdAt: "When the topic was created." },
  fieldDescriptions: {
    name: "Lower case, with `_` between words. It stays as it is.",
    phrases: "Phrases of reviews with the topic; one that begins with `-` is excluded.",
  },
  list: async (database, workspaceId) =>
    (await database.listOwnTopics({ workspaceId })).map((topic) =>
      toView(topic, ["name", "phrases"]),
    ),
  create: async (deps, workspaceId, input) => ({
    view: toView(await createOwnTopic(deps, { ...input, workspaceId }), ["name", "phrases"]),
  }),
  change: async (deps, { workspaceId, id: topic }, { phrases }) => ({
    view: toView(await changeOwnTopic(deps, { workspaceId, topic, phrases }), ["name", "phrases"]),
  }),
  remove: (deps, { workspaceId, id: topic }) => removeOwnTopic(deps, { workspaceId, topic }),
  lock: (tx, { workspaceId }) => tx.lockWorkspace(workspaceId),
});

export const viewResource = defineResource({
  noun: "view",
  plural: "views",
  path: "views",
  newSchema: savedViewSchema,
  changeSchema: savedViewSchema.partial(),
  shownFields: { id: "Identifier of the view." },
  fieldDescriptions: {
    name: "Its name; a view of the same name is replaced.",
    query: "Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`.",
  },
  list: async (database, workspaceId) =>
    (await database.listSavedViews(workspaceId)).map(({ id, name, query }) => ({
      id,
      name,
      query,
    })),
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
  shownFields: {
    id: "Identifier of the credential.",
    subject: "Its name at the store: a key id, or the address of a service account.",
    createdAt: "When the credential was added.",
  },
  secretFields: ["keyFile", "keyId", "issuerId", "bucket"],
  fieldDescriptions: {
    store: "The store of the account.",
    name: "Its name for people.",
    keyFile: "The content of the key file: Apple's .p8, Google's JSON. It is never shown.",
    keyId: "App Store: the id of the key.",
    issuerId: "App Store: the id of the issuer; null for the key of one person.",
    bucket: "Google Play: the bucket of the Play Console's reports.",
  },
  list: async (database, workspaceId) =>
    (await database.listCredentials({ workspaceId })).map((credential) =>
      toView(credential, ["store", "name", "subject"]),
    ),
  create: async (deps, workspaceId, input) => ({
    view: toView(await addCredential(deps, { ...input, workspaceId }), [
      "store",
      "name",
      "subject",
    ]),
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

function toView(row: { id: string; createdAt: Date }, fields: readonly string[]): View {
  const { id, createdAt } = row;
  return { id, ...pick(row, fields), createdAt: formatTimestamp(createdAt) };
}
