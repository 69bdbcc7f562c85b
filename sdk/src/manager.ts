// The settings of a workspace by noun: list, read, create, change and remove them.
import {
  type Answer,
  type CallOptions,
  type ClientOptions,
  createSend,
  sendWrite,
  type WriteOptions,
  write,
} from "./transport.ts";
import type {
  App,
  AppChange,
  AppInput,
  ChannelChange,
  ChannelInput,
  CredentialInput,
  ManagedApp,
  ManagedChannel,
  OwnTopic,
  ReplyTemplate,
  ReplyTemplateChange,
  ReplyTemplateInput,
  SavedView,
  StoreCredential,
  TopicChange,
  TopicInput,
  ViewChange,
  ViewInput,
} from "./types.ts";

/** The things that programs set up, by the first part of their path. `own-topics` are those of the workspace alone. */
export type ManagedThings = {
  apps: ManagedApp;
  channels: ManagedChannel;
  "own-topics": OwnTopic;
  "reply-templates": ReplyTemplate;
  views: SavedView;
  credentials: StoreCredential;
};

/** What is sent to create one, and to change it. */
export type Inputs = {
  apps: { created: AppInput; changed: AppChange };
  channels: { created: ChannelInput; changed: ChannelChange };
  "own-topics": { created: TopicInput; changed: TopicChange };
  "reply-templates": { created: ReplyTemplateInput; changed: ReplyTemplateChange };
  views: { created: ViewInput; changed: ViewChange };
  /** A credential can't be changed. */
  credentials: { created: CredentialInput; changed: never };
};

/** Apps are listed as the read API does. */
export type Listed<Name extends keyof ManagedThings> = Name extends "apps"
  ? App
  : ManagedThings[Name];

/** A thing that was read or saved. */
export type Saved<Thing> = {
  thing: Thing;
  /** For `ifMatch`. */
  etag: string | null;
  warning: string | null;
  /** Of a webhook that was created. */
  secret: string | null;
};

/** With a key of the scope `manage`. */
export type Manager<Name extends keyof ManagedThings> = {
  list(options?: CallOptions): Promise<Listed<Name>[]>;
  get(id: string, options?: CallOptions): Promise<Saved<ManagedThings[Name]>>;
  create(
    input: Inputs[Name]["created"],
    options?: WriteOptions,
  ): Promise<Saved<ManagedThings[Name]>>;
  /** Fields that are left out stay as they are. */
  change(
    id: string,
    input: Inputs[Name]["changed"],
    options?: WriteOptions,
  ): Promise<Saved<ManagedThings[Name]>>;
  remove(id: string, options?: WriteOptions): Promise<void>;
};

const nouns = {
  apps: "app",
  channels: "channel",
  "own-topics": "topic",
  "reply-templates": "template",
  views: "view",
  credentials: "credential",
} as const satisfies Record<keyof ManagedThings, string>;

export function toSaved<Thing>({ body, headers }: Answer<unknown>, noun: string): Saved<Thing> {
  const answer = body as Record<string, unknown>;
  return {
    thing: answer[noun] as Thing,
    etag: headers.get("etag"),
    warning: (answer["warning"] ?? null) as string | null,
    secret: (answer["secret"] ?? null) as string | null,
  };
}

export function createManager<Name extends keyof ManagedThings>(
  options: ClientOptions,
  name: Name,
): Manager<Name> {
  type Thing = ManagedThings[Name];
  const noun = nouns[name];
  const pathOf = (id: string): string => `${name}/${encodeURIComponent(id)}`;
  const toThing = (answer: Answer<unknown>) => toSaved<Thing>(answer, noun);
  const read = createSend(
    options,
    async (response) => (await response.json()) as Record<string, unknown>,
  );
  return {
    list: async (call) => (await read(name, {}, call)).body[`${noun}s`] as Listed<Name>[],
    get: async (id, call) => toThing(await read(pathOf(id), {}, call)),
    create: async (body, call) =>
      toThing(await sendWrite(options, "POST", name, { ...call, body })),
    change: async (id, body, call) =>
      toThing(await sendWrite(options, "PATCH", pathOf(id), { ...call, body })),
    remove: (id, call) => write(options, "DELETE", pathOf(id), call),
  };
}
