// A workspace's own account at a store: reviews are then read through the store's official API.
import type { StoreId } from "./store-id.ts";

/** What may be shown of it; the secret itself is never shown again. */
export type Credential = {
  id: string;
  workspaceId: string;
  store: StoreId;
  name: string;
  /** Who it speaks for at the store: a key id, or the address of a service account. */
  subject: string;
  createdAt: Date;
};

export type CredentialSecret =
  | {
      store: "appstore";
      keyId: string;
      /** null for the key of one person. */
      issuerId: string | null;
      /** PKCS#8 in PEM, of an EC key on P-256. */
      privateKey: string;
    }
  | {
      store: "googleplay";
      clientEmail: string;
      privateKeyId: string | null;
      /** PKCS#8 in PEM, of an RSA key. */
      privateKey: string;
      /** Where Play Console puts its reports, `pubsite_prod_rev_…`; null: they are not read. */
      bucket: string | null;
    };

/** The one region of a feed that is read through an account: it knows all storefronts at once. */
export const everywhere = "all";
