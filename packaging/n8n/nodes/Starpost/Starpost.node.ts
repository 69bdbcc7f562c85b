import {
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from "n8n-workflow";

// Each operation is a request that n8n makes; pages of reviews are followed by their cursor.

const forReviews = { show: { resource: ["review"], operation: ["getAll"] } };

const filters: INodeProperties = {
  displayName: "Filters",
  name: "filters",
  type: "collection",
  placeholder: "Add Filter",
  default: {},
  displayOptions: forReviews,
  options: (
    [
      ["App", "app", "An app ID; several with commas"],
      ["Country", "country", "A storefront such as de"],
      ["From", "from", "First day, YYYY-MM-DD in UTC"],
      ["Language", "language", "The language of the text, such as de"],
      ["Rating", "rating", "1 to 5; several with commas"],
      ["Sentiment", "sentiment", "Positive, neutral, negative or mixed, in lower case"],
      ["Text", "q", "Words in title, text, author or translation"],
      ["To", "to", "Last day, YYYY-MM-DD in UTC"],
      ["Topic", "topic", "A topic such as crash"],
      ["Version", "version", "An app version"],
    ] as const
  ).map(([displayName, name, description]) => ({
    displayName,
    name,
    type: "string",
    default: "",
    description,
    routing: { send: { type: "query", property: name, value: "={{$value || undefined}}" } },
  })),
};

const tagsOf = '={{$value.split(",").map((tag) => tag.trim()).filter(Boolean)}}';

const changes: INodeProperties = {
  displayName: "Changes",
  name: "changes",
  type: "collection",
  placeholder: "Add Change",
  default: {},
  displayOptions: { show: { resource: ["review"], operation: ["update"] } },
  options: [
    {
      displayName: "Add Tags",
      name: "addedTags",
      type: "string",
      default: "",
      description: "Tags with commas",
      routing: { send: { type: "body", property: "addedTags", value: tagsOf } },
    },
    {
      displayName: "Assignee",
      name: "assignee",
      type: "string",
      default: "",
      description: "The email address of a member; empty takes the review from its assignee",
      routing: { send: { type: "body", property: "assignee", value: "={{$value || null}}" } },
    },
    {
      displayName: "Done",
      name: "isDone",
      type: "boolean",
      default: true,
      description: "Whether the review needs no more work",
      routing: { send: { type: "body", property: "isDone" } },
    },
    {
      displayName: "Remove Tags",
      name: "removedTags",
      type: "string",
      default: "",
      description: "Tags with commas",
      routing: { send: { type: "body", property: "removedTags", value: tagsOf } },
    },
  ],
};

export class Starpost implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Starpost",
    name: "starpost",
    icon: { light: "file:starpost.svg", dark: "file:starpost.dark.svg" },
    group: ["input"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Read app reviews, ratings and trends, and work on reviews",
    defaults: { name: "Starpost" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "starpostApi", required: true }],
    requestDefaults: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}/api/v1' },
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        default: "review",
        options: [
          { name: "App", value: "app" },
          { name: "Rating", value: "rating" },
          { name: "Review", value: "review" },
          { name: "Trend", value: "trend" },
        ],
      },
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "getAll",
        displayOptions: { show: { resource: ["app"] } },
        options: [
          {
            name: "Get Many",
            value: "getAll",
            action: "Get many apps",
            routing: {
              request: { method: "GET", url: "/apps" },
              output: {
                postReceive: [{ type: "rootProperty", properties: { property: "apps" } }],
              },
            },
          },
        ],
      },
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "getAll",
        displayOptions: { show: { resource: ["review"] } },
        options: [
          {
            name: "Add Note",
            value: "addNote",
            action: "Add a note to a review",
            routing: {
              request: {
                method: "POST",
                url: "/notes",
                body: { review: '={{$parameter["reviewId"]}}' },
              },
            },
          },
          {
            name: "Get",
            value: "get",
            action: "Get a review",
            routing: {
              request: {
                method: "GET",
                url: '=/reviews/{{encodeURIComponent($parameter["reviewId"])}}',
              },
            },
          },
          {
            name: "Get Many",
            value: "getAll",
            action: "Get many reviews",
            routing: {
              request: { method: "GET", url: "/reviews" },
              send: { paginate: '={{$parameter["returnAll"]}}' },
              output: {
                postReceive: [{ type: "rootProperty", properties: { property: "reviews" } }],
              },
              operations: {
                pagination: {
                  type: "generic",
                  properties: {
                    continue: "={{ $response.body.nextCursor !== null }}",
                    request: { qs: { cursor: "={{ $response.body?.nextCursor ?? undefined }}" } },
                  },
                },
              },
            },
          },
          {
            name: "Update",
            value: "update",
            action: "Update a review",
            routing: {
              request: {
                method: "PATCH",
                url: '=/reviews/{{encodeURIComponent($parameter["reviewId"])}}/work',
              },
            },
          },
        ],
      },
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "get",
        displayOptions: { show: { resource: ["rating", "trend"] } },
        options: [
          {
            name: "Get",
            value: "get",
            action: "Get the ratings or trends of an app",
            routing: {
              request: {
                method: "GET",
                url: '={{$parameter["resource"] === "rating" ? "/ratings" : "/trends"}}',
              },
            },
          },
        ],
      },
      {
        displayName: "App ID",
        name: "app",
        type: "string",
        required: true,
        default: "",
        displayOptions: { show: { resource: ["rating", "trend"] } },
        routing: { send: { type: "query", property: "app" } },
      },
      {
        displayName: "Review ID",
        name: "reviewId",
        type: "string",
        required: true,
        default: "",
        displayOptions: { show: { resource: ["review"], operation: ["get", "update", "addNote"] } },
      },
      {
        displayName: "Note",
        name: "note",
        type: "string",
        typeOptions: { rows: 3 },
        required: true,
        default: "",
        displayOptions: { show: { resource: ["review"], operation: ["addNote"] } },
        routing: { send: { type: "body", property: "text" } },
      },
      changes,
      {
        displayName: "Return All",
        name: "returnAll",
        type: "boolean",
        default: false,
        description: "Whether to return all results or only up to a given limit",
        displayOptions: forReviews,
      },
      {
        displayName: "Limit",
        name: "limit",
        type: "number",
        typeOptions: { minValue: 1, maxValue: 100 },
        default: 50,
        description: "Max number of results to return",
        displayOptions: { show: { ...forReviews.show, returnAll: [false] } },
        routing: { send: { type: "query", property: "limit" } },
      },
      filters,
    ],
  };
}
