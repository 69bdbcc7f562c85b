// The routes of the set-up in the OpenAPI document, made from the schemas that the requests pass.
import { type RouteConfig, z } from "@hono/zod-openapi";
import { toJsonSchema } from "../../use-cases/resources/json-schema.ts";
import type { SharedResponses } from "../shared-responses.ts";
import type { ManageRoute } from "./manage-route.ts";

export function describeManageRoute(route: ManageRoute, shared: SharedResponses): RouteConfig {
  const { method, path, operationId, summary, description, resource, body, status, query } = route;
  const [, inPath] = /\{(\w+)\}/.exec(path) ?? [];
  const isRead = method === "get";
  const headers = z.object({
    ...(!isRead && { "Idempotency-Key": idempotencyKey }),
    ...(!isRead && resource && { "If-Match": ifMatch }),
  });
  const content = { "application/json": { schema: route.answer } };
  const answered = { description: "Done.", headers: shared.headers };
  const rehearsal = { description: "With `dryRun=true`: what would be done.", content };
  return {
    method,
    path,
    tags: ["Set-up"],
    operationId,
    summary,
    description: description ?? "",
    request: {
      ...(inPath && { params: z.object({ [inPath]: idParameter(inPath) }) }),
      query,
      ...(!isRead && { headers: [headers] }),
      ...(body && {
        body: {
          required: true,
          content: { "application/json": { schema: toJsonSchema(body) } },
        },
      }),
    },
    responses: {
      ...(status !== 200 && { 200: rehearsal }),
      [status]: status === 204 ? answered : { ...answered, content },
      ...shared.problems([
        "invalid_parameter",
        "not_found",
        ...(isRead ? [] : writeProblems),
        ...(resource && !isRead ? (["precondition_failed"] as const) : []),
        ...(body ? (["too_large"] as const) : []),
      ]),
    },
  };
}

const writeProblems = ["conflict", "idempotency_key_reused"] as const;

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
  return z.string().openapi({ format: "uuid", description: `The id of the ${noun}.` });
}
