// What invented reviewers say in one language. `{slot}` is filled from `slots`, `{version}` with the
// reviewed version; a template is a title and a text.

export type Template = readonly [title: string, text: string];

export type PhraseBook = {
  nicknames: readonly string[];
  slots: Readonly<Record<"device" | "feature" | "time" | "price", readonly string[]>>;
  /** Four and five stars. */
  praise: readonly Template[];
  /** Two to four stars: good and bad in one breath. */
  mixed: readonly Template[];
  /** One to three stars. */
  complaints: readonly Template[];
  /** One star, after a bad release. */
  outrage: readonly Template[];
  /** A second sentence that fits any review of its kind. */
  more: { readonly good: readonly string[]; readonly bad: readonly string[] };
  replies: readonly string[];
};
