// The schemas of bodies and search parameters: the server parses with them, and the types of the contract are theirs.
// Passwords, tokens and store inputs have only a type and a generous bound here: the use case checks the rest.
import { z } from "zod";
import { channelFiltersSchema } from "../../domain/channel/channel.ts";
import { deliveryStatuses } from "../../domain/channel/delivery.ts";
import { httpRequestSchema } from "../../domain/channel/http-request.ts";
import { idSchema, nameSchema, oneOfSchema } from "../../domain/fields.ts";
import { userNameSchema } from "../../domain/people/user-input.ts";
import { type ReviewFilter, reviewFilterSchema } from "../../domain/review/review-filter.ts";
import { storeIds } from "../../domain/store/store-id.ts";
import { boundedText, wholeNumberText } from "../../domain/text-values.ts";

const email = boundedText(400);
const passwordText = boundedText(1_000);
/** A code from an authenticator app, or a recovery code with its dashes. */
const code = boundedText(40);
const token = boundedText(200);
const shortText = boundedText(1_000);
const store = oneOfSchema(storeIds);

export const feedFilters = reviewFilterSchema;
export type FeedFilters = ReviewFilter;

const pageSize = wholeNumberText({ min: 1, max: 100 }).optional();
export const feedPage = feedFilters.extend({
  limit: pageSize,
  cursor: z.string().max(200).optional(),
});

export const verdictsQuery = z.object({ version: z.string().max(200).optional() });
export const overviewQuery = feedFilters.pick({ app: true, from: true, to: true });

export const auditPage = z.strictObject({
  before: idSchema.optional(),
  q: z.string().max(100, { error: "is too long" }).optional(),
});

/** A link to a store page, an id, or words: the service recognizes which. */
export const findAppsBody = z.strictObject({
  text: shortText,
  /** null: all stores are searched; an id needs none. */
  store: store.nullable(),
  /** Storefront to search in; null: `us`. */
  country: z.string().max(20).nullable(),
});
export type FindApps = z.output<typeof findAppsBody>;

/** One storefront or language; without it all of the app. */

export const iconQuery = z.strictObject({ url: z.string().max(2_000), seal: z.string().max(100) });

export const channelFilters = channelFiltersSchema.strict();
export type ChannelFilters = z.output<typeof channelFilters>;
export const requestPreview = z.strictObject({ request: httpRequestSchema });
export const deliveryPage = z.strictObject({
  /** `retrying`: failed before, and waits for its next attempt. */
  status: z.enum([...deliveryStatuses, "retrying"]).optional(),
  before: idSchema.optional(),
  limit: pageSize,
});

const password = passwordText;
export const signIn = z.strictObject({ email, password, code: code.optional() });
export const signInLink = z.strictObject({ token, code: code.optional() });
export const proof = z.strictObject({ password, code: code.optional() });
export const confirmation = z.strictObject({ code });
export const forgottenPassword = z.strictObject({ email });
export const newPassword = z.strictObject({ token, password });
export const passwordChange = z.strictObject({
  currentPassword: passwordText,
  newPassword: passwordText,
});
export const chosenWorkspace = z.strictObject({ workspaceId: idSchema });
export const newWorkspace = z.strictObject({ name: nameSchema() });
export const userChange = z.strictObject({ name: userNameSchema });
export const linkToken = z.strictObject({ token });

/** 12 to 128 characters, not one of the most common. */
const account = z.strictObject({ name: shortText, email, password });
export const newAccount = account.extend({ token });
export const firstAccount = newAccount.extend({ workspaceName: shortText.nullable() });
