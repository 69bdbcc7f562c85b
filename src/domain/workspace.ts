// A workspace owns apps, keys, channels and deliveries, and is the border of what anyone sees.
import { z } from "zod";
import { nameSchema, oneOfSchema } from "./fields.ts";

export const plans = ["starter", "studio"] as const;
export type Plan = (typeof plans)[number];

export type Workspace = { id: string; name: string; plan: Plan; createdAt: Date };

export const planSchema = oneOfSchema(plans);
export const workspaceInputSchema = z.object({ name: nameSchema(), plan: planSchema });

/** A key as it can be shown: never its text, which was shown only when it was created. */
export type ApiKey = {
  id: string;
  workspaceId: string;
  name: string;
  /** The first characters, enough to tell keys apart. */
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};
