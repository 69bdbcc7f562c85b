// For each operation of the table a body that it accepts, another one, and its command line.
import { generateKeyPairSync } from "node:crypto";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keyFile = String(privateKey.export({ type: "pkcs8", format: "pem" }));

export type OperationCase = {
  body: object | undefined;
  another: object | undefined;
  /** Empty where no command carries it out. */
  argv: (id: string, workspaceId: string) => string[];
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
  "view delete": { body: undefined, another: undefined, argv: () => [] },
};

function onlyId(...words: string[]): OperationCase {
  const argv = (id: string) =>
    words.length > 0 ? [...words.slice(0, 2), id, ...words.slice(2)] : [];
  return { body: undefined, another: undefined, argv };
}
