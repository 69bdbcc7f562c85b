// Links by which people without an account read one page of a workspace, and feed readers a saved view.
import { wholeNumberSchema } from "../../domain/fields.ts";

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
export const linkDaysSchema = wholeNumberSchema({ min: 1, max: linkLimits.daysMax });

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
