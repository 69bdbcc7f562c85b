// Test doubles of translation and analysis services, after their documentation and source: keys, limits,
// missing languages, and the shape of errors. The test decides about the content of responses.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createEventCollector } from "./event-collector.ts";

export type ProviderRequest = {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
};
export type ProviderResponse = { status: number; body: unknown; headers?: Record<string, string> };

export type ProviderDouble = {
  url: string;
  requests: readonly ProviderRequest[];
  waitFor(count: number): Promise<ProviderRequest[]>;
  /** The next requests get these responses, whatever they contain. */
  respondNext(...responses: ProviderResponse[]): void;
  close(): Promise<void>;
};

/** Marks a text as translated. */
export const english = (text: string): string => `English: ${text}`;

export const doubleKey = "key-9f2c41d7";
const limits = { texts: 10, characters: 2_000 };

/** The limits are those of a small installation: 10 texts and 2,000 characters. */
export function openLibreTranslateDouble(): Promise<ProviderDouble> {
  const languages = [
    { code: "en", name: "English", targets: ["en", "es", "zh-Hans"] },
    { code: "es", name: "Spanish", targets: ["en", "es"] },
    { code: "zh-Hans", name: "Chinese", targets: ["en"] },
    { code: "eo", name: "Esperanto", targets: ["eo"] },
  ];
  return openDouble(({ method, path, body }) => {
    if (method === "GET" && path === "/languages") return { status: 200, body: languages };
    if (method !== "POST" || path !== "/translate")
      return { status: 404, body: { error: "Not Found" } };
    const { q, source, target, api_key: key } = JSON.parse(body);
    const refuse = (status: number, error: string): ProviderResponse => ({
      status,
      body: { error },
    });
    if (key !== doubleKey) return refuse(403, "Invalid API key");
    if (!Array.isArray(q)) return refuse(400, "Invalid request: missing q parameter");
    const size = q.join("").length;
    if (q.length > limits.texts || size > limits.characters) {
      const [is, max] =
        q.length > limits.texts ? [q.length, limits.texts] : [size, limits.characters];
      return refuse(400, `Invalid request: request (${is}) exceeds text limit (${max})`);
    }
    const model = languages.find(({ code }) => code === source);
    if (!model) return refuse(400, `${source} is not supported`);
    if (!model.targets.includes(target)) {
      return refuse(
        400,
        `English (${target}) is not available as a target language from ${source}`,
      );
    }
    return { status: 200, body: { translatedText: q.map(english) } };
  });
}

const deepLSources =
  "AR BG CS DA DE EL EN ES ET FI FR HU ID IT JA KO LT LV NB NL PL PT RO RU SK SL SV TR UK ZH";

export function openDeepLDouble(): Promise<ProviderDouble> {
  return openDouble(({ method, path, headers, body }) => {
    const refuse = (status: number, message: string): ProviderResponse => ({
      status,
      body: { message },
    });
    if (headers.authorization !== `DeepL-Auth-Key ${doubleKey}`) {
      return refuse(403, "Authorization failed. Please supply a valid auth key.");
    }
    if (method !== "POST" || path !== "/v2/translate") return refuse(404, "Not found");
    if (Buffer.byteLength(body) > 128 * 1024) return refuse(413, "Payload too large");
    const { text, source_lang: source, target_lang: target } = JSON.parse(body);
    if (!Array.isArray(text) || text.length === 0)
      return refuse(400, "Parameter 'text' not specified.");
    if (text.length > 50) return refuse(400, "Too many texts.");
    if (!deepLSources.split(" ").includes(source)) {
      return refuse(400, "Bad request. Reason: Value for 'source_lang' not supported.");
    }
    if (target !== "EN-US") return refuse(400, "Value for 'target_lang' not supported.");
    const translations = text.map((one: string) => ({
      detected_source_language: source,
      text: english(one),
    }));
    return { status: 200, body: { translations } };
  });
}

