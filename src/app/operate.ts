// Carries out operations for a command that is the operator of an installation of its own: the demo, or a report.
import { parseInput } from "../domain/validation-errors.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import type { Operation } from "../operations/operation.ts";
import type { Container } from "./container.ts";
import { createTestComposer } from "./dashboard.ts";

/** @param request.actor the operator's name in the audit log */
export function operate<Input, Result>(
  container: Container,
  operation: Operation<Input, Result>,
  request: { actor: string; workspaceId: string; id?: string; values?: object },
): Promise<Outcome<Result>> {
  const { values, actor: name, ...place } = request;
  const deps = {
    ...container,
    loadStores: async () => container.stores,
    composeTest: createTestComposer(container.clock),
    signingKey: container.cursorKeys[0],
    sendMail: null,
    settings: { publicUrl: null },
  };
  const actor = { kind: "operator", name } as const;
  const input = parseInput(operation.schema, values);
  return carryOut(deps, operation, { ...place, actor, input });
}
