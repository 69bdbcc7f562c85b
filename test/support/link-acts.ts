// Links in tests.
import { parseInput } from "../../src/domain/validation-errors.ts";
import * as links from "../../src/features/sharing/operations.ts";
import { carryOut } from "../../src/operations/frame.ts";
import { type Deps, operationDeps } from "./operations.ts";

/** By the user whose id is the actor. */
export async function createSharedLink(
  deps: Deps & { actor: string },
  { workspaceId, ...values }: { workspaceId: string } & Record<string, unknown>,
): Promise<{ id: string; token: string }> {
  const { result, secret = "" } = await carryOut(operationDeps(deps), links.createLink, {
    workspaceId,
    actor: {
      kind: "user",
      user: { id: deps.actor, name: "Ann", email: "ann@example.com" },
      role: "owner",
      client: { address: "", browser: "" },
      assertRecentProof() {},
    },
    input: parseInput(links.createLink.schema, values),
  });
  return { id: result.id, token: secret };
}
