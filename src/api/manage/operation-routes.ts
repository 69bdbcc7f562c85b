// The routes of the table of operations: each noun is listed and read, and each verb that keys may use is a route.
import { z } from "zod";
import { notFound } from "../../domain/validation-errors.ts";
import { pick } from "../../lib/pick.ts";
import { formatDates } from "../../lib/timestamp.ts";
import { carryOut, type Outcome } from "../../operations/frame.ts";
import type { Noun, Operation, Resource } from "../../operations/operation.ts";
import type { NounOperations } from "../../operations/operations.ts";
import {
  type ManageAnswer,
  type ManageRoute,
  noQuery,
  rehearsalAnswer,
  secretSchema,
  warningSchema,
  writeQuery,
} from "./manage-route.ts";

export function routesOfNoun({ noun, operations }: NounOperations): ManageRoute[] {
  const writes = operations.filter(({ scope }) => scope !== undefined);
  const { noun: name, viewSchema } = noun;
  const saved = z
    .object({ ...(viewSchema && { [name]: viewSchema }), warning: warningSchema })
    .meta({ id: `Saved${capitalize(name)}` });
  const all = viewSchema ? readRoutes(noun, viewSchema) : [];
  // The list of apps is an endpoint of the read API.
  const reads = name === "app" ? all.filter(({ resource }) => resource) : all;
  return [...reads, ...writes.map((operation) => writeRoute(operation, saved))];
}

function readRoutes(noun: Noun, viewSchema: z.ZodObject): ManageRoute[] {
  const { noun: name, plural, path, list } = noun;
  const shown = list ? "settings" : noun.part;
  const read = { method: "get", status: 200, body: null, query: noQuery } as const;
  const listed: ManageRoute[] = list
    ? [
        {
          ...read,
          path: `/${path}`,
          resource: null,
          answer: z.object({ [plural]: z.array(viewSchema) }),
          operationId: `listManaged${capitalize(name)}s`,
          summary: `List ${plural} with their settings`,
          description: `All ${plural} of the workspace; secrets are left out.`,
          handle: async ({ deps, workspaceId }) => ({
            body: { [plural]: (await list(deps.database, workspaceId)).map(noun.toView) },
          }),
        },
      ]
    : [];
  return [
    ...listed,
    {
      ...read,
      path: pathOfOne(noun),
      resource: noun,
      answer: z.object({ [name]: viewSchema }),
      operationId: `getManaged${capitalize(name)}`,
      summary: `Read ${articleOf(name)} ${name}${shown === undefined ? "" : ` with its ${shown}`}`,
      description: `The \`ETag\` of the answer is what \`If-Match\` takes when the ${name} is changed or deleted.`,
      async handle({ deps, ...ref }) {
        const found = await noun.find(deps.database, ref);
        if (!found) throw notFound(name, ref.id);
        return { body: { [name]: noun.toView(found) }, etag: etagOf(found) };
      },
    },
  ];
}

function writeRoute(operation: Operation, saved: z.ZodObject): ManageRoute {
  const { noun, verb, schema, summary, description = "", target, output, file: taken } = operation;
  const { noun: name } = noun;
  const toAnswer = ({ result, warning, secret, isReplacement }: Outcome<unknown>): ManageAnswer => {
    if (verb === "delete") return { body: null };
    if (output) return { body: z.record(z.string(), z.unknown()).parse(toShown(result, output)) };
    const resource = result as Resource;
    const body = {
      [name]: noun.toView(resource),
      warning,
      ...(secret !== undefined && { secret }),
    };
    return {
      body,
      etag: etagOf(resource),
      ...(target === "new" && !isReplacement && { createdId: resource.id }),
    };
  };
  return {
    ...routeOf(operation),
    resource: target === "one" ? noun : null,
    operation,
    body: taken || schema instanceof z.ZodUndefined ? null : schema,
    answer: verb === "delete" ? rehearsalAnswer : (output?.schema ?? createdOr(saved, operation)),
    query: taken ? taken.fields.extend(writeQuery.shape) : writeQuery,
    operationId: output?.operationId ?? `${verb}${capitalize(name)}`,
    summary,
    description,
    async handle({ deps, id, body, file, query, frame, saveAnswer }) {
      const { dryRun: _, ...fields } = query as Record<string, unknown>;
      const outcome = await carryOut(deps, operation, {
        ...frame,
        id,
        input: (file ? taken?.toInput(fields, file) : body) ?? undefined,
        last: (tx, outcome) => saveAnswer(tx, toAnswer(outcome)),
      });
      return toAnswer(outcome);
    },
  };
}

function routeOf({
  noun,
  verb,
  target,
}: Operation): Pick<ManageRoute, "method" | "path" | "status"> {
  const { noun: name, path, part } = noun;
  if (target === "new") return { method: "post", path: `/${path}`, status: 201 };
  if (target === "many") return { method: "patch", path: `/${path}/${part}`, status: 200 };
  if (verb === "delete") return { method: "delete", path: pathOfOne(noun), status: 204 };
  if (verb === "change") return { method: "patch", path: pathOfOne(noun), status: 200 };
  return { method: "post", path: `/${path}/{${name}}/${verb}`, status: 200 };
}

function pathOfOne({ noun, path, part }: Noun): string {
  return `/${path}/{${noun}}${part === undefined ? "" : `/${part}`}`;
}

/** The answer that shows a new channel has its secret. */
function createdOr(saved: z.ZodObject, { noun, target }: Operation): z.ZodObject {
  if (target !== "new" || noun.noun !== "channel") return saved;
  return saved.extend({ secret: secretSchema.optional() }).meta({ id: "CreatedChannel" });
}

function toShown(result: unknown, { schema }: NonNullable<Operation["output"]>): unknown {
  return formatDates(pick(Object(result), Object.keys(schema.shape)));
}

/** The tag is the version alone: it rises with every change by people, and with nothing else. */
function etagOf({ version }: Resource): string {
  return `"${version}"`;
}

function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function articleOf(name: string): string {
  return /^[aeiou]/.test(name) ? "an" : "a";
}
