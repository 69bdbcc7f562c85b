// Topics that the workspace defines itself: their phrases, what they find, and how far stored reviews were read.
import type { ownTopicSchema } from "../../domain/own-topic.ts";
import type * as requests from "./requests.ts";
import type { Moment, Nothing, Route } from "./route.ts";

export type OwnTopic = {
  id: string;
  /** As the API and channels name it. */
  name: string;
  phrases: string[];
  createdAt: Moment;
  /** Reviews that have it. */
  matchCount: number;
  /** Stored reviews that were read for it, of so many. */
  readCount: number;
  totalCount: number;
  isFinished: boolean;
  /** Reviews that people ticked, and what the last training on them gave; null before the first. */
  rightCount: number;
  wrongCount: number;
  training: {
    rowCount: number;
    /** Decided as people did, unseen by what decided; null with too few ticks. */
    figures: { phrases: number; classifier: number } | null;
    isInUse: boolean;
  } | null;
  /** Its phrases took too much work, and are not looked for before; null: they are. */
  restsUntil: Moment | null;
};

export type TopicSample = {
  id: string;
  appId: string;
  rating: number;
  title: string | null;
  text: string;
  date: Moment;
  /** What the phrases found in it, as the review spells it. */
  words: string[];
};

export type TopicPreview = {
  /** Reviews that were read, the newest ones, and how many of them have a phrase. */
  readCount: number;
  matchCount: number;
  /** The newest of them. */
  samples: TopicSample[];
};

export type TopicRoutes = {
  "GET /workspaces/:workspace/topics": Route<{ response: { topics: OwnTopic[] } }>;
  /** 409 for one too many. */
  "POST /workspaces/:workspace/topics": Route<{
    body: typeof ownTopicSchema;
    response: { id: string };
  }>;
  "POST /workspaces/:workspace/topics/preview": Route<{
    body: typeof requests.topicPhrases;
    response: TopicPreview;
  }>;
  "PATCH /workspaces/:workspace/topics/:topic": Route<{
    body: typeof requests.topicPhrases;
    response: Nothing;
  }>;
  /** The next to tick: the newest that nobody has ticked. */
  "GET /workspaces/:workspace/topics/:topic/ticks": Route<{ response: { samples: TopicSample[] } }>;
  "POST /workspaces/:workspace/topics/:topic/ticks": Route<{
    body: typeof requests.topicTick;
    response: Nothing;
  }>;
  /** 409 while a channel filters by it. */
  "DELETE /workspaces/:workspace/topics/:topic": Route<{ response: Nothing }>;
};
