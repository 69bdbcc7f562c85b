// Idempotency-Key: a request that is sent again within a day is not carried out again, and gets the same answer. The key is
// claimed in the transaction of the change: it is taken exactly when the change was made.
import { hash } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import type { ApiKeyOwner } from "../../database/accounts/api-keys.ts";
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { headerOf } from "../../http/request.ts";
import { toSortedJson } from "../../lib/same-value.ts";
import { dayMs } from "../../lib/timestamp.ts";
import type { OperationDeps } from "../../operations/operation.ts";
import type { Sent } from "./manage-deps.ts";

const nameLengthMax = 255;

/**
 * Null without the header.
 *
 * @throws AppError `invalid_parameter`
 */
export function openIdempotency(
  deps: Pick<OperationDeps, "clock" | "database" | "secretBox">,
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
  const { database, clock, secretBox } = deps;
  const key = { apiKeyId: owner.keyId, name };
  const requestHash = hash("sha256", toSortedJson(request), "buffer");
  const now = clock.now();
  const since = new Date(now.getTime() - dayMs);

  return {
    /** The answer that this request had before. */
    async find(): Promise<Sent | null> {
      const found = await database.findIdempotencyKey({ ...key, since });
      if (!found) return null;
      if (!found.requestHash.equals(requestHash)) {
        throw new AppError(
          "idempotency_key_reused",
          "Another request had this Idempotency-Key: use a new one.",
        );
      }
      if (found.status === null) throw alreadyDone();
      const { sealed, ...answer } = answerSchema.parse(JSON.parse(found.answer ?? "{}"));
      const { body = null } = answer;
      const secret = sealed && secretBox.open(Buffer.from(sealed, "base64"), owner.keyId);
      return { ...answer, status: found.status, body: secret ? { ...body, secret } : body };
    },
    /** @throws AppError `conflict` when another request with this key came first */
    async claim(tx: DatabaseTransaction): Promise<void> {
      if (!(await tx.claimIdempotencyKey({ ...key, requestHash, now, since }))) throw alreadyDone();
    },
    async save(tx: DatabaseTransaction, { status, ...answer }: Sent): Promise<void> {
      const secret = answer.body?.["secret"];
      const body = secret === undefined ? answer.body : { ...answer.body, secret: null };
      const kept = { ...answer, body };
      const sealed = typeof secret === "string" && {
        sealed: secretBox.seal(secret, owner.keyId).toString("base64"),
      };
      const text = JSON.stringify({ ...kept, ...sealed });
      await tx.saveIdempotentAnswer({ ...key, status, answer: text });
    },
  };
}

const answerSchema = z.object({
  body: z.record(z.string(), z.unknown()).nullable().optional(),
  etag: z.string().optional(),
  location: z.string().optional(),
  /** The secret of the answer, encrypted. */
  sealed: z.string().optional(),
});

function alreadyDone(): AppError {
  const message =
    "A request with this Idempotency-Key is being carried out, or was and its answer got lost: read what is there first.";
  return new AppError("conflict", message);
}
