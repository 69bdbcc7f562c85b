// The parts of an OpenAPI document that the reference page shows, typed as narrowly as it reads them.
import type { ApiDescription } from "../openapi.ts";

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  example?: unknown;
};

export type Content = Record<
  string,
  { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }
>;

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, ApiResponse>;
};

type ApiResponse = { $ref?: string; description?: string; content?: Content };

export const methods = ["get", "post", "patch", "delete"] as const;
export type Method = (typeof methods)[number];

export type Description = {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ApiResponse> };
};

/** openapi.ts, which made the document, always sets these parts; a test checks it. */
export function readDescription(document: ApiDescription): Description {
  return document as unknown as Description;
}

export function resolveResponse({ components }: Description, response: ApiResponse): ApiResponse {
  return response.$ref ? (components.responses[nameOf(response.$ref)] ?? {}) : response;
}

/** Follows a reference, also one that is only wrapped to add a description, null, or further fields. */
export function resolveSchema(description: Description, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    return resolveSchema(description, description.components.schemas[nameOf(schema.$ref)] ?? {});
  }
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => resolveSchema(description, part));
    const properties = Object.assign({}, ...parts.map((part) => part.properties));
    return Object.assign({}, ...parts, schema, { properties });
  }
  const wrapped = (schema.oneOf ?? schema.anyOf)?.find((part) => part.$ref);
  return wrapped ? { ...resolveSchema(description, wrapped), ...schema } : schema;
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}
