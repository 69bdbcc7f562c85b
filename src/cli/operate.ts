// Carries out an operation of the table for the operator. Which values there are is checked by its schema, in one go.
import { parseInput } from "../domain/validation-errors.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toTestDelivery } from "../matching/deliveries.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import type { Actor, Operation, OperationDeps } from "../operations/operation.ts";
import type { CliContext } from "./context.ts";

export const operator: Actor = { kind: "operator", name: "cli" };

/**
 * @param request.workspaceId null: the thing names its workspace
 * @throws AppError as the operation
 */
export async function operate<Input, Result>(
  context: CliContext,
  operation: Operation<Input, Result>,
  request: { workspaceId: string | null; id?: string; values?: object },
): Promise<Outcome<Result>> {
  const { values, ...place } = request;
  const input = parseInput(operation.schema, values);
  return carryOut(toOperationDeps(context), operation, { ...place, input, actor: operator });
}

/** The operator answers for what is sent: no e-mail asks for a permission, and none reports it. */
export function toOperationDeps(context: CliContext): OperationDeps {
  const { clock, config } = context;
  return {
    ...context,
    loadStores: async () => (await context.loadContainer()).stores,
    composeTest: (channel) =>
      toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
    signingKey: context.cursorKeys[0],
    sendMail: null,
    settings: { publicUrl: config.publicUrl },
  };
}
