// Topics that the workspace defines itself: their phrases, what they find, and how far stored reviews were read.

import type {
  Carries,
  Changes,
  Moment,
  Nothing,
  Owned,
  Route,
} from "../../dashboard-api/contract/route.ts";
import type { OwnTopicState } from "./list-topics.ts";
import type { changeTopic, createTopic, tickTopic } from "./operations.ts";
import type { topicPhrases } from "./own-topic.ts";

export type OwnTopic = Omit<Owned<OwnTopicState>, "revision">;

export type TopicSample = {
  id: string;
  appId: string;
  rating: number;
  title: string | null;
  text: string;
  date: Moment;
  /** The words that the phrases found, as the review spells them. */
  words: string[];
};

export type TopicPreview = {
  /** Reviews that were read, the newest ones, and how many of them have a phrase. */
  readCount: number;
  matchCount: number;
  /** How many of them each phrase finds, in the order of the phrases; none for an exclusion. */
  phraseCounts: { phrase: string; count: number }[];
  /** The newest of them. */
  samples: TopicSample[];
};

export type TopicRoutes = {
  "GET /workspaces/:workspace/topics": Route<{ topics: OwnTopic[] }>;
  /** 409 for one too many. */
  "POST /workspaces/:workspace/topics": Carries<{ id: string }, typeof createTopic>;
  "POST /workspaces/:workspace/topics/preview": Route<TopicPreview, typeof topicPhrases>;
  "PATCH /workspaces/:workspace/topics/:topic": Changes<Nothing, typeof changeTopic>;
  /** The next to tick: the newest without a tick. */
  "GET /workspaces/:workspace/topics/:topic/ticks": Route<{ samples: TopicSample[] }>;
  "POST /workspaces/:workspace/topics/:topic/tick": Carries<Nothing, typeof tickTopic>;
  /** 409 while a channel filters by it. */
  "DELETE /workspaces/:workspace/topics/:topic": Route<Nothing>;
};
