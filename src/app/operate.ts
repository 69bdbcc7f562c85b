// Carries out operations for the operator of an installation: a command, the demo, or a report.
import { parseInput } from "../domain/validation-errors.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toTestDelivery } from "../matching/deliveries.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import type { Operation, OperationDeps } from "../operations/operation.ts";
import type { Core } from "./core.ts";

type Own = "composeTest" | "signingKey" | "sendMail" | "settings";
type Installation = Omit<OperationDeps, Own> &
  Partial<Pick<OperationDeps, Own>> &
  Pick<Core, "config" | "cursorKeys">;

/**
 * @param request.actor the operator's name in the audit log
 * @param request.workspaceId without it the resource names its workspace
 * @throws AppError as the operation
 */
export function operate<Input, Result>(
  installation: Installation,
  operation: Operation<Input, Result>,
  request: { actor: string; workspaceId?: string; id?: string; values?: object },
): Promise<Outcome<Result>> {
  const { values, actor: name, workspaceId = null, ...ref } = request;
  const actor = { kind: "operator", name } as const;
  // Which values there are is checked by the schema, in one go.
  const input = parseInput(operation.schema, values);
  return carryOut(toOperationDeps(installation), operation, {
    ...ref,
    workspaceId,
    actor,
    input,
  });
}

/** The operator answers for what is sent: no e-mail asks for a permission, and none reports it. */
export function toOperationDeps(installation: Installation): OperationDeps {
  const { clock, config } = installation;
  return {
    composeTest: (channel) =>
      toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
    signingKey: installation.cursorKeys[0],
    sendMail: null,
    settings: { publicUrl: config.publicUrl, replies: config.replies },
    ...installation,
  };
}
