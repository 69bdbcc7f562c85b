// The read API as a Postman collection (format 2.1), made from the OpenAPI document: one request for each endpoint,
// whose optional parameters are there and switched off.
import type { Operation } from "../../src/api/description.ts";
import { describeApi } from "../../src/api/openapi.ts";

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
  };
};

export type PostmanCollection = {
  info: { name: string; description: string; schema: string };
  auth: object;
  variable: { key: string; value: string }[];
  item: PostmanRequest[];
};

/** Variables that the importing user sets. */
const variables = {
  baseUrl: "http://127.0.0.1:8080/api/v1",
  apiKey: "sp_…",
  app: "the id of an app, from List apps",
  review: "the id of a review, from List reviews",
  version: "4.2.1",
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
  return {
    info: {
      name: "Starpost",
      description:
        "Set the variables baseUrl and apiKey; app, review and version where a request needs them.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: Object.entries(document.paths).flatMap(([path, { get }]) =>
      get && !get.tags.includes("Set-up") ? [toRequest(path, get)] : [],
    ),
  };
}

function toRequest(path: string, operation: Operation): PostmanRequest {
  const query = operation.parameters.flatMap((parameter) => {
    if (parameter.in !== "query") return [];
    const { name: key, description = "", required } = parameter;
    const value = key in variables ? `{{${key}}}` : (examples[key] ?? "");
    return [{ key, value, description, disabled: !required }];
  });
  const enabled = query.filter(({ disabled }) => !disabled);
  const search = enabled.map(({ key, value }) => `${key}=${value}`).join("&");
  const name = path.slice(1).replace(/\{(\w+)\}/g, "{{$1}}");
  return {
    name: operation.summary,
    request: {
      method: "GET",
      description: operation.description,
      url: {
        raw: `{{baseUrl}}/${name}${search === "" ? "" : `?${search}`}`,
        host: ["{{baseUrl}}"],
        path: name.split("/"),
        query,
      },
    },
  };
}
