// Changes of a store's layout that hold reviews back, and the operator's decisions about them. They belong to the installation.
import type { IncidentKey } from "../database/collecting/held-feeds.ts";
import { notFound } from "../domain/validation-errors.ts";
import { parseIncident } from "../use-cases/incidents/layout-incidents.ts";
import { action, defineNoun, type Resource } from "./operation.ts";

type IncidentResource = IncidentKey & Resource;

const incidentNoun = defineNoun<IncidentResource>({
  noun: "incident",
  plural: "incidents",
  path: "incidents",
  isShared: true,
  isNamed: true,
  // It is of feeds that are held back: whether there are any is known when it is decided about.
  find: async (_, { id }) => ({ ...parseIncident(id), id, workspaceId: "", version: 0 }),
  toView: ({ id, store, source, kind }) => ({ id, store, source, kind }),
  viewSchema: null,
});

const traits = { role: null, keepsVersion: true } as const;

/** From now on pages of that kind count, for a week. */
export const acceptIncident = action(incidentNoun, {
  ...traits,
  verb: "accept",
  summary: "Take the pages of an incident for right",
  audit: "incident.accepted",
  async run({ tx, now }, { before }) {
    const { id, ...incident } = before;
    if (!(await tx.acceptLayoutIncident({ ...incident, now }))) throw notFound("incident", id);
    return { result: before, detail: {} };
  },
});

/** Forgets the incident and the pages that are held back: the next reading of each feed begins anew. */
export const rejectIncident = action(incidentNoun, {
  ...traits,
  verb: "reject",
  summary: "Forget an incident, so that each feed is read anew",
  audit: "incident.rejected",
  async run({ tx }, { before }) {
    if (!(await tx.rejectLayoutIncident(before))) throw notFound("incident", before.id);
    return { result: before, detail: {} };
  },
});
