// A workspace's accounts at the stores: added with a key file, listed without it, removed when no app is read through them
// any more.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { nameSchema } from "../../domain/fields.ts";
import type { Credential } from "../../domain/store/credential.ts";
import { failField, parseField, parseInput } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { action, creation, defineNoun } from "../../operations/operation.ts";
import { credentialEntrySchema, credentialInputSchema } from "./account.ts";

const credentialNoun = defineNoun<Credential>({
  noun: "credential",
  plural: "credentials",
  path: "credentials",
  find: (database, ref) => database.lockCredential(ref),
  list: (database, workspaceId) => database.listCredentials({ workspaceId }),
  toView: ({ id, store, name, subject, createdAt }) => ({
    id,
    store,
    name,
    subject,
    createdAt: formatTimestamp(createdAt),
  }),
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
});

const traits = { role: "owner", scope: "manage", isSensitive: true } as const;

/** No message quotes a secret. */
export const addCredential = creation(credentialNoun, {
  ...traits,
  verb: "create",
  summary: "Create a credential",
  description: "The account must be able to read the store's official API.",
  limits: [{ perMinute: 10, by: "workspace" }],
  audit: "credential.added",
  schema: credentialEntrySchema,
  async prepare({ deps }, input) {
    const { store } = input;
    const name = parseField(nameSchema(), { field: "name", value: input.name });
    const { secret, subject } = parseInput(credentialInputSchema(store), input);
    const stores = await deps.loadStores();
    const fault = (await stores[store].findAccountFault?.(secret)) ?? null;
    if (fault !== null) failField("bucket", fault);
    return { name, secret, subject };
  },
  async run({ deps, tx, workspaceId, now }, { input: { store }, prepared }) {
    const { name, secret, subject } = prepared;
    const id = uuidV7(now);
    const credential = { id, workspaceId, store, name, subject, createdAt: now, version: 0 };
    const encryptedSecret = deps.secretBox.seal(JSON.stringify(secret), id);
    await tx.insertCredential({ ...credential, encryptedSecret });
    return { result: credential, id, detail: { name, store, subject } };
  },
});

export const removeCredential = action(credentialNoun, {
  ...traits,
  verb: "delete",
  summary: "Delete a credential",
  description: "One that an app is read with is not deleted.",
  audit: "credential.removed",
  async run({ tx }, { before }) {
    const { id, store } = before;
    const useCount = await tx.countCredentialUses(id);
    if (useCount > 0) {
      const message = `apps are read through this credential (${useCount}); remove them first`;
      throw new AppError("conflict", message);
    }
    await tx.deleteCredential(id);
    return { result: before, detail: { store } };
  },
});
