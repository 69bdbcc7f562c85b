// The API as a Postman collection (format 2.1), made from the OpenAPI document: one request for each operation, whose optional
// parameters are there and switched off. A folder of its own has the changes of the set-up.
import { type Method, methods, type Operation } from "../../src/api/description.ts";
import { describeApi } from "../../src/api/openapi.ts";
import { bodies } from "./manage-context.ts";

export type PostmanRequest = {
  name: string;
  request: {
    method: string;
    description: string;
    url: {
      raw: string;
      host: string[];
      path: string[];
      query: { key: string; value: string; description: string; disabled: boolean }[];
    };
    header?: { key: string; value: string }[];
    /** A file is chosen in Postman. */
    body?: { mode: "raw"; raw: string } | { mode: "file"; file: { src: string } };
  };
};

type PostmanFolder = { name: string; item: PostmanRequest[] };

export type PostmanCollection = {
  info: { name: string; description: string; schema: string };
  auth: object;
  variable: { key: string; value: string }[];
  item: (PostmanRequest | PostmanFolder)[];
};

/** Variables that the importing user sets. */
const variables = {
  baseUrl: "http://127.0.0.1:8080/api/v1",
  apiKey: "sp_…",
  app: "the id of an app, from List apps",
  review: "the id of a review, from List reviews",
  version: "4.2.1",
  ...{ channel: "the id of a channel", topic: "the id of an own topic", view: "the id of a view" },
  ...{ credential: "the id of a store credential", delivery: "the id of a delivery" },
};

const exampleBodies: Readonly<Record<string, object>> = {
  ...bodies,
  "post /credentials": { ...bodies["post /credentials"], keyFile: "the text of the .p8 file" },
};

const examples: Readonly<Record<string, string>> = {
  store: "appstore",
  from: "2026-11-01",
  to: "2026-11-21",
  rating: "1,2",
  sentiment: "negative",
  topic: "crash",
  country: "us",
  language: "en",
  q: "calendar",
  hasText: "true",
  minLength: "40",
  hasReply: "true",
  reply: "unanswered",
  edited: "true",
  removed: "false",
  include: "reply,url",
  topics: "own",
  by: "week",
  format: "csv",
  region: "us",
  since: "4.2.1",
  worseBy: "0.2",
  updatedSince: "2026-11-21T08:37:00Z",
  limit: "20",
  cursor: "nextCursor of the page before",
};

export function composePostmanCollection(): PostmanCollection {
  const document = describeApi({ serverUrl: "", version: "" });
  const requests = Object.entries(document.paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      if (!operation) return [];
      const isSetUp = operation.tags.includes("Set-up");
      return [{ isSetUp, request: toRequest(method, path, operation) }];
    }),
  );
  return {
    info: {
      name: "Starpost",
      description:
        "Set the variables baseUrl and apiKey, and ids where a request needs them. The folder Set-up needs a key with the scope manage.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [
      ...requests.filter(({ isSetUp }) => !isSetUp).map(({ request }) => request),
      {
        name: "Set-up",
        item: requests.filter(({ isSetUp }) => isSetUp).map(({ request }) => request),
      },
    ],
  };
}

function toRequest(method: Method, path: string, operation: Operation): PostmanRequest {
  const query = operation.parameters.flatMap((parameter) => {
    if (parameter.in !== "query") return [];
    const { name: key, description = "", required } = parameter;
    const value = key in variables ? `{{${key}}}` : (examples[key] ?? "");
    return [{ key, value, description, disabled: !required }];
  });
  const enabled = query.filter(({ disabled }) => !disabled);
  const search = enabled.map(({ key, value }) => `${key}=${value}`).join("&");
  const isFile = operation.requestBody !== undefined && "text/csv" in operation.requestBody.content;
  const body = operation.requestBody && exampleBodies[`${method} ${path}`];
  const name = path.slice(1).replace(/\{(\w+)\}/g, "{{$1}}");
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      url: {
        raw: `{{baseUrl}}/${name}${search === "" ? "" : `?${search}`}`,
        host: ["{{baseUrl}}"],
        path: name.split("/"),
        query,
      },
      ...(isFile && {
        header: [{ key: "Content-Type", value: "text/csv" }],
        body: { mode: "file" as const, file: { src: "" } },
      }),
      ...(body && {
        header: [{ key: "Content-Type", value: "application/json" }],
        body: { mode: "raw" as const, raw: JSON.stringify(body, null, 2) },
      }),
    },
  };
}
