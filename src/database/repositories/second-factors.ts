// Second factors of users and their recovery codes. Secrets are stored encrypted, recovery codes as hashes.
import type { SecondFactor } from "../../domain/second-factor.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { registerKeysSql } from "./encryption-key-sql.ts";

/** Replaces one that was never confirmed; false when there is a confirmed one. */
export async function insertSecondFactor(
  db: Db,
  factor: { id: string; encryptedSecret: Buffer; createdAt: Date },
): Promise<boolean> {
  const { id, encryptedSecret, createdAt } = factor;
  const count = await execute(
    db,
    "insertSecondFactor",
    `with ${registerKeysSql("array[$4]")}
     insert into second_factors as f (id, encrypted_secret, created_at, key_id)
     values ($1, $2, $3, $4)
     on conflict (id) do update set encrypted_secret = excluded.encrypted_secret,
       created_at = excluded.created_at, key_id = excluded.key_id, last_step = 0
     where f.confirmed_at is null`,
    [id, encryptedSecret, createdAt, keyIdOf(encryptedSecret)],
  );
  return count === 1;
}

export function findSecondFactor(db: Db, id: string): Promise<SecondFactor | null> {
  return queryFirstRow(
    db,
    "findSecondFactor",
    `select id, encrypted_secret as "encryptedSecret", confirmed_at as "confirmedAt",
       last_step as "lastStep" from second_factors where id = $1`,
    [id],
  );
}

/** Whether this step is later than the last: of two requests with one code the second gets false. */
export async function takeSecondFactorStep(
  db: Db,
  use: { id: string; step: number },
): Promise<boolean> {
  const count = await execute(
    db,
    "takeSecondFactorStep",
    "update second_factors set last_step = $2 where id = $1 and last_step < $2",
    [use.id, use.step],
  );
  return count === 1;
}

/** False when it was confirmed already, or has another secret than the one whose code was checked. */
export async function confirmSecondFactor(
  db: Db,
  change: { id: string; encryptedSecret: Buffer; confirmedAt: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "confirmSecondFactor",
    `update second_factors set confirmed_at = $2
     where id = $1 and encrypted_secret = $3 and confirmed_at is null`,
    [change.id, change.confirmedAt, change.encryptedSecret],
  );
  return count === 1;
}

export async function deleteSecondFactor(db: Db, id: string): Promise<boolean> {
  const count = await execute(
    db,
    "deleteSecondFactor",
    "delete from second_factors where id = $1",
    [id],
  );
  return count === 1;
}

/** In place of all that the user has. */
export async function replaceRecoveryCodes(
  db: Db,
  codes: { userId: string; hashes: readonly Buffer[] },
): Promise<void> {
  await queryRows(db, "deleteRecoveryCodes", "delete from recovery_codes where user_id = $1", [
    codes.userId,
  ]);
  await queryRows(
    db,
    "insertRecoveryCodes",
    "insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])",
    [codes.userId, codes.hashes],
  );
}

/** Whether the user had this code; it is gone then. */
export async function takeRecoveryCode(
  db: Db,
  code: { userId: string; hash: Buffer },
): Promise<boolean> {
  const count = await execute(
    db,
    "takeRecoveryCode",
    "delete from recovery_codes where user_id = $1 and code_hash = $2",
    [code.userId, code.hash],
  );
  return count === 1;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const found = await queryFirstRow<{ count: number }>(
    db,
    "countRecoveryCodes",
    "select count(*) as count from recovery_codes where user_id = $1",
    [userId],
  );
  return found?.count ?? 0;
}