/** @param decide what the model makes of the user message; a string is what it writes instead of JSON */
export function openChatDouble(decide: (input: ChatInput) => unknown): Promise<ProviderDouble> {
  return openDouble(({ method, path, headers, body }) => {
    const refuse = (status: number, message: string, code: string): ProviderResponse => ({
      status,
      body: { error: { message, type: "invalid_request_error", param: null, code } },
    });
    if (headers.authorization !== `Bearer ${doubleKey}`) {
      const key = String(headers.authorization).replace("Bearer ", "");
      return refuse(401, `Incorrect API key provided: ${key}.`, "invalid_api_key");
    }
    if (method !== "POST" || path !== "/chat/completions")
      return refuse(404, "Not found", "not_found");
    const { model, messages, response_format: format } = JSON.parse(body);
    if (model !== "small-1") {
      return refuse(404, `The model \`${model}\` does not exist`, "model_not_found");
    }
    if (format?.type !== "json_schema" || !isStrict(format.json_schema?.schema)) {
      return refuse(400, "Invalid schema for response_format", "invalid_request");
    }
    const answer = decide(JSON.parse(messages[1].content));
    const content = typeof answer === "string" ? answer : JSON.stringify(answer);
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
    return { status: 200, body: { object: "chat.completion", model, choices: [choice] } };
  });
}

export type ChatInput = {
  texts?: { number: number; text: string }[];
  reviews?: { number: number; stars: number; title: string | null; text: string }[];
};

/** A model that translates, and answers in another order than requested. */
export function translateChat({ texts = [] }: ChatInput): unknown {
  const translations = texts.map(({ number, text }) => ({ number, english: english(text) }));
  return { translations: translations.reverse() };
}

// In strict mode every object names all of its properties as required and allows no others.
function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, properties, required, additionalProperties, items } = schema as {
    type?: string;
    properties?: Record<string, unknown>;
    required?: string[];
    additionalProperties?: boolean;
    items?: unknown;
  };
  if (type === "array") return isStrict(items);
  if (type !== "object") return true;
  const fields = Object.entries(properties ?? {});
  const isClosed = additionalProperties === false;
  return isClosed && fields.every(([name, of]) => required?.includes(name) && isStrict(of));
}

/** One pair, as Debian's apertium-eng-spa. */
export function openApertiumDouble(): Promise<ProviderDouble> {
  return openDouble(({ path, body }) => {
    const message = "Bad Request";
    const refuse = (explanation: string): ProviderResponse => ({
      status: 400,
      body: { status: "error", code: 400, message, explanation },
    });
    if (path !== "/translate") return { status: 404, body: { status: "error", code: 404 } };
    const form = new URLSearchParams(body);
    const text = form.get("q");
    if (text === null) return refuse("Missing argument q");
    const [from, to, ...more] = (form.get("langpair") ?? "").split("|");
    if (!from || !to || more.length > 0) return refuse("That pair is invalid, use e.g. eng|spa");
    if (from !== "spa" || to !== "eng") return refuse("That pair is not installed");
    const responseData = { translatedText: english(text) };
    return { status: 200, body: { responseData, responseDetails: null, responseStatus: 200 } };
  });
}

async function openDouble(
  respond: (request: ProviderRequest) => ProviderResponse,
): Promise<ProviderDouble> {
  const requests = createEventCollector<ProviderRequest>("requests");
  const next: ProviderResponse[] = [];
  const server = http.createServer((incoming, outgoing) => {
    void readBody(incoming).then((body) => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body };
      const response = next.shift() ?? respond(request);
      const isText = typeof response.body === "string";
      outgoing.writeHead(response.status, {
        "content-type": isText ? "text/html" : "application/json",
        ...response.headers,
      });
      outgoing.end(isText ? response.body : JSON.stringify(response.body));
      requests.add(request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests.items,
    waitFor: (count) => requests.waitFor(count),
    respondNext: (...responses) => void next.push(...responses),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
