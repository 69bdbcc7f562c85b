// Carries out operations for the demo, which is the operator of its own installation.
import type { Container } from "../app/container.ts";
import { createTestComposer } from "../app/dashboard.ts";
import { parseInput } from "../domain/validation-errors.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import type { Operation } from "../operations/operation.ts";

export function operate<Input, Result>(
  container: Container,
  operation: Operation<Input, Result>,
  request: { workspaceId: string; id?: string; values?: object },
): Promise<Outcome<Result>> {
  const { values, ...place } = request;
  const deps = {
    ...container,
    loadStores: async () => container.stores,
    composeTest: createTestComposer(container.clock),
    signingKey: container.cursorKeys[0],
    sendMail: null,
    settings: { publicUrl: null },
  };
  const actor = { kind: "operator", name: "demo" } as const;
  return carryOut(deps, operation, {
    ...place,
    actor,
    input: parseInput(operation.schema, values),
  });
}
