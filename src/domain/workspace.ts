// A workspace owns apps, keys, channels and deliveries, and is the border of what anyone sees.

export const plans = ["starter", "studio"] as const;
export type Plan = (typeof plans)[number];

export type Workspace = { id: string; name: string; plan: Plan; createdAt: Date };

/** A key as it can be shown: never the key itself, which only its maker saw. */
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
