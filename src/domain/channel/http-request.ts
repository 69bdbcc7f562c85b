// The request that an HTTP channel makes of an event: the user's template, and the meaning of the answer.
import { z } from "zod";
import {
  namesPlaceholder,
  renderJsonTemplate,
  type TemplateValues,
} from "../../lib/json-template.ts";
import { listSchema, oneOfSchema } from "../fields.ts";

/** The names of placeholders; each is a text, "" where an event has none. */
export const templateFields = [
  ...["event", "heading", "message", "block", "link", "id", "token", "delivery"],
  ...["app.id", "app.name", "app.store"],
  ...["review.id", "review.rating", "review.title", "review.text", "review.translatedText"],
  ...["review.author", "review.version", "review.country", "review.date"],
  ...["change.headline", "ratingDrop.currentAvg", "ratingDrop.baselineAvg", "ratingDrop.drop"],
] as const;
export type TemplateField = (typeof templateFields)[number];

const noValues: TemplateValues = Object.fromEntries(templateFields.map((name) => [name, ""]));

const template = z.string({ error: "is required" }).superRefine((text, context) => {
  const rendered = renderJsonTemplate(text, noValues);
  if (!rendered.ok) context.addIssue({ code: "custom", message: rendered.fault });
});

const method = oneOfSchema(["POST", "PUT", "PATCH"]);

const pointer = z
  .string()
  .max(200, { error: "is too long" })
  .regex(/^(\/[\w-]+)+$/, { error: "must be a JSON pointer like /issue/id" });

const statuses = listSchema(z.int({ error: "must be HTTP statuses" }).min(200).max(599), {
  max: 20,
  error: "must be at most 20 statuses",
});

export const httpRequestSchema = z
  .strictObject({
    method,
    body: template,
    /** For later events of a review whose id the service returned. */
    update: z
      .strictObject({
        method,
        /** Behind the URL's path; `{{id}}` is the returned id. */
        path: z.string().regex(/^(\/\.*[\w{}-][\w.{}-]*){0,5}$/, {
          error: "must be a path like /{{id}}/notes",
        }),
        body: template,
      })
      .meta({ id: "HttpRequestUpdate" })
      .optional(),
    /** Where the answer has the id of what was created. */
    idAt: pointer.optional(),
    /** The answer reports an error when it has a value there, whatever its status. */
    errorAt: pointer.optional(),
    /** Statuses beside 2xx with which a delivery is done. */
    done: statuses.optional(),
    /** Statuses after which no retry can help. */
    gone: statuses.optional(),
    /** The service's limit for {{heading}}, in characters. */
    headingMax: z.int().min(20).max(1_000).optional(),
    /** Its limit for each longer text, such as {{message}}, in bytes of UTF-8. */
    textBytesMax: z.int().min(100).max(200_000).optional(),
  })
  .meta({ id: "HttpRequest" });
export type HttpRequest = z.output<typeof httpRequestSchema>;

/** Whether the body, which the service may show to others, has the token in it. */
export function sendsToken({ body, update }: HttpRequest): boolean {
  return [body, update?.body ?? "{}"].some((text) => namesPlaceholder(text, "token"));
}

/** A service that people can choose instead of writing a request. */
export const httpPresetSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** An example of the URL, with the parts to replace in capitals. */
  url: z.string(),
  /** `Name: value` lines, with `{{token}}` for the secret. */
  headers: z.string(),
  /** Where people find the token. */
  hint: z.string(),
  /** The parts in capitals, of URL and template, that a form asks for. */
  fields: z
    .array(
      z.strictObject({
        blank: z.string(),
        label: z.string(),
        hint: z.string(),
        /** A regular expression for the whole entry; its group is the value. A token pasted by mistake doesn't match. */
        pattern: z.string(),
      }),
    )
    .default([]),
  /** The account with its token, which are sent together in Base64. */
  account: z.string().optional(),
  request: httpRequestSchema,
});
export type HttpPreset = z.output<typeof httpPresetSchema>;
