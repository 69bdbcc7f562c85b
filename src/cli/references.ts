// References to a workspace, an app, a channel, a key or a credential: its id, the beginning of its
// id, or its name. A workspace may be left out where only one comes into question.

import { describeDestination } from "../domain/channel/channel-destination.ts";
import { AppError } from "../domain/error.ts";
import { failField } from "../domain/validation-errors.ts";
import { isUuid } from "../lib/uuid.ts";
import type { CliContext } from "./context.ts";

export type ReferenceKind =
  | "workspace"
  | "workspaceFilter"
  | "app"
  | "channel"
  | "key"
  | "credential";

type Candidate = { id: string; names: readonly string[]; label: string };
type Reference = { kind: ReferenceKind; field: string };
type Deps = Pick<CliContext, "database" | "config">;

// Fewer characters would find things by accident.
const prefixLengthMin = 4;
const listedMax = 8;

/**
 * The ids for a value of a command line; lists stay lists, and null and undefined what they are, but for
 * a workspace.
 *
 * @throws AppError `not_found` without a match, `invalid_input` when there are several
 */
export async function resolveReference(
  deps: Deps,
  reference: Reference & { value: unknown },
): Promise<unknown> {
  const { value } = reference;
  if (Array.isArray(value)) {
    return Promise.all(
      value.map((text) => resolveText(deps, { ...reference, text: String(text) })),
    );
  }
  const text = typeof value === "string" ? value : "";
  if (text !== "") return resolveText(deps, { ...reference, text });
  return reference.kind.startsWith("workspace") ? findDefaultWorkspace(deps, reference) : value;
}

async function resolveText(
  { database }: Deps,
  { kind, field, text }: Reference & { text: string },
): Promise<string> {
  // Whether it exists is for the command to check.
  if (isUuid(text)) return text;
  const candidates = await listCandidates(database, kind);
  const matches = findMatches(candidates, text);
  const noun = kind === "workspaceFilter" ? "workspace" : kind;
  if (matches.length > 1) failField(field, `${quote(text)} fits several: ${listLabels(matches)}`);
  const [match] = matches;
  if (match) return match.id;
  const known = candidates.length > 0 ? `; there is ${listLabels(candidates)}` : "";
  throw new AppError("not_found", `there is no ${noun} ${quote(text)}${known}`);
}

/** By name as it is typed, else without regard to capitals, else by the beginning of the id. */
function findMatches(candidates: readonly Candidate[], text: string): Candidate[] {
  const lower = text.toLowerCase();
  const searches: ((candidate: Candidate) => boolean)[] = [
    ({ names }) => names.includes(text),
    ({ names }) => names.some((name) => name.toLowerCase() === lower),
    ({ id }) => text.length >= prefixLengthMin && id.startsWith(lower),
  ];
  for (const search of searches) {
    const found = candidates.filter(search);
    if (found.length > 0) return found;
  }
  return [];
}

async function findDefaultWorkspace(
  { config, database }: Deps,
  { kind, field }: Reference,
): Promise<string | undefined> {
  if (config.starpostWorkspace !== null) {
    return resolveText({ config, database }, { kind, field, text: config.starpostWorkspace });
  }
  return kind === "workspaceFilter" ? undefined : findOnlyWorkspace(database, field);
}

/** @throws AppError `not_found` without a workspace, `invalid_input` when there are several */
export async function findOnlyWorkspace(
  database: Deps["database"],
  field: string,
): Promise<string> {
  const workspaces = await listCandidates(database, "workspace");
  if (workspaces.length === 0) {
    throw new AppError(
      "not_found",
      'there is no workspace yet: starpost workspace create --name "My team"',
    );
  }
  const [only, ...others] = workspaces;
  if (only && others.length === 0) return only.id;
  return failField(field, `name one, or set STARPOST_WORKSPACE: ${listLabels(workspaces)}`);
}

async function listCandidates(
  database: Deps["database"],
  kind: ReferenceKind,
): Promise<Candidate[]> {
  const all = { workspaceId: null };
  const named = (one: { id: string; name: string }): Candidate => ({
    id: one.id,
    names: [one.name],
    label: `${one.name} (${one.id})`,
  });
  switch (kind) {
    case "workspace":
    case "workspaceFilter":
      return (await database.listWorkspaces()).map(named);
    case "app":
      return (await database.listApps(all)).map((app) => ({
        id: app.id,
        names: [app.name, app.externalAppId],
        label: `${app.name} (${app.store} ${app.externalAppId}, ${app.id})`,
      }));
    case "channel":
      return (await database.listChannels(all)).map((channel) => ({
        ...named(channel),
        label: `${channel.name} (${channel.type} ${describeDestination(channel)}, ${channel.id})`,
      }));
    case "key":
      return (await database.listApiKeys(all)).map((key) => ({
        ...named(key),
        names: [key.name, key.prefix],
      }));
    case "credential":
      return (await database.listCredentials(all)).map(named);
  }
}

function listLabels(candidates: readonly Candidate[]): string {
  const labels = candidates.slice(0, listedMax).map(({ label }) => label);
  const moreCount = candidates.length - labels.length;
  return [...labels, ...(moreCount > 0 ? [`and ${moreCount} more`] : [])].join(", ");
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
