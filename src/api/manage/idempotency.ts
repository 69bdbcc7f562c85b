// Idempotency-Key: a request that is sent again within a day is not carried out again, and gets the same answer. The key is
// claimed in the transaction of the change: it is taken exactly when the change was made.
import { hash } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import type { ApiKeyOwner } from "../../database/accounts/api-keys.ts";
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { headerOf } from "../../http/request.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { revealChannel } from "../../use-cases/channels/channel-secret.ts";
import { actorOf } from "../authenticate.ts";
import type { ManageDeps, Sent } from "./manage-deps.ts";

const nameLengthMax = 255;

/**
 * Null without the header.
 *
 * @throws AppError `invalid_parameter`
 */
export function openIdempotency(
  deps: ManageDeps,
  {
    context,
    owner,
    request,
  }: {
    context: Context;
    owner: ApiKeyOwner;
    request: { method: string; path: string; query: unknown; body: unknown };
  },
) {
  const name = headerOf(context, "idempotency-key");
  if (name === undefined) return null;
  if (!/^[\x21-\x7e]+$/.test(name) || name.length > nameLengthMax) {
    const message = `must have 1 to ${nameLengthMax} visible ASCII characters`;
    const fields = [{ field: "Idempotency-Key", message }];
    throw new AppError("invalid_parameter", `\`Idempotency-Key\` ${message}.`, { fields });
  }
  const { database, clock } = deps;
  const key = { apiKeyId: owner.keyId, name };
  const requestHash = hash("sha256", JSON.stringify(request), "buffer");
  const now = clock.now();
  const since = new Date(now.getTime() - dayMs);

  return {
    /** The answer that this request had before, with its secret unless the channel has another one now. */
    async find(place: { id: string }): Promise<Sent | null> {
      const found = await database.findIdempotencyKey({ ...key, since });
      if (!found) return null;
      if (!found.requestHash.equals(requestHash)) {
        throw new AppError(
          "idempotency_key_reused",
          "Another request had this Idempotency-Key: use a new one.",
        );
      }
      if (found.status === null) throw alreadyDone();
      const answer = answerSchema.parse(JSON.parse(found.answer ?? "{}"));
      const { body = null, secretHash, ...headers } = answer;
      const sent = { ...headers, status: found.status, body };
      if (body?.["secret"] !== null) return sent;
      const id = channelSchema.safeParse(body).data?.channel.id ?? place.id;
      const query = { id, workspaceId: owner.workspaceId };
      const { secret } = await revealChannel({ ...deps, actor: actorOf(owner) }, query);
      // A secret of a later rotation was not made by this request.
      const isSame = secret !== null && secretHash === hashOf(secret);
      return { ...sent, body: { ...body, secret: isSame ? secret : null } };
    },
    /** @throws AppError `conflict` when another request with this key came first */
    async claim(tx: DatabaseTransaction): Promise<void> {
      if (!(await tx.claimIdempotencyKey({ ...key, requestHash, now, since }))) throw alreadyDone();
    },
    async save(tx: DatabaseTransaction, { status, ...answer }: Sent): Promise<void> {
      const { body } = answer;
      // The secret is encrypted with its channel, and read there again.
      const kept = body && "secret" in body ? { ...body, secret: null } : body;
      const secret = body?.["secret"];
      const secretHash = typeof secret === "string" ? hashOf(secret) : undefined;
      const text = JSON.stringify({ ...answer, body: kept, secretHash });
      await tx.saveIdempotentAnswer({ ...key, status, answer: text });
    },
  };
}

function hashOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}

const answerSchema = z.object({
  body: z.record(z.string(), z.unknown()).nullable().optional(),
  etag: z.string().optional(),
  location: z.string().optional(),
  secretHash: z.string().optional(),
});
const channelSchema = z.object({ channel: z.object({ id: z.string() }) });

function alreadyDone(): AppError {
  const message =
    "A request with this Idempotency-Key is being carried out, or was and its answer got lost: read what is there first.";
  return new AppError("conflict", message);
}
