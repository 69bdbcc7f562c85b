// All operations by their noun. A door that loops over this table offers a new operation without being changed.
import { addApp, changeApp, removeApp } from "./app.ts";
import { changeChannel, createChannel, removeChannel } from "./channel.ts";
import { channelActions, deliveryActions, keepChannel, redeliverOne } from "./channel-actions.ts";
import { addCredential, removeCredential } from "./credential.ts";
import { createKey, keepKey, revokeKey } from "./key.ts";
import { createLink, endLink } from "./link.ts";
import { inviteMember, removeMember, setMemberRole, withdrawInvitation } from "./member.ts";
import type { Noun, Operation } from "./operation.ts";
import { changeTopic, createTopic, removeTopic } from "./topic.ts";
import { changeView, createView, removeView } from "./view.ts";
import { changeWorkspace, createWorkspace, removeWorkspace, setPlan } from "./workspace.ts";

export type NounOperations = { noun: Noun; operations: readonly Operation[] };

export const nouns: readonly NounOperations[] = [
  { noun: addApp.noun, operations: [addApp, changeApp, removeApp] },
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
  { noun: redeliverOne.noun, operations: Object.values(deliveryActions) },
  { noun: createTopic.noun, operations: [createTopic, changeTopic, removeTopic] },
  { noun: createView.noun, operations: [createView, changeView, removeView] },
  { noun: addCredential.noun, operations: [addCredential, removeCredential] },
  { noun: setMemberRole.noun, operations: [setMemberRole, removeMember] },
  { noun: inviteMember.noun, operations: [inviteMember, withdrawInvitation] },
  { noun: createKey.noun, operations: [createKey, revokeKey, keepKey] },
  { noun: createLink.noun, operations: [createLink, endLink] },
  {
    noun: createWorkspace.noun,
    operations: [createWorkspace, changeWorkspace, setPlan, removeWorkspace],
  },
];
