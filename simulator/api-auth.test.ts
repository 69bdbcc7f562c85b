// Authentication of the simulated official APIs: only tokens that the real ones would accept.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { MovableClock } from "../test/support/movable-clock.ts";
import { ApiAuth } from "./api-auth.ts";

const now = new Date("2026-11-21T12:00:00Z");
const seconds = now.getTime() / 1_000;
const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const pem = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
const clientEmail = "reader@sample.invalid";
const accounts = new ApiAuth(new MovableClock(now), {
  connectKeys: [
    { keyId: "TEAM", issuerId: "issuer", publicKeyPem: pem(elliptic.publicKey) },
    { keyId: "PERSON", issuerId: null, publicKeyPem: pem(elliptic.publicKey) },
  ],
  serviceAccounts: [{ clientEmail, publicKeyPem: pem(rsa.publicKey) }],
});
const url = new URL("http://store.invalid/v1/apps/42/customerReviews?limit=200&sort=-createdDate");

describe("App Store Connect", () => {
  const good = { iss: "issuer", aud: "appstoreconnect-v1", iat: seconds, exp: seconds + 1_200 };
  const { iss: _, ...unnamed } = good;

  test.each([
    ["a team's token", "TEAM", good],
    ["an individual token", "PERSON", { ...unnamed, sub: "user" }],
    [
      "a token for this request alone",
      "TEAM",
      { ...good, scope: ["GET /v1/apps/42/customerReviews?limit=1"] },
    ],
  ])("%s is accepted", async (_name, kid, claims) => {
    const jwt = await sign(claims, { kid, key: elliptic.privateKey, alg: "ES256" });
    expect(await authenticate(jwt)).toBe(kid);
  });

  test.each([
    ["of another audience", { ...good, aud: "appstoreconnect-v2" }],
    ["with a lifetime over 20 minutes", { ...good, exp: seconds + 1_201 }],
    ["that has expired", { ...good, iat: seconds - 900, exp: seconds - 1 }],
    ["issued tomorrow", { ...good, iat: seconds + 86_400, exp: seconds + 87_000 }],
    ["without a time of issue", { ...good, iat: undefined }],
    ["of another issuer", { ...good, iss: "somebody" }],
    ["of a team with a subject", { ...good, sub: "user" }],
    ["for another request", { ...good, scope: ["GET /v1/apps/43/customerReviews"] }],
    ["for another verb", { ...good, scope: ["POST /v1/apps/42/customerReviews"] }],
  ])("a token %s is refused", async (_name, claims) => {
    const jwt = await sign(claims, { kid: "TEAM", key: elliptic.privateKey, alg: "ES256" });
    expect(await authenticate(jwt)).toBeNull();
  });

  test("a token of another key or algorithm, and no token, are refused", async () => {
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const forged = await sign(good, { kid: "TEAM", key: other, alg: "ES256" });
    const odd = await sign(good, { kid: "TEAM", key: rsa.privateKey, alg: "RS256" });
    for (const jwt of [forged, odd, `${forged}x`, "", "a.b.c"])
      expect(await authenticate(jwt)).toBeNull();
    expect(await accounts.findConnectKey(undefined, { method: "GET", url })).toBeNull();
  });

  async function authenticate(jwt: string): Promise<string | null> {
    const key = await accounts.findConnectKey(`Bearer ${jwt}`, { method: "GET", url });
    return key?.keyId ?? null;
  }
});

describe("Google", () => {
  const scope = "https://www.googleapis.com/auth/androidpublisher";
  const aud = "https://oauth2.googleapis.com/token";
  const good = { iss: clientEmail, scope, aud, iat: seconds, exp: seconds + 3_600 };

  test("a good assertion is exchanged for a token of its scopes alone", async () => {
    const granted = await grant(good);
    const header = granted.kind === "granted" ? `Bearer ${granted.token}` : "";
    expect(accounts.findServiceAccount(header, scope)?.clientEmail).toBe(clientEmail);
    expect(accounts.findServiceAccount(header, `${scope}.other`)).toBeNull();
  });

  test.each([
    ["of another audience", { ...good, aud: "https://accounts.invalid" }, "invalid_grant"],
    ["with a lifetime over an hour", { ...good, exp: seconds + 3_601 }, "invalid_grant"],
    ["that has expired", { ...good, exp: seconds - 1 }, "invalid_grant"],
    ["of an unknown account", { ...good, iss: "other@sample.invalid" }, "invalid_grant"],
    ["for another user", { ...good, sub: "boss@sample.invalid" }, "unauthorized_client"],
    ["without a scope", { ...good, scope: undefined }, "unauthorized_client"],
  ])("an assertion %s is refused", async (_name, claims, error) => {
    expect(await grant(claims)).toMatchObject({ kind: "refused", error });
  });

  test("an assertion of another key is refused", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
    expect(await grant(good, other)).toMatchObject({ kind: "refused", error: "invalid_grant" });
  });

  async function grant(claims: Record<string, unknown>, key: KeyObject = rsa.privateKey) {
    return accounts.grantToken(await sign(claims, { kid: "k", key, alg: "RS256" }));
  }
});

function sign(
  claims: Record<string, unknown>,
  by: { kid: string; key: KeyObject; alg: string },
): Promise<string> {
  const { kid, key, alg } = by;
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(key);
}
