// The names that exports, libraries and store APIs have for the fields of an import. Names are compared without capitals,
// spaces, hyphens and underscores, and with the words "review" and "user" before them.

export type FieldNames = Readonly<Record<string, readonly string[]>>;

/** By field; the first that a row has counts. */
export const reviewNames: FieldNames = {
  // In an export of Starpost `id` is Starpost's, in other products' often theirs.
  id: ["storeid", "reviewid", "userreviewid", "appstoreid", "id"],
  reviewLink: ["reviewlink"],
  author: [
    "author",
    "authorname",
    "username",
    "reviewername",
    "user",
    "reviewer",
    "nickname",
    "reviewernickname",
    "userprofileprofilename",
  ],
  rating: ["rating", "score", "stars", "starrating", "imrating", "ratingvalue"],
  title: ["originaltitle", "title", "subject", "headline"],
  text: ["originalreview", "text", "content", "body", "comment", "review", "message", "feedback"],
  version: [
    "version",
    "createdversion",
    "appversion",
    "appversionname",
    "appversioncode",
    "imversion",
    "appversionstring",
  ],
  country: ["countrycode", "country", "territory", "iso", "storefront", "locale"],
  language: [
    "language",
    "languagehint",
    "languagecode",
    "lang",
    "reviewerlanguage",
    "detectedlanguage",
  ],
  date: [
    ...["date", "lastupdatedateandtime", "at", "publishedat", "postedat", "updated", "updatedat"],
    ...["created", "createddate", "createdat", "lastmodified", "lastmodifiedseconds", "datetime"],
    ...["timestamp", "submittedat"],
  ],
  time: ["time"],
  replyText: [
    ...["replytext", "replycontent", "replybody", "reply", "answertext", "answer", "responsetext"],
    ...["responsebody", "response", "developerresponsebody", "developerresponse"],
    ...["developerresponseresponse", "responsestext"],
    ...["developerreplytext", "developerreply", "developercommenttext"],
  ],
  replyDate: [
    ...["replydate", "repliedat", "replyat", "answerdate", "responsedate"],
    ...["developerresponsemodified", "developerreplydate", "developerreplydateandtime"],
    ...["developerresponsedate", "developercommentlastmodifiedseconds", "replypublishedat"],
    ...["replytimestamp", "developerresponselastmodified", "responsestimestamp"],
  ],
  votes: [
    "votes",
    "votesum",
    "thumbsup",
    "thumbsupcount",
    "helpful",
    "helpfulcount",
    "helpfulvotes",
    "likes",
    "imvotesum",
    "likescount",
    "countlikes",
    "helpfulviews",
  ],
  device: ["device", "devicename", "reviewerhardwaremodel"],
  osVersion: ["osversion", "androidosversion"],
  submittedAt: ["submittedat", "submitdateandtime"],
};

/** A source whose columns have other meanings than elsewhere, known by some of them: its columns by field, all by plain name. */
export const sourcesOfOwnNames: readonly {
  columns: readonly string[];
  names: Readonly<Record<string, string>>;
}[] = [
  {
    // SerpApi, Google Play: the title is the author's name.
    columns: ["snippet", "isodate"],
    names: {
      author: "title",
      text: "snippet",
      date: "isodate",
      replyText: "responsesnippet",
      replyDate: "responseisodate",
    },
  },
];

export const ratingNames: FieldNames = {
  date: ["date"],
  region: ["region", "country"],
  total: ["total"],
  average: ["average", "totalaveragerating"],
  histogram: ["histogram"],
  ...{ "1": ["1"], "2": ["2"], "3": ["3"], "4": ["4"], "5": ["5"] },
};

/** Columns with a field often have such names. */
const likeness: Readonly<Record<string, RegExp>> = {
  id: /\bids?\b|id$|number|key|#/i,
  rating: /rat|star|score/i,
  date: /date|time|posted|created|written/i,
  average: /aver|mean/i,
  total: /total|count|number/i,
};

export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-.:/]+/g, "");
}

/** By plain name, the fields that a column can hold, and how early it counts there. */
export function indexNames(
  table: FieldNames,
): ReadonlyMap<string, { field: string; rank: number }[]> {
  const index = new Map<string, { field: string; rank: number }[]>();
  for (const [field, names] of Object.entries(table)) {
    // The user's id must not become the review's.
    const words = field === "id" ? [""] : ["review", "", "user"];
    for (const [at, name] of names.entries()) {
      for (const [step, word] of words.entries()) {
        const key = word + name;
        const rank = at * words.length + step;
        index.set(key, [...(index.get(key) ?? []), { field, rank }]);
      }
    }
  }
  return index;
}

/**
 * A command that would work: the missing fields with the columns that are most like them.
 *
 * @param isOther whether a column holds something else, such as the app
 */
export function suggestColumns(
  columns: readonly string[],
  { missing, isOther }: { missing: readonly string[]; isOther(column: string): boolean },
): string {
  const pairs = missing.map((field) => {
    const like = columns.find(
      (column) =>
        likeness[field]?.test(column) &&
        !isOther(column) &&
        !(field === "id" && identifiesNothing.test(plainName(column))),
    );
    return `${field}=${like ?? "COLUMN"}`;
  });
  return `--columns "${pairs.join(",")}"`;
}

/** Columns of people, and of the places of rows in a list. */
const identifiesNothing =
  /user|author|reviewer|customer|person|people|account|member|developer|rank|position|index|^(row|line|page|no|nr|num|number|#)|(row|line|page)(no|nr|num|number|id)?$/;
