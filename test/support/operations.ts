// Carries out operations in tests: for the operator, with settings that allow everything unless a test sets others.
import type { Database } from "../../src/database/database.ts";
import { parseInput } from "../../src/domain/validation-errors.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createSecretBox } from "../../src/lib/secret-box.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { toTestDelivery } from "../../src/matching/deliveries.ts";
import { carryOut, type Outcome } from "../../src/operations/frame.ts";
import type { Operation, OperationDeps } from "../../src/operations/operation.ts";

const secretBox = createSecretBox([Buffer.alloc(32, 5)]);

export type Deps = { clock: Clock; database: Database; actor?: string } & Partial<OperationDeps>;
type Request = { workspaceId?: string | null; id?: string } & Record<string, unknown>;

export function operationDeps({ clock, actor: _, ...deps }: Deps): OperationDeps {
  return {
    log: silentLog,
    secretBox,
    checkUrl: async () => ({ ok: true }),
    loadStores: () => Promise.reject(new Error("this test asks no store")),
    composeTest: (channel) =>
      toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
    signingKey: Buffer.alloc(32),
    sendMail: null,
    settings: { publicUrl: null },
    ...deps,
    clock,
  };
}

/** The request has the fields of the input beside the resource. */
export function carry<Input, Result>(
  deps: Deps,
  operation: Operation<Input, Result>,
  { workspaceId = null, id, ...values }: Request,
): Promise<Outcome<Result>> {
  const input = parseInput(operation.schema, Object.keys(values).length > 0 ? values : undefined);
  const actor = { kind: "operator", name: deps.actor ?? "cli" } as const;
  const ref = id === undefined ? { workspaceId } : { workspaceId, id };
  return carryOut(operationDeps(deps), operation, { ...ref, actor, input });
}

export async function act<Input, Result>(
  deps: Deps,
  operation: Operation<Input, Result>,
  request: Request,
): Promise<Result> {
  return (await carry(deps, operation, request)).result;
}
