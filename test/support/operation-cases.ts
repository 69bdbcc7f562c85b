// For each operation of the table a body that it accepts, another one, and its command line.
import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keyFile = String(privateKey.export({ type: "pkcs8", format: "pem" }));

export type OperationCase = {
  body: object | undefined;
  another: object | undefined;
  /** Sent as the body; the fields of `body` are in the query. */
  file?: () => string;
  /** The field of the body that names the review of the test. */
  reviewIn?: "review" | "reviews";
  /** Empty where no command carries it out. */
  argv: (id: string, workspaceId: string, reviewId: string) => string[];
};

/** A body that each operation accepts, another one, and its command line. */
export const operationCases: Readonly<Record<string, OperationCase>> = {
  "app create": {
    body: { store: "googleplay", externalAppId: "com.example.tide", isCollected: false },
    another: undefined,
    argv: (_, workspaceId) => [
      ...["app", "add", "--store", "googleplay", "--external-id", "com.example.other"],
      ...["--no-collect", "--workspace", workspaceId],
    ],
  },
  "app change": { body: { name: "Tide" }, another: { name: "Low tide" }, argv: () => [] },
  "app collect": {
    body: { region: null },
    another: undefined,
    argv: (id) => ["collect", "--app", id],
  },
  "app translate": {
    body: { review: null },
    another: undefined,
    argv: (id) => ["translate", "--app", id],
  },
  "app delete": onlyId("app", "remove", "--yes"),
  "channel create": {
    body: { name: "Desk", url: "https://127.0.0.1:9/hook" },
    another: undefined,
    argv: (_, workspaceId) => [
      ...["channel", "create", "--name", "Other", "--url", "https://127.0.0.1:9/hook"],
      "--workspace",
      workspaceId,
    ],
  },
  "channel change": {
    body: { name: "Front desk", stars: [1] },
    another: { stars: [5] },
    argv: (id) => ["channel", "update", id, "--name", "Help"],
  },
  "channel delete": onlyId("channel", "delete", "--yes"),
  "channel show-secret": onlyId("channel", "show"),
  "channel next-secret": onlyId("channel", "next-secret"),
  "channel rotate-secret": onlyId("channel", "rotate-secret", "--yes"),
  "channel end-old-secret": onlyId("channel", "end-old-secret", "--yes"),
  "channel test": onlyId("channel", "test", "--no-wait"),
  "channel redeliver-expired": {
    ...onlyId(),
    argv: (id) => ["deliveries", "redeliver", "--channel", id, "--all-expired"],
  },
  "channel retry": onlyId(),
  "channel keep": onlyId(),
  "key create": {
    body: { name: "Report" },
    another: undefined,
    argv: (_, workspaceId) => ["key", "create", "--name", "Deploy", "--workspace", workspaceId],
  },
  "key revoke": onlyId("key", "revoke", "--yes"),
  "key keep": onlyId(),
  "link create": {
    body: { kind: "overview", query: "", days: 7, isFrozen: false },
    another: undefined,
    argv: () => [],
  },
  "link delete": onlyId(),
  "delivery redeliver": onlyId("deliveries", "redeliver"),
  "credential create": {
    body: { store: "appstore", name: "Ours", keyFile, keyId: "ABCDEF1234" },
    another: undefined,
    argv: () => [],
  },
  "credential delete": onlyId("credential", "remove", "--yes"),
  "member change": { body: { role: "member" }, another: { role: "owner" }, argv: () => [] },
  "member delete": onlyId(),
  "invitation create": {
    body: { email: null, role: "member" },
    another: undefined,
    argv: () => [],
  },
  "invitation delete": onlyId(),
  "topic create": {
    body: { name: "opening_hours", phrases: ["opening hours"] },
    another: { name: "parking", phrases: ["parking space"] },
    argv: (_, workspaceId) => [
      "topic",
      "create",
      "queue",
      "--phrases",
      "long queue",
      "--workspace",
      workspaceId,
    ],
  },
  "topic change": {
    body: { phrases: ["closing time"] },
    another: { phrases: ["closed"] },
    argv: (id, workspaceId) => [
      "topic",
      "update",
      id,
      "--phrases",
      "shut",
      "--workspace",
      workspaceId,
    ],
  },
  "topic tick": {
    body: { review: "", isRight: true },
    another: undefined,
    reviewIn: "review",
    argv: (id, workspaceId, reviewId) => [
      ...["topic", "tick", id, "--workspace", workspaceId, "--review", reviewId, "--wrong"],
    ],
  },
  "topic delete": {
    body: undefined,
    another: undefined,
    argv: (id, workspaceId) => ["topic", "remove", id, "--yes", "--workspace", workspaceId],
  },
  "workspace create": {
    body: { name: "Jetty" },
    another: undefined,
    argv: (_, workspaceId) => ["workspace", "create", "--name", `Quay ${workspaceId}`],
  },
  "workspace change": {
    body: { name: "Pier" },
    another: { name: "Wharf" },
    argv: () => [],
  },
  "workspace set-plan": { ...onlyId(), argv: (id) => ["workspace", "set-plan", id, "starter"] },
  "workspace delete": onlyId("workspace", "delete", "--yes"),
  "view create": {
    body: { name: "Bad", query: "rating=1" },
    another: { name: "Good", query: "rating=5" },
    argv: () => [],
  },
  "view change": { body: { query: "rating=2" }, another: { name: "Poor" }, argv: () => [] },
  "review change": {
    body: { tags: ["crash"] },
    another: { isDone: true },
    argv: (id, workspaceId) => [
      ...["review", "update", id, "--workspace", workspaceId],
      ...["--add-tags", "login", "--done"],
    ],
  },
  "review change-many": {
    body: { reviews: [], addedTags: ["crash"] },
    another: undefined,
    reviewIn: "reviews",
    argv: () => [],
  },
  "reply draft": {
    body: { draft: "We look into it" },
    another: { draft: "We know it" },
    argv: (id, workspaceId) => [
      ...["reply", "draft", id, "--workspace", workspaceId, "--text", "Soon"],
    ],
  },
  "reply send": {
    body: { text: "It is fixed", replaces: "We know" },
    another: { text: "Sorry", replaces: "We know" },
    argv: (id, workspaceId) => [
      ...["reply", "send", id, "--workspace", workspaceId],
      ...["--text", "It is fixed", "--replaces", "We know"],
    ],
  },
  "reply withdraw": {
    body: { replaces: "We know" },
    another: { replaces: " We know" },
    argv: (id, workspaceId) => [
      ...["reply", "withdraw", id, "--workspace", workspaceId, "--yes"],
      ...["--replaces", "We know"],
    ],
  },
  "template create": {
    body: { name: "Thanks", text: "Thank you, {author}" },
    another: undefined,
    argv: (_, workspaceId) => [
      ...["template", "create", "Sorry", "--workspace", workspaceId, "--text", "Sorry"],
    ],
  },
  "template change": {
    body: { text: "Thanks, {author}" },
    another: { name: "Thank you" },
    argv: (id, workspaceId) => [
      ...["template", "update", id, "--workspace", workspaceId, "--text", "Thanks"],
    ],
  },
  "template delete": {
    ...onlyId(),
    argv: (id, workspaceId) => ["template", "remove", id, "--workspace", workspaceId, "--yes"],
  },
  "note create": {
    body: { review: "", text: "Fixed in 4.3" },
    another: undefined,
    reviewIn: "review",
    argv: (_, workspaceId, reviewId) => [
      ...["review", "note", reviewId, "--workspace", workspaceId],
      ...["--text", "Refunded"],
    ],
  },
  "note delete": onlyId("review", "remove-note", "--yes"),
  "notice dismiss": onlyId(),
  "app erase-review": {
    body: undefined,
    another: undefined,
    reviewIn: "review",
    argv: (id, _, reviewId) => ["review", "erase", reviewId, "--app", id, "--yes"],
  },
  "app import-reviews": {
    body: { name: "reviews.jsonl" },
    another: undefined,
    file: () => fs.readFileSync(fixture("import-of-app.jsonl"), "utf8"),
    argv: (id) => ["import", "reviews", "--app", id, fixture("import-of-app.jsonl")],
  },
  "app import-ratings": {
    ...onlyId(),
    argv: (id) => ["import", "ratings", "--app", id, fixture("import-of-ratings.jsonl")],
  },
  "app export-reviews": { ...onlyId(), argv: (id) => ["export", "reviews", "--app", id] },
  "app export-ratings": { ...onlyId(), argv: (id) => ["export", "ratings", "--app", id] },
  "workspace import-reviews": {
    ...onlyId(),
    argv: (id) => [
      ...["import", "reviews", "--all-apps", "--workspace", id],
      fixture("import-of-app.jsonl"),
    ],
  },
  "workspace import": {
    ...onlyId(),
    argv: () => ["import", "workspace", fixture("import-of-workspace.jsonl")],
  },
  "workspace export": { ...onlyId(), argv: (id) => ["export", "workspace", "--workspace", id] },
  "workspace export-reviews": {
    body: { format: "jsonl" },
    another: undefined,
    argv: () => [],
  },
  "SQL user create": {
    ...onlyId(),
    argv: (_, workspaceId) => ["sql-user", "create", "--workspace", workspaceId, "--name", "bi"],
  },
  "SQL user delete": onlyId("sql-user", "remove", "--yes"),
  "incident accept": onlyId("incident", "accept", "--yes"),
  "incident reject": onlyId("incident", "reject"),
  "view delete": { body: undefined, another: undefined, argv: () => [] },
};

/** A path with these fields in its query. */
export function withFields(path: string, fields: object = {}): string {
  const mark = path.includes("?") ? "&" : "?";
  return `${path}${mark}${new URLSearchParams(Object.entries(fields))}`;
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

function onlyId(...words: string[]): OperationCase {
  const argv = (id: string) =>
    words.length > 0 ? [...words.slice(0, 2), id, ...words.slice(2)] : [];
  return { body: undefined, another: undefined, argv };
}
