// All operations by their noun. A door that loops over this table offers a new operation without being changed.
import type { Noun, Operation } from "./operation.ts";
import { changeTopic, createTopic, removeTopic, topicNoun } from "./topic.ts";
import { changeView, createView, removeView, viewNoun } from "./view.ts";

export type NounOperations = { noun: Noun; operations: readonly Operation[] };

export const nouns: readonly NounOperations[] = [
  { noun: topicNoun, operations: [createTopic, changeTopic, removeTopic] },
  { noun: viewNoun, operations: [createView, changeView, removeView] },
];
