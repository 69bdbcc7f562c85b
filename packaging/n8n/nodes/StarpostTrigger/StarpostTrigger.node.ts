import { createHmac, timingSafeEqual } from "node:crypto";
import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from "n8n-workflow";

// Creates a webhook channel when the workflow is activated and deletes it afterwards. Requests without a valid signature, and
// old ones, are refused.

const toleranceSeconds = 300;

export class StarpostTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Starpost Trigger",
    name: "starpostTrigger",
    icon: { light: "file:starpost.svg", dark: "file:starpost.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow for new and edited app reviews, rating drops and alerts",
    defaults: { name: "Starpost Trigger" },
    usableAsTool: undefined,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "starpostApi", required: true }],
    webhooks: [
      { name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" },
    ],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["review.created", "review.updated"],
        options: [
          { name: "Channel Failing", value: "channel.failing" },
          { name: "New Review", value: "review.created" },
          { name: "Rating Drop", value: "review.rating_drop" },
          { name: "Release Is Worse", value: "release.worse" },
          { name: "Review Edited", value: "review.updated" },
          { name: "Spike", value: "reviews.spike" },
          { name: "Storefront Failing", value: "storefront.failing" },
        ],
      },
      {
        displayName: "Stars",
        name: "stars",
        type: "multiOptions",
        default: [],
        description: "Only reviews with these ratings; none selected for all",
        options: [1, 2, 3, 4, 5].map((value) => ({ name: String(value), value })),
      },
      {
        displayName: "Filter",
        name: "filter",
        type: "string",
        default: "",
        placeholder: "country=de&sentiment=negative",
        description: "Further filters, as the Reviews page of Starpost has them in its URL",
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        const { channelId } = data;
        if (typeof channelId !== "string") return false;
        try {
          const path = `/channels/${channelId}`;
          const { channel } = await request<Channel>(this, "GET", path);
          const wanted = readChannel(this);
          // A workflow that was copied with its data has a webhook of its own.
          if (webhookOf(channel.url) !== webhookOf(wanted.url)) return false;
          // n8n may have another address now, or the workflow other parameters.
          if (!isSame(channel, wanted)) await request(this, "PATCH", path, wanted);
          // The secret was replaced in Starpost, so this workflow refuses what the new one signs.
          if (!data.secret || /\b401\b/.test(String(channel.failingReason))) {
            const rotated = await request<{ secret: string }>(
              this,
              "POST",
              `${path}/rotate-secret`,
            );
            data.secret = rotated.secret;
          }
          return true;
        } catch (error) {
          // It was deleted in Starpost, so it is created again; anything else is reported.
          if (isNotFound(error)) return false;
          throw new NodeApiError(this.getNode(), error as JsonObject);
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const wanted = readChannel(this);
        // One whose creation n8n did not get to know: its secret is not shown again.
        const { channels } = await request<{ channels: Channel["channel"][] }>(
          this,
          "GET",
          "/channels",
        );
        for (const { id, url } of channels)
          if (url === wanted.url) await request(this, "DELETE", `/channels/${id}`);
        const { channel, secret } = await request<Channel & { secret: string }>(
          this,
          "POST",
          "/channels",
          {
            name: `n8n: ${this.getWorkflow().name ?? "workflow"}`.slice(0, 200),
            ...wanted,
          },
        );
        Object.assign(this.getWorkflowStaticData("node"), { channelId: channel.id, secret });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        if (typeof data.channelId === "string") {
          try {
            await request(this, "DELETE", `/channels/${data.channelId}`);
          } catch (error) {
            if (!isNotFound(error)) throw new NodeApiError(this.getNode(), error as JsonObject);
          }
        }
        delete data.channelId;
        delete data.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData("node");
    const { rawBody } = this.getRequestObject();
    const headers = this.getHeaderData() as Record<string, string | undefined>;
    if (typeof secret !== "string" || !isSigned(headers, rawBody, secret)) {
      this.getResponseObject().status(401).json({ error: "the signature is wrong or too old" });
      return { noWebhookResponse: true };
    }
    return { workflowData: [[{ json: this.getBodyData() }]] };
  }
}

type Channel = { channel: { id: string; url: string } & Record<string, unknown> };

/** The fields of the channel that n8n decides. */
function readChannel(hooks: IHookFunctions): IDataObject & { url: string } {
  const stars = hooks.getNodeParameter("stars") as number[];
  const filter = hooks.getNodeParameter("filter") as string;
  return {
    url: hooks.getNodeWebhookUrl("default") ?? "",
    events: hooks.getNodeParameter("events") as string[],
    stars: stars.length > 0 ? stars : null,
    filter: filter === "" ? null : filter,
  };
}

/** The end of the path, which names the webhook whatever the address of n8n. */
function webhookOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.split("/").slice(-2).join("/") : url;
}

function isSame(channel: Channel["channel"], wanted: IDataObject): boolean {
  const sorted = (value: unknown) => (Array.isArray(value) ? [...value].sort() : value);
  return Object.entries(wanted).every(
    ([name, value]) =>
      JSON.stringify(sorted(channel[name] ?? null)) === JSON.stringify(sorted(value)),
  );
}

/** @typeParam Answer the fields of the answer that are used */
async function request<Answer>(
  hooks: IHookFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
): Promise<Answer> {
  const { baseUrl } = await hooks.getCredentials<{ baseUrl: string }>("starpostApi");
  const url = `${baseUrl.replace(/(\/api\/v1)?\/*$/, "")}/api/v1${path}`;
  return (await hooks.helpers.httpRequestWithAuthentication.call(hooks, "starpostApi", {
    method,
    url,
    json: true,
    ...(body && { body }),
  })) as Answer;
}

function isNotFound(error: unknown): boolean {
  const { httpCode, response } = error as { httpCode?: string; response?: { status?: number } };
  return httpCode === "404" || response?.status === 404;
}

/** Standard Webhooks: an HMAC over id, time and the exact bytes, by the key behind `whsec_`. */
function isSigned(
  headers: Record<string, string | undefined>,
  rawBody: Buffer,
  secret: string,
): boolean {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  const signatures = (headers["webhook-signature"] ?? "").split(" ").slice(0, 10);
  return signatures.some((signature) => {
    if (!signature.startsWith("v1,")) return false;
    const given = Buffer.from(signature.slice(3), "base64");
    return given.length === hmac.length && timingSafeEqual(given, hmac);
  });
}
