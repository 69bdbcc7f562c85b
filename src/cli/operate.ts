// Carries out an operation of the table for the operator. Which values there are is checked by its schema, in one go.
import { parseInput } from "../domain/validation-errors.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { toTestDelivery } from "../matching/deliveries.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import type { Actor, Operation, OperationDeps } from "../operations/operation.ts";
import type { CliContext } from "./context.ts";

export const operator: Actor = { kind: "operator", name: "cli" };

/**
 * @param request.workspaceId without it the thing names its workspace
 * @throws AppError as the operation
 */
export async function operate<Input, Result>(
  context: CliContext,
  operation: Operation<Input, Result>,
  request: {
    workspaceId?: string;
    id?: string;
    values?: object;
    deps?: Partial<OperationDeps>;
  },
): Promise<Outcome<Result>> {
  const { id, workspaceId = null, values } = request;
  const input = parseInput(operation.schema, values);
  const deps = { ...toOperationDeps(context), ...request.deps };
  const place = { workspaceId, ...(id !== undefined && { id }) };
  return carryOut(deps, operation, { ...place, input, actor: operator });
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
