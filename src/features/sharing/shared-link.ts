// Links by which people without an account read one page of a workspace, and feed readers a saved view.
import { z } from "zod";
import { idSchema, wholeNumberSchema } from "../../domain/fields.ts";
import { boundedText } from "../../domain/text-values.ts";

export const linkKinds = ["feed", "view", "overview", "report", "comparison"] as const;
export type LinkKind = (typeof linkKinds)[number];

export const linkLimits = {
  daysMax: 365,
  /** In one workspace. */
  linksMax: 100,
  /** The page that a frozen link stores. */
  frozenBytesMax: 512 * 1024,
} as const;

/** After how many days a link ends. */
const linkDaysSchema = wholeNumberSchema({ min: 1, max: linkLimits.daysMax });

const page = { isFrozen: z.boolean({ error: "must be true or false" }), days: linkDaysSchema };
const view = { viewId: idSchema };
const query = { query: boundedText(4_000) };
export const newLinkSchema = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("feed"), ...view, days: linkDaysSchema.nullable() }),
    z.strictObject({ kind: z.literal("view"), ...view, ...page }),
    z.strictObject({ kind: z.literal("overview"), ...query, ...page }),
    z.strictObject({ kind: z.literal("comparison"), ...query, ...page }),
    /** Always frozen. */
    z.strictObject({ kind: z.literal("report"), ...query, days: linkDaysSchema }),
  ],
  { error: `must be one of ${linkKinds.join(", ")}` },
);
export type NewLink = z.output<typeof newLinkSchema>;

/** A link as it can be shown: never its secret, which was shown only when it was made. */
export type SharedLink = {
  id: string;
  kind: LinkKind;
  /** The name of the view, or of the app. */
  name: string;
  isFrozen: boolean;
  madeBy: string;
  madeAt: Date;
  /** null: a feed that ends by hand alone. */
  endsAt: Date | null;
  usedAt: Date | null;
};
