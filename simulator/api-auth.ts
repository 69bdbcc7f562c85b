// Who may ask the official APIs: keys and service accounts by their public halves. Signatures, claims
// and times are checked as the stores check them, and hourly quotas are counted.
import {
  type CryptoKey,
  decodeProtectedHeader,
  importSPKI,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { Clock } from "../src/lib/clock.ts";
import { hourMs, minuteMs, secondMs } from "../src/lib/timestamp.ts";
import { uuidV7 } from "../src/lib/uuid.ts";

export type ConnectKey = {
  keyId: string;
  /** null: the key of a person. */
  issuerId: string | null;
  publicKeyPem: string;
  /** What it may see; everything when left out. */
  appIds?: readonly string[];
  /** Of a role that sees no reviews, like Finance. */
  isWithoutReviews?: boolean;
};

export type ServiceAccount = {
  clientEmail: string;
  publicKeyPem: string;
  /** What it may see; everything when left out. */
  packageNames?: readonly string[];
  /** Of its Play Console exports. */
  bucket?: string;
};

export type ApiAccounts = {
  connectKeys?: readonly ConnectKey[];
  serviceAccounts?: readonly ServiceAccount[];
  /** Requests an hour for one key of App Store Connect. */
  connectPerHour?: number;
  /** Requests an hour for one app of the Google Play API. */
  playPerHour?: number;
};

/** What the token endpoint of Google answers. */
export type TokenResult =
  | { kind: "granted"; token: string; expiresInSeconds: number }
  | { kind: "refused"; error: string; description: string };

const tokenLifeSeconds = 3_599;
const tokenAudience = "https://oauth2.googleapis.com/token";

export class ApiAuth {
  readonly #clock: Clock;
  readonly #options: ApiAccounts;
  readonly #tokens = new Map<
    string,
    { account: ServiceAccount; scopes: string[]; endsMs: number }
  >();
  readonly #asked = new Map<string, number[]>();

  constructor(clock: Clock, options: ApiAccounts = {}) {
    this.#clock = clock;
    this.#options = options;
  }

  /** null: not signed as App Store Connect wants it. */
  async findConnectKey(
    authorization: string | undefined,
    asked: { method: string; url: URL },
  ): Promise<ConnectKey | null> {
    const jwt = bearerOf(authorization);
    const keyId = headerOf(jwt)?.kid;
    const key = this.#options.connectKeys?.find((candidate) => candidate.keyId === keyId);
    if (!jwt || !key) return null;
    const claims = await this.#verify(jwt, { pem: key.publicKeyPem, algorithm: "ES256" });
    if (claims?.aud !== "appstoreconnect-v1") return null;
    const lifeSeconds = (claims.exp ?? 0) - (claims.iat ?? 0);
    const isWhole = claims.exp !== undefined && claims.iat !== undefined;
    if (!isWhole || lifeSeconds > 1_200 || !this.#isOfNow(claims)) return null;
    if (!isInScope(claims["scope"], asked)) return null;
    const isTeam = key.issuerId !== null && claims.iss === key.issuerId && claims.sub === undefined;
    const isPerson = key.issuerId === null && claims.iss === undefined && claims.sub === "user";
    return isTeam || isPerson ? key : null;
  }

  async grantToken(assertion: string): Promise<TokenResult> {
    const refuse = (error: string, description: string): TokenResult => ({
      kind: "refused",
      error,
      description,
    });
    const badSignature = refuse("invalid_grant", "Invalid JWT Signature.");
    const claimed = unverifiedClaims(assertion);
    const account = this.#options.serviceAccounts?.find(
      (candidate) => candidate.clientEmail === claimed?.iss,
    );
    if (!account) return badSignature;
    const claims = await this.#verify(assertion, {
      pem: account.publicKeyPem,
      algorithm: "RS256",
    });
    if (claims?.aud !== tokenAudience || !this.#isOfNow(claims)) return badSignature;
    const lifeSeconds = (claims.exp ?? 0) - (claims.iat ?? 0);
    if (lifeSeconds <= 0 || lifeSeconds > 3_600) return badSignature;
    const scopes = typeof claims["scope"] === "string" ? claims["scope"].split(" ") : [];
    if (claims.sub !== undefined || scopes.length === 0) {
      return refuse("unauthorized_client", "Client is unauthorized to retrieve access tokens.");
    }
    const token = `ya29.${uuidV7(this.#clock.now())}`;
    const endsMs = this.#clock.now().getTime() + tokenLifeSeconds * secondMs;
    this.#tokens.set(token, { account, scopes, endsMs });
    return { kind: "granted", token, expiresInSeconds: tokenLifeSeconds };
  }

  /** null: no token that is good now for this scope. */
  findServiceAccount(authorization: string | undefined, scope: string): ServiceAccount | null {
    const granted = this.#tokens.get(bearerOf(authorization) ?? "");
    if (!granted || granted.endsMs <= this.#clock.now().getTime()) return null;
    return granted.scopes.includes(scope) ? granted.account : null;
  }

  /** All tokens and their quotas are forgotten, as when somebody revokes them. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** Counts one request; what is left afterwards of the last hour's quota, -1 when it was too many. */
  countRequest(kind: "connect" | "play", name: string): { limit: number; left: number } {
    const { connectPerHour = 3_600, playPerHour = 200 } = this.#options;
    const limit = kind === "connect" ? connectPerHour : playPerHour;
    const now = this.#clock.now().getTime();
    const key = `${kind}/${name}`;
    const asked = (this.#asked.get(key) ?? []).filter((at) => at > now - hourMs);
    const left = limit - asked.length - 1;
    if (left >= 0) asked.push(now);
    this.#asked.set(key, asked);
    return { limit, left: Math.max(-1, left) };
  }

  async #verify(
    jwt: string,
    key: { pem: string; algorithm: "ES256" | "RS256" },
  ): Promise<JWTPayload | null> {
    try {
      const publicKey: CryptoKey = await importSPKI(key.pem, key.algorithm);
      const verified = await jwtVerify(jwt, publicKey, {
        algorithms: [key.algorithm],
        currentDate: this.#clock.now(),
      });
      return verified.payload;
    } catch {
      // Whatever is wrong with a token, the stores say the same.
      return null;
    }
  }

  /** Clocks differ by a little. */
  #isOfNow({ iat = 0 }: JWTPayload): boolean {
    return iat * secondMs <= this.#clock.now().getTime() + minuteMs;
  }
}

const ignoredInScope = ["limit", "cursor", "sort"];

/** A token may name what it is for, like `GET /v1/apps/1/customerReviews`; then nothing else is. */
function isInScope(scope: unknown, asked: { method: string; url: URL }): boolean {
  if (scope === undefined) return true;
  if (!Array.isArray(scope)) return false;
  const wanted = comparable(asked.url);
  return scope.some((item) => {
    const [method, path] = String(item).split(" ");
    if (method !== asked.method || path === undefined) return false;
    return comparable(new URL(path, "http://scope.invalid")) === wanted;
  });
}

/** The order of a query does not count, nor do the names that only turn pages. */
function comparable({ pathname, searchParams }: URL): string {
  const kept = [...searchParams].filter(([name]) => !ignoredInScope.includes(name));
  return JSON.stringify([pathname, kept.sort()]);
}

function bearerOf(authorization: string | undefined): string | null {
  return authorization?.match(/^Bearer (\S+)$/)?.[1] ?? null;
}

function headerOf(jwt: string | null): { kid?: string } | null {
  try {
    return jwt === null ? null : decodeProtectedHeader(jwt);
  } catch {
    return null;
  }
}

function unverifiedClaims(jwt: string): { iss?: string } | null {
  try {
    return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return null;
  }
}
