// Generates key pairs for the official APIs of the simulated stores: the private key for a client, the
// public key for the simulator.
import { generateKeyPairSync } from "node:crypto";
import type { ApiAccounts } from "./api-auth.ts";

export type StoreKeys = {
  accounts: Required<Pick<ApiAccounts, "connectKeys" | "serviceAccounts">>;
  team: ConnectKey;
  person: ConnectKey;
  service: { clientEmail: string; privateKeyPem: string; bucket: string };
};

/** `issuerId`: null for the key of one person. */
type ConnectKey = { keyId: string; issuerId: string | null; privateKeyPem: string };

export function generateStoreKeys(): StoreKeys {
  const team = generatePemPair("ec");
  const person = generatePemPair("ec");
  const service = generatePemPair("rsa");
  const issuerId = "57246542-96fe-1a63-e053-0824d011072a";
  const clientEmail = "reader@sample.iam.gserviceaccount.com";
  const bucket = "pubsite_prod_rev_01234567890123456789";
  return {
    accounts: {
      connectKeys: [
        { keyId: "TEAMKEY001", issuerId, publicKeyPem: team.publicKeyPem },
        { keyId: "PERSONKEY1", issuerId: null, publicKeyPem: person.publicKeyPem },
      ],
      serviceAccounts: [{ clientEmail, publicKeyPem: service.publicKeyPem, bucket }],
    },
    team: { keyId: "TEAMKEY001", issuerId, privateKeyPem: team.privateKeyPem },
    person: { keyId: "PERSONKEY1", issuerId: null, privateKeyPem: person.privateKeyPem },
    service: { clientEmail, privateKeyPem: service.privateKeyPem, bucket },
  };
}

function generatePemPair(kind: "ec" | "rsa"): { privateKeyPem: string; publicKeyPem: string } {
  const { privateKey, publicKey } =
    kind === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return {
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}
