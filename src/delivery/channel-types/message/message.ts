// A message before it has the form of a service: what it says, in parts. All texts are plain; each type escapes
// them in its own way, so that what a stranger wrote is shown as it was written.

/** How the message is coloured where a service can. */
export type Tone = "good" | "neutral" | "bad";

export type Block =
  /** A line of its own that stands out, such as a review's title. */
  | { kind: "strong"; text: string }
  | { kind: "text"; text: string }
  /** Facts beside the text, small where a service can. */
  | { kind: "note"; text: string }
  /** Lines whose characters stand below each other. */
  | { kind: "chart"; text: string }
  /** A quoted text within the message. */
  | { kind: "quote"; text: string }
  | { kind: "heading"; text: string; url?: string | null };

export type Link = { label: string; url: string };

export type Message = {
  /** One line: the subject of an e-mail, the text of a notification on a phone. */
  heading: string;
  /** Where the heading leads; null without a dashboard that can be reached. */
  url: string | null;
  tone: Tone;
  blocks: Block[];
  links: Link[];
  /** The key of the conversation, for services with threads: the review's id. */
  threadId: string | null;
};
