// The routes of the set-up in the OpenAPI document, made from the schemas that the requests pass.
import { z } from "zod";
import { fileTypes } from "../../http/upload.ts";
import { describeParameters } from "../describe-parameters.ts";
import type { Operation } from "../description.ts";
import type { Describing } from "../shared-responses.ts";
import type { ManageRoute } from "./manage-route.ts";

export function describeManageRoute(
  route: ManageRoute,
  { components, shared }: Describing,
): Operation {
  const { method, path, operationId, summary, description, body, status, query } = route;
  const isOfResource = Boolean(route.resource);
  const [, inPath] = /\{(\w+)\}/.exec(path) ?? [];
  const isRead = method === "get";
  const parameters = z.object({ ...(inPath && { [inPath]: idParameter(inPath) }), ...query.shape });
  const file = route.operation?.file;
  const isGuarded = !isRead && !file;
  const headers = z.object({
    ...(isGuarded && { "Idempotency-Key": idempotencyKey }),
    ...(isGuarded && isOfResource && { "If-Match": ifMatch }),
  });
  const content = { "application/json": { schema: components.describe(route.answer) } };
  const answered = { description: "Done.", headers: shared.headers };
  const rehearsal = { description: "With `dryRun=true`: what would be done.", content };
  return {
    tags: ["Set-up"],
    operationId,
    summary,
    description,
    parameters: [
      ...describeParameters(parameters, { components, path, location: "query" }),
      ...describeParameters(headers, { components, location: "header" }),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: components.describe(body) } },
      },
    }),
    ...(file && { requestBody: fileBody }),
    responses: {
      ...(status !== 200 && { 200: rehearsal }),
      [status]: status === 204 ? answered : { ...answered, content },
      ...shared.problems([
        "invalid_parameter",
        "not_found",
        ...(isRead ? [] : (["conflict"] as const)),
        ...(isGuarded ? (["idempotency_key_reused"] as const) : []),
        ...(isOfResource && isGuarded ? (["precondition_failed"] as const) : []),
        ...(body || file ? (["too_large"] as const) : []),
      ]),
    },
  };
}

const fileBody = {
  required: true as const,
  content: Object.fromEntries(
    fileTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]),
  ),
};

const idempotencyKey = z
  .string()
  .max(255)
  .optional()
  .describe(
    "A name of your own for this request, like a UUID: sent again within 24 hours it is not carried out again, and has the same answer.",
  );
const ifMatch = z
  .string()
  .optional()
  .describe("The `ETag` of what you read: the request is refused if it was changed since.");

function idParameter(noun: string) {
  return z.string().meta({ format: "uuid", description: `The id of the ${noun}.` });
}
