// Carries out operations for the operator at the command line.
import * as app from "../app/operate.ts";
import type { Outcome } from "../operations/frame.ts";
import type { Actor, Operation, OperationDeps } from "../operations/operation.ts";
import type { CliContext } from "./context.ts";

export const operator: Actor = { kind: "operator", name: "cli" };

/** @throws AppError as the operation */
export function operate<Input, Result>(
  context: CliContext,
  operation: Operation<Input, Result>,
  request: { workspaceId?: string; id?: string; values?: object; deps?: Partial<OperationDeps> },
): Promise<Outcome<Result>> {
  const { deps, ...ref } = request;
  const installation = { ...toInstallation(context), ...deps };
  return app.operate(installation, operation, { ...ref, actor: "cli" });
}

export function toOperationDeps(context: CliContext): OperationDeps {
  return app.toOperationDeps(toInstallation(context));
}

function toInstallation(context: CliContext) {
  const { loadContainer } = context;
  return {
    ...context,
    loadIngest: loadContainer,
    loadStores: async () => (await loadContainer()).stores,
  };
}
