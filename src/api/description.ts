// The parts of an OpenAPI document that the service writes, and the reference page and the generated clients read.

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  const?: string;
  pattern?: string;
  default?: unknown;
  required?: string[];
  additionalProperties?: boolean | Schema;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  example?: unknown;
};

export type Content = Record<
  string,
  { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }
>;

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  style?: string;
  explode?: boolean;
  schema: Schema;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: [];
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, ApiResponse>;
};

type ApiResponse = { $ref?: string; description?: string; headers?: object; content?: Content };

export const methods = ["get", "post", "patch", "delete"] as const;
export type Method = (typeof methods)[number];

export type Description = {
  openapi: string;
  info: { title: string; version: string; description: string; license: object; contact: object };
  tags: { name: string; description: string }[];
  servers: { url: string }[];
  security: object[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, object>;
    responses: Record<string, ApiResponse>;
    securitySchemes: object;
  };
};

export function resolveResponse({ components }: Description, response: ApiResponse): ApiResponse {
  return response.$ref ? (components.responses[nameOf(response.$ref)] ?? {}) : response;
}

/** Follows a reference, also one that is only wrapped to add a description or null. */
export function resolveSchema(description: Description, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    return resolveSchema(description, description.components.schemas[nameOf(schema.$ref)] ?? {});
  }
  const wrapped = schema.anyOf?.find((part) => part.$ref);
  return wrapped ? { ...resolveSchema(description, wrapped), ...schema } : schema;
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}
