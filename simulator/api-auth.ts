// Authentication and hourly quotas of the official APIs. Keys and service accounts are known by their
// public keys; signatures, claims and times are checked as the stores check them.
import {
  type CryptoKey,
  decodeProtectedHeader,
  importSPKI,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { Clock } from "../src/lib/clock.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../src/lib/timestamp.ts";
import { uuidV7 } from "../src/lib/uuid.ts";

export type ConnectKey = {
  keyId: string;
  /** null: an individual key. */
  issuerId: string | null;
  publicKeyPem: string;
  /** Apps that it may read; all when left out. */
  appIds?: readonly string[];
  /** The key has a role without access to reviews, like Finance. */
  isWithoutReviews?: boolean;
  /** The key has a role that reads reviews and does not answer them. */
  isReadOnly?: boolean;
};

export type ServiceAccount = {
  clientEmail: string;
  publicKeyPem: string;
  /** Apps that it may read; all when left out. */
  packageNames?: readonly string[];
  /** The bucket of its Play Console reports. */
  bucket?: string;
  /** It may read reviews and not answer them. */
  isReadOnly?: boolean;
};

export type ApiAccounts = {
  connectKeys?: readonly ConnectKey[];
  serviceAccounts?: readonly ServiceAccount[];
  /** Requests an hour for one key of App Store Connect. */
  connectPerHour?: number;
  /** Requests an hour for one app of the Google Play API. */
  playPerHour?: number;
};

/** How the stores treat answers to reviews, from now on. */
export type AnswerRules = {
  /** The App Store shows an answer after this time. */
  delayMs: number;
  /** Answers that contain one of these are refused. */
  refusedWords: readonly string[];
  /** Answers of one app of Google Play in 24 hours. */
  playPerDay: number;
};

/** The result of Google's token endpoint. */
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
  readonly answers: AnswerRules = { delayMs: 0, refusedWords: [], playPerDay: 2_000 };
  readonly #requestTimes = new Map<string, number[]>();

  constructor(clock: Clock, options: ApiAccounts = {}) {
    this.#clock = clock;
    this.#options = options;
  }

  /** null: not a valid token for this request. */
  async findConnectKey(
    authorization: string | undefined,
    request: { method: string; url: URL },
  ): Promise<ConnectKey | null> {
    const jwt = parseBearer(authorization);
    const keyId = decodeHeader(jwt)?.kid;
    const key = this.#options.connectKeys?.find((candidate) => candidate.keyId === keyId);
    if (!jwt || !key) return null;
    const claims = await this.#verify(jwt, { pem: key.publicKeyPem, algorithm: "ES256" });
    if (claims?.aud !== "appstoreconnect-v1") return null;
    const lifeSeconds = (claims.exp ?? 0) - (claims.iat ?? 0);
    const isWhole = claims.exp !== undefined && claims.iat !== undefined;
    if (!isWhole || lifeSeconds > 1_200 || !this.#isOfNow(claims)) return null;
    if (!isInScope(claims["scope"], request)) return null;
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
    const unverified = decodeUnverifiedClaims(assertion);
    const account = this.#options.serviceAccounts?.find(
      (candidate) => candidate.clientEmail === unverified?.iss,
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

  /** null: no token that is valid now for this scope. */
  findServiceAccount(authorization: string | undefined, scope: string): ServiceAccount | null {
    const granted = this.#tokens.get(parseBearer(authorization) ?? "");
    if (!granted || granted.endsMs <= this.#clock.now().getTime()) return null;
    return granted.scopes.includes(scope) ? granted.account : null;
  }

  /** Revokes all tokens at once. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** Counts one request. `left` is the rest of the quota of the last hour, of answers the last day; -1 when it was exceeded. */
  countRequest(
    kind: "connect" | "play" | "play-answers",
    name: string,
  ): { limit: number; left: number } {
    const { connectPerHour = 3_600, playPerHour = 200 } = this.#options;
    const limits = { connect: connectPerHour, play: playPerHour };
    const limit = kind === "play-answers" ? this.answers.playPerDay : limits[kind];
    const windowMs = kind === "play-answers" ? dayMs : hourMs;
    const now = this.#clock.now().getTime();
    const key = `${kind}/${name}`;
    const times = (this.#requestTimes.get(key) ?? []).filter((at) => at > now - windowMs);
    const left = limit - times.length - 1;
    if (left >= 0) times.push(now);
    this.#requestTimes.set(key, times);
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
      // The stores have one response for every kind of invalid token.
      return null;
    }
  }

  /** Allows a minute of difference between the clocks. */
  #isOfNow({ iat = 0 }: JWTPayload): boolean {
    return iat * secondMs <= this.#clock.now().getTime() + minuteMs;
  }
}

const ignoredInScope = ["limit", "cursor", "sort"];

/** A token may be limited to requests like `GET /v1/apps/1/customerReviews`. */
function isInScope(scope: unknown, request: { method: string; url: URL }): boolean {
  if (scope === undefined) return true;
  if (!Array.isArray(scope)) return false;
  const requested = comparable(request.url);
  return scope.some((item) => {
    const [method, path] = String(item).split(" ");
    if (method !== request.method || path === undefined) return false;
    return comparable(new URL(path, "http://scope.invalid")) === requested;
  });
}

/** The order of the parameters and the paging parameters do not matter. */
function comparable({ pathname, searchParams }: URL): string {
  const compared = [...searchParams].filter(([name]) => !ignoredInScope.includes(name));
  return JSON.stringify([pathname, compared.sort()]);
}

function parseBearer(authorization: string | undefined): string | null {
  return authorization?.match(/^Bearer (\S+)$/)?.[1] ?? null;
}

function decodeHeader(jwt: string | null): { kid?: string } | null {
  try {
    return jwt === null ? null : decodeProtectedHeader(jwt);
  } catch {
    return null;
  }
}

function decodeUnverifiedClaims(jwt: string): { iss?: string } | null {
  try {
    return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return null;
  }
}
