// The routes of the table of operations: each noun is listed and read, and each verb that keys may use is a route.
import { z } from "zod";
import { notFound } from "../../domain/validation-errors.ts";
import { carryOut, type Outcome } from "../../operations/frame.ts";
import type { Noun, Operation, Thing } from "../../operations/operation.ts";
import type { NounOperations } from "../../operations/operations.ts";
import {
  type ManageAnswer,
  type ManageRoute,
  noQuery,
  rehearsalAnswer,
  warningSchema,
  writeQuery,
} from "./manage-route.ts";

export function routesOfNoun({ noun, operations }: NounOperations): ManageRoute[] {
  const writes = operations.filter(({ scope }) => scope !== null);
  const saved = z
    .object({ [noun.noun]: noun.viewSchema, warning: warningSchema })
    .meta({ id: `Saved${capitalize(noun.noun)}` });
  return [...readRoutes(noun), ...writes.map((operation) => writeRoute(operation, saved))];
}

function readRoutes(noun: Noun): ManageRoute[] {
  const { noun: name, plural, path, viewSchema } = noun;
  const read = { method: "get", status: 200, body: null, query: noQuery, resource: null } as const;
  return [
    {
      ...read,
      path: `/${path}`,
      thing: null,
      answer: z.object({ [plural]: z.array(viewSchema) }),
      operationId: `listManaged${capitalize(name)}s`,
      summary: `List ${plural} with their settings`,
      description: `All ${plural} of the workspace; secrets are left out.`,
      handle: async ({ deps, workspaceId }) => ({
        body: { [plural]: (await noun.list(deps.database, workspaceId)).map(noun.toView) },
      }),
    },
    {
      ...read,
      path: `/${path}/{${name}}`,
      thing: noun,
      answer: z.object({ [name]: viewSchema }),
      operationId: `getManaged${capitalize(name)}`,
      summary: `Read ${articleOf(name)} ${name} with its settings`,
      description: `The \`ETag\` of the answer is what \`If-Match\` takes when the ${name} is changed or deleted.`,
      async handle({ deps, ...place }) {
        const found = await noun.find(deps.database, place);
        if (!found) throw notFound(name, place.id);
        return { body: { [name]: noun.toView(found) }, etag: etagOf(found) };
      },
    },
  ];
}

function writeRoute(operation: Operation, saved: z.ZodObject): ManageRoute {
  const { noun, verb, schema, summary, description, isCreation, isSending } = operation;
  const { noun: name, path } = noun;
  const isRemoval = verb === "delete";
  const one = `/${path}/{${name}}`;
  return {
    method: isRemoval ? "delete" : isCreation ? "post" : "patch",
    path: isCreation ? `/${path}` : one,
    status: isCreation ? 201 : isRemoval ? 204 : 200,
    resource: null,
    thing: isCreation ? null : noun,
    operation,
    body: schema instanceof z.ZodUndefined ? null : schema,
    answer: isRemoval ? rehearsalAnswer : saved,
    query: writeQuery,
    operationId: `${verb}${capitalize(name)}`,
    summary,
    description,
    ...(isSending && { isSending }),
    async handle({ operationDeps, id, body, frame }) {
      const toAnswer = ({ result, warning }: Outcome<unknown>): ManageAnswer => {
        if (isRemoval) return { body: null };
        const thing = result as Thing;
        return {
          body: { [name]: noun.toView(thing), warning },
          etag: etagOf(thing),
          ...(isCreation && { createdId: thing.id }),
        };
      };
      const outcome = await carryOut(operationDeps, operation, {
        ...frame,
        id,
        input: body,
        last: (tx, outcome) => frame.save(tx, toAnswer(outcome)),
      });
      return toAnswer(outcome);
    },
  };
}

/** Of the version alone: it rises with every change by people, and with nothing else. */
function etagOf({ version }: Thing): string {
  return `"${version}"`;
}

function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function articleOf(name: string): string {
  return /^[aeiou]/.test(name) ? "an" : "a";
}
