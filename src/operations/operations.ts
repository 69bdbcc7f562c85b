// All operations by their noun. A door that loops over this table offers a new operation without being changed.
import type { z } from "zod";
import { addApp, changeApp, removeApp } from "./app.ts";
import { collectApp } from "./app-actions.ts";
import { changeChannel, createChannel, removeChannel } from "./channel.ts";
import { channelActions, deliveryActions, keepChannel, redeliverOne } from "./channel-actions.ts";
import { eraseReview } from "./erase-review.ts";
import { acceptIncident, rejectIncident } from "./incident.ts";
import { createKey, keepKey, revokeKey } from "./key.ts";
import { inviteMember, removeMember, setMemberRole, withdrawInvitation } from "./member.ts";
import type { Noun, Operation } from "./operation.ts";
import { dismissNotice } from "./retired-notice.ts";
import { changeView, createView, removeView } from "./view.ts";
import { changeWorkspace, createWorkspace, removeWorkspace, setPlan } from "./workspace.ts";

export type NounOperations = {
  noun: Noun;
  operations: readonly Operation[];
  /** The section of the set-up document that has them by name. */
  setup?: SetupSection;
};

/** Its entries are applied before the apps of the document, and removed after them. */
export type SetupSection = {
  field: string;
  description: string;
  /** The fields that a document has of one. */
  entry: z.ZodObject;
  create: Operation;
  change: Operation;
  remove: Operation;
};

/** A table: features add their nouns, and their operations to these. */
export const nouns: NounOperations[] = [
  {
    noun: addApp.noun,
    operations: [addApp, changeApp, collectApp, removeApp, eraseReview],
  },
  {
    noun: createChannel.noun,
    operations: [
      createChannel,
      changeChannel,
      removeChannel,
      keepChannel,
      ...Object.values(channelActions),
    ],
  },
  { noun: dismissNotice.noun, operations: [dismissNotice] },
  { noun: redeliverOne.noun, operations: Object.values(deliveryActions) },
  { noun: createView.noun, operations: [createView, changeView, removeView] },
  { noun: setMemberRole.noun, operations: [setMemberRole, removeMember] },
  { noun: inviteMember.noun, operations: [inviteMember, withdrawInvitation] },
  { noun: createKey.noun, operations: [createKey, revokeKey, keepKey] },
  {
    noun: createWorkspace.noun,
    operations: [createWorkspace, changeWorkspace, setPlan, removeWorkspace],
  },
  { noun: acceptIncident.noun, operations: [acceptIncident, rejectIncident] },
];

/** Adds the rows of a feature. */
export function addOperations(added: readonly NounOperations[]): void {
  for (const row of added) {
    const index = nouns.findIndex(({ noun }) => noun === row.noun);
    const known = nouns[index];
    if (known) nouns[index] = { ...known, operations: [...known.operations, ...row.operations] };
    else nouns.push(row);
  }
}
