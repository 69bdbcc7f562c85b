// Store accounts: reviews, exports and answers of an app through its owner's account, by the stores' official APIs.
import type { Feature } from "../feature.ts";
import { addCredential, removeCredential } from "./operations.ts";

export const storeAccounts: Feature = {
  name: "store-accounts",
  nouns: [{ noun: addCredential.noun, operations: [addCredential, removeCredential] }],
  loadStoreAccounts: async () => (await import("./clients.ts")).accounts,
  loadRoutes: async () => (await import("./routes.ts")).accountRoutes,
};
