// A workspace's own account at a store, through whose official API its reviews are then read.
import type { StoreId } from "./store-id.ts";

/** The public part of it; the secret itself is never shown again. */
export type Credential = {
  id: string;
  workspaceId: string;
  store: StoreId;
  name: string;
  /** Its name at the store: a key id, or the address of a service account. */
  subject: string;
  createdAt: Date;
  /** Always 0: nothing of it can be changed. */
  version: number;
};

/** The one region of a feed that is read through an account: it covers all storefronts at once. */
export const everywhere = "all";
