# Made from the OpenAPI document by npm run generate
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

#: The store an app is sold in.
Store = Literal["appstore", "googleplay", "firefoxaddons"]


class EventApp(TypedDict):
    #: Identifier of the app.
    id: str
    name: str
    store: Store


class AlertEvent(TypedDict):
    event: Literal["reviews.spike", "release.worse", "storefront.failing"]
    #: Identifier of the webhook channel.
    channelId: str
    channelName: str
    #: None where the app was removed meanwhile.
    app: EventApp | None
    #: Failures and rises, one sentence each.
    lines: list[str]


class App(TypedDict):
    #: Identifier of an app.
    id: str
    name: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str
    #: URL of the icon; empty until it was read from the store.
    appIcon: str


class ChangedReviews(TypedDict):
    #: How many of them differ now.
    changedCount: int


DayRange = TypedDict(
    "DayRange",
    {
        "from": str,
        "to": str,
    },
)


class ChangesReviews(TypedDict):
    total: int
    expected: float | None
    averageRating: float | None
    averageRatingBefore: float | None
    negative: int
    repeated: int
    read: int


class ChangesSpikes(TypedDict):
    subject: Literal["reviews", "fewer", "rating", "negative", "topic", "language", "version"]
    value: str
    count: int
    total: int
    expected: float
    sentence: str


class ChangesNewPhrases(TypedDict):
    phrase: str
    language: str
    count: int
    countBefore: int
    reviewIds: list[str]
    sentence: str


class ChangesDuplicates(TypedDict):
    text: str
    count: int
    reviewIds: list[str]
    sentence: str


class ChangesQuotes(TypedDict):
    reviewId: str
    rating: int
    text: str
    date: str
    version: str
    language: str
    country: str
    sentiment: Literal["positive", "neutral", "negative", "mixed"] | None
    topics: list[str]
    mentions: list[str]


class Changes(TypedDict):
    kind: Literal["day", "week", "release"]
    app: EventApp
    version: str | None
    range: DayRange
    baseline: DayRange | None
    reviews: ChangesReviews
    spikes: list[ChangesSpikes]
    newPhrases: list[ChangesNewPhrases]
    duplicates: list[ChangesDuplicates]
    quotes: list[ChangesQuotes]
    sentences: list[str]


class ChannelFailingEventFailing(TypedDict):
    """The channel that fails."""

    id: str
    name: str


class ChannelFailingEvent(TypedDict):
    event: Literal["channel.failing"]
    #: Identifier of the webhook channel.
    channelId: str
    channelName: str
    #: Always None: a channel is not of one app.
    app: EventApp | None
    #: The channel that fails.
    failing: ChannelFailingEventFailing
    #: Failures and rises, one sentence each.
    lines: list[str]


class CollectedApp(TypedDict):
    #: How many feeds are due now.
    feedCount: int


class EventChange(TypedDict):
    oldScore: int
    newScore: int
    ratingChanged: bool
    textChanged: bool
    #: The change in words.
    headline: str


class EventReview(TypedDict):
    #: Stable for the life of the review.
    id: str
    store: Store
    rating: int
    #: None for stores without review titles, such as googleplay.
    title: str | None
    #: Always the untranslated original.
    text: str
    #: Not None only when translation is on for the channel and the review was not already English.
    translatedText: str | None
    #: A language code, under the same condition as translatedText.
    translatedFrom: str | None
    author: str
    version: str
    #: Storefront region for stores other than googleplay, `001` where a store has none; detected language for googleplay.
    country: str
    #: ISO 8601 in UTC.
    date: str


class Sentiment(TypedDict):
    label: Literal["positive", "neutral", "negative", "mixed"]
    #: From -1 (negative) to 1 (positive).
    score: float


class Reply(TypedDict):
    text: str
    at: str | None


class _RequiredExportedReview(TypedDict):
    #: Stable for the life of the review.
    id: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str
    #: Empty when the store does not say.
    author: str
    #: Stars.
    rating: int
    #: None for stores without review titles, such as googleplay.
    title: str | None
    #: The original text.
    text: str
    #: The stored translation, if one was made.
    translatedText: str | None
    #: Source language code of the translation.
    translatedFrom: str | None
    #: App version the review refers to; empty when the store does not say.
    version: str
    #: Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts.
    country: str
    #: ISO 8601 in UTC; milliseconds only where the store gives them.
    date: str
    #: None while the review is not analysed, and for a review without text.
    sentiment: Sentiment | None
    #: Empty while the review is not analysed, and for a review without text.
    topics: list[str]
    #: The store's own id; empty once it was erased.
    storeId: str
    #: Pass it to go on behind this row.
    cursor: str


class ExportedReview(_RequiredExportedReview, total=False):
    #: The developer's public reply.
    reply: Reply | None
    #: What it is written in; None while it is not analysed.
    language: str | None
    #: When Starpost saw the last edit.
    editedAt: str | None
    #: Since when the store no longer shows it, as far as its lists tell.
    removedAt: str | None
    #: Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left.
    removed: Literal["by_store", "erased"] | None
    #: As the store's official API names it.
    device: str | None
    #: Users who found it helpful.
    votes: int | None
    #: Where the store shows it, or the reviews of its app.
    url: str
    #: Those of its `topics` that the workspace defines itself.
    ownTopics: list[str]
    #: On each topic, from -1 to 1; None where the analysis gives none.
    opinions: dict[str, float] | None
    #: With `updatedSince` only: when it changed, to the microsecond. The greatest of a run is the next `updatedSince` of programs that can't read the header.
    changedAt: str


class Feed(TypedDict):
    kind: Literal["reviews", "ratings"]
    #: A storefront, or for reviews of googleplay the language of a list; `001` is the one list of a store without storefronts.
    region: str
    #: The store's public pages, or its API through your account.
    source: Literal["public", "official"]
    #: The outcome of the last reading: `ok`, `empty` as the store confirmed, `unknown` for a gap or a failure; None before the first.
    outcome: Literal["ok", "empty", "unknown"] | None
    #: When it was last read.
    checkedAt: str | None
    #: When it was last read with success.
    goodAt: str | None
    #: ISO 8601 in UTC; milliseconds only where the store gives them.
    nextDueAt: str
    #: When everything that the store shows was read first; None before.
    completeSince: str | None
    #: In words; None while nothing is.
    missing: str | None


Histogram = TypedDict(
    "Histogram",
    {
        "1": int,
        "2": int,
        "3": int,
        "4": int,
        "5": int,
    },
)


class ImportReadingNotRead(TypedDict):
    column: str
    values: int | None


class ImportReadingAssumed(TypedDict):
    rows: int
    zone: str


class ImportReadingEmptied(TypedDict):
    rows: int
    cell: str


class _RequiredImportReadingQuestions(TypedDict):
    kind: Literal["app", "ids", "alike"]
    column: str | None
    #: In words; `--only` is the parameter `only`, and so on.
    sentence: str


class ImportReadingQuestions(_RequiredImportReadingQuestions, total=False):
    values: list[str]


class ImportReading(TypedDict):
    rows: int
    #: By field, the columns that it was read from.
    fields: dict[str, list[str]]
    #: Columns that name the app of a row.
    app: list[str]
    #: Columns that were not read; `values` is None for more than 20.
    notRead: list[ImportReadingNotRead]
    #: The zone of times without one.
    assumed: ImportReadingAssumed | None
    #: Words that were read as nothing.
    emptied: list[ImportReadingEmptied]
    #: Rows whose id was made of their content.
    madeIds: int
    #: Those of them whose content another row has.
    alike: int
    #: Rows with the id of another row.
    merged: int
    #: What only a person knows.
    questions: list[ImportReadingQuestions]


class ImportRow(TypedDict):
    line: int
    reason: str


class ImportResultMissing(TypedDict):
    """Of a dry run: needed fields, and the columns of the file that may hold them."""

    fields: list[str]
    columns: list[str]


class ImportResultStopped(TypedDict):
    """The import ended early or did not begin. What it counts was saved."""

    reason: str


class _RequiredImportResult(TypedDict):
    inserted: int
    updated: int
    unchanged: int
    #: Deliveries that were queued.
    queued: int
    rejectedCount: int
    #: The first 1,000 of them.
    rejected: list[ImportRow]


class ImportResult(_RequiredImportResult, total=False):
    #: Those kept as earlier versions.
    earlierVersions: int
    #: Rejected rows that are stars without a review.
    starsOnly: int
    #: Rows that `only` left out.
    skipped: int
    warningCount: int
    #: Rows with values that were left out.
    warnings: list[ImportRow]
    reading: ImportReading
    #: Of a dry run: needed fields, and the columns of the file that may hold them.
    missing: ImportResultMissing
    #: The import ended early or did not begin. What it counts was saved.
    stopped: ImportResultStopped


class _RequiredListedReview(TypedDict):
    #: Stable for the life of the review.
    id: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str
    #: Empty when the store does not say.
    author: str
    #: Stars.
    rating: int
    #: None for stores without review titles, such as googleplay.
    title: str | None
    #: The original text.
    text: str
    #: The stored translation, if one was made.
    translatedText: str | None
    #: Source language code of the translation.
    translatedFrom: str | None
    #: App version the review refers to; empty when the store does not say.
    version: str
    #: Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts.
    country: str
    #: ISO 8601 in UTC; milliseconds only where the store gives them.
    date: str
    #: None while the review is not analysed, and for a review without text.
    sentiment: Sentiment | None
    #: Empty while the review is not analysed, and for a review without text.
    topics: list[str]


class ListedReview(_RequiredListedReview, total=False):
    #: The developer's public reply.
    reply: Reply | None
    #: What it is written in; None while it is not analysed.
    language: str | None
    #: When Starpost saw the last edit.
    editedAt: str | None
    #: Since when the store no longer shows it, as far as its lists tell.
    removedAt: str | None
    #: Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left.
    removed: Literal["by_store", "erased"] | None
    #: As the store's official API names it.
    device: str | None
    #: Users who found it helpful.
    votes: int | None
    #: The store's own id; empty once it was erased.
    storeId: str
    #: Where the store shows it, or the reviews of its app.
    url: str
    #: Those of its `topics` that the workspace defines itself.
    ownTopics: list[str]
    #: On each topic, from -1 to 1; None where the analysis gives none.
    opinions: dict[str, float] | None
    #: With `updatedSince` only: when it changed, to the microsecond. The greatest of a run is the next `updatedSince` of programs that can't read the header.
    changedAt: str


class RatingDay(TypedDict):
    #: A UTC day.
    day: str
    #: The storefront; None for all that the app follows together.
    region: str | None
    #: All-time average, at most 4 decimals.
    average: float
    #: Number of ratings; None where a Play Console export had the average alone.
    total: int | None
    histogram: Histogram | None


class RatingDrop(TypedDict):
    currentAvg: float
    baselineAvg: float
    #: Baseline minus current, in stars, 2 decimals.
    drop: float
    sampleSize: int
    baselineSampleSize: int
    periodDays: int


class RatingDropEvent(TypedDict):
    event: Literal["review.rating_drop"]
    #: Identifier of the webhook channel.
    channelId: str
    channelName: str
    app: EventApp
    ratingDrop: RatingDrop


class RatingSummaryApp(TypedDict):
    #: Identifier of an app.
    id: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str


class RatingSummaryRating(TypedDict):
    #: All-time average, at most 4 decimals.
    average: float
    #: Total number of ratings.
    total: int
    histogram: Histogram
    #: Day of the latest daily snapshot.
    capturedOn: str


class RatingSummary(TypedDict):
    app: RatingSummaryApp
    rating: RatingSummaryRating


class ReviewCountsSentiment(TypedDict):
    positive: int
    neutral: int
    negative: int
    mixed: int


ReviewCounts = TypedDict(
    "ReviewCounts",
    {
        "from": str,
        "to": str,
        "total": int,
        "averageRating": float | None,
        "ratings": Histogram,
        "sentiment": ReviewCountsSentiment,
    },
)


class TopicCount(TypedDict):
    topic: str
    count: int


class Release(TypedDict):
    version: str
    #: Day of the oldest review that names it.
    firstSeen: str
    #: All reviews from that day on, up to the next release or for 28 days.
    reviews: ReviewCounts
    #: All reviews of the 84 days before, as far as every feed has reviews; None without such days.
    before: ReviewCounts | None
    #: The five most frequent of `reviews`, without topics of your own.
    topTopics: list[TopicCount]


class ReplyDraft(TypedDict):
    #: The text; "" discards what was kept.
    draft: str


class ReplyOutcomesUnanswered(TypedDict):
    """The same of reviews without an answer: it says nothing of causes."""

    #: Reviews that were read again since.
    count: int
    #: Those that have more stars than then.
    gained: int
    #: Those that have fewer.
    lost: int


class ReplyOutcomes(TypedDict):
    #: Reviews that were read again since.
    count: int
    #: Those that have more stars than then.
    gained: int
    #: Those that have fewer.
    lost: int
    #: Half of the answers came within so many seconds of the review; None without one.
    medianSeconds: float | None
    #: The same of reviews without an answer: it says nothing of causes.
    unanswered: ReplyOutcomesUnanswered


class ReplyTemplate(TypedDict):
    #: Identifier of the template.
    id: str
    #: Its name.
    name: str
    #: The text, with the fields {author}, {app} and {version}.
    text: str
    #: Whether it tells a language model how answers sound.
    isTone: bool


class ReplyWithdrawal(TypedDict, total=False):
    #: The public answer that is withdrawn, as you read it.
    replaces: str | None
    #: Instead, take back what waits to be passed to the store; refused when nothing waits.
    takeBack: bool


class Review(TypedDict):
    #: Stable for the life of the review.
    id: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str
    #: Empty when the store does not say.
    author: str
    #: Stars.
    rating: int
    #: None for stores without review titles, such as googleplay.
    title: str | None
    #: The original text.
    text: str
    #: The stored translation, if one was made.
    translatedText: str | None
    #: Source language code of the translation.
    translatedFrom: str | None
    #: App version the review refers to; empty when the store does not say.
    version: str
    #: Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts.
    country: str
    #: ISO 8601 in UTC; milliseconds only where the store gives them.
    date: str
    #: None while the review is not analysed, and for a review without text.
    sentiment: Sentiment | None
    #: Empty while the review is not analysed, and for a review without text.
    topics: list[str]


class ReviewCreatedEvent(TypedDict):
    event: Literal["review.created"]
    #: Identifier of the webhook channel.
    channelId: str
    channelName: str
    app: EventApp
    review: EventReview


class ReviewVersion(TypedDict):
    #: Stars.
    rating: int
    title: str | None
    text: str
    version: str
    #: ISO 8601 in UTC; milliseconds only where the store gives them.
    date: str
    #: When Starpost saw the edit.
    replacedAt: str


class ReviewEdits(TypedDict):
    #: The review as it is now.
    review: Review
    #: As it was before each edit, oldest first; empty without any.
    edits: list[ReviewVersion]


class ReviewNote(TypedDict):
    #: Identifier of the note.
    id: str
    #: The id of the review.
    review: str
    #: Name of the author; None when the account is gone.
    author: str | None
    #: The text.
    text: str
    #: When it was written.
    createdAt: str


class _RequiredReviewPage(TypedDict):
    reviews: list[ListedReview]
    #: Pass it back as `cursor`; None on the last page.
    nextCursor: str | None


class ReviewPage(_RequiredReviewPage, total=False):
    #: With `updatedSince` only: the same as the header `Updated-Until`.
    updatedUntil: str


class ReviewReply(TypedDict):
    #: Identifier of the review.
    id: str
    #: Identifier of the app.
    app: str
    #: How far the answer is.
    state: Literal["unanswered", "draft", "sending", "waiting", "published", "refused", "outdated", "withdrawn", "elsewhere"]
    #: Why it is in that state, in words; None where the state says it.
    reason: str | None
    #: A text that was not sent.
    draft: str | None
    #: The text that was sent last.
    text: str | None
    #: Who sent it.
    author: str | None
    #: When it was sent.
    sentAt: str | None
    #: When the store took the first answer of Starpost.
    publishedAt: str | None
    #: The answer that the store has, also one that was written elsewhere.
    publicText: str | None
    #: The store's date of it.
    publicAt: str | None
    #: Why the review can't be answered, in words; None when it can.
    fault: str | None
    #: How many characters the store takes.
    charactersMax: int | None
    #: Whether the store can withdraw an answer.
    canWithdraw: bool


class ReviewUpdatedEvent(TypedDict):
    event: Literal["review.updated"]
    #: Identifier of the webhook channel.
    channelId: str
    channelName: str
    app: EventApp
    review: EventReview
    change: EventChange


class ReviewWorkAssignee(TypedDict):
    userId: str
    name: str


class ReviewWork(TypedDict):
    #: Identifier of the review.
    id: str
    #: Tags of the workspace.
    tags: list[str]
    #: The member who looks after it.
    assignee: ReviewWorkAssignee | None
    #: Whether it needs no more work.
    isDone: bool
    #: How many notes it has.
    noteCount: int


class RotatedSecret(TypedDict):
    #: Webhooks: what their deliveries are signed with.
    secret: str
    oldSecretEndsAt: str | None


class TestedChannel(TypedDict):
    deliveryId: str


class TopicTicks(TypedDict):
    #: Ticks of the topic that say right.
    rightCount: int
    #: Ticks that say wrong.
    wrongCount: int


class TranslatedApp(TypedDict):
    #: How many reviews are queued that were not before, in the background.
    queued: int


class Week(TypedDict):
    #: The week's Monday (ISO weeks, UTC).
    week: str
    #: Short display label.
    label: str
    appstore: int
    googleplay: int
    #: Reviews of all stores.
    total: int
    positive: int
    neutral: int
    negative: int
    mixed: int
    #: The sum of the four sentiment counts.
    analyzed: int
    #: Average stars, 2 decimals; 0 in a week without reviews.
    avgScore: float


class TrendsTotals(TypedDict):
    total: int
    analyzed: int


class TrendsRatingDistribution(TypedDict):
    #: Stars.
    score: int
    count: int


class Trends(TypedDict):
    #: Every week of the range, oldest first.
    weekly: list[Week]
    totals: TrendsTotals
    #: Always five items, 1 to 5 stars.
    ratingDistribution: list[TrendsRatingDistribution]
    #: The ten most frequent: by count, then by name.
    topTopics: list[TopicCount]


VerdictBefore = TypedDict(
    "VerdictBefore",
    {
        "from": str,
        "to": str,
        "total": int,
    },
)


class VerdictShares(TypedDict):
    #: negative, low_stars (1 or 2), or complaints of a topic.
    question: str
    #: Reviews until the verdict that answer it with yes.
    count: int
    #: Reviews until the verdict.
    total: int
    #: The same among the reviews of `before`.
    countBefore: int
    #: `count` of `total`.
    share: float
    #: `countBefore` of the reviews before.
    pastShare: float
    #: The evidence of this question alone that its share rose.
    evidence: float


class VerdictAftermathQuestions(TypedDict):
    question: str
    state: Literal["fixed", "not_fixed", "too_early"]
    #: Among `total` reviews.
    count: int
    #: Among the `ownTotal` reviews of the release itself.
    ownCount: int
    #: Among the reviews before the release.
    countBefore: int


class VerdictAftermath(TypedDict):
    #: `fixed`: everything that made the release worse is back to usual.
    state: Literal["fixed", "not_fixed", "too_early"]
    #: Complaints of this kind made the release worse.
    question: str
    #: The release that is judged: the next one, or the first that helped.
    version: str
    #: It, and those after it whose reviews count as well: none that is itself worse.
    laterVersions: list[str]
    #: The release after them that is itself worse, whose reviews don't count.
    troubleVersion: str | None
    #: Complaints among the reviews that name these releases.
    count: int
    #: Reviews that name these releases.
    total: int
    #: Of those, positive ones that mention the topic.
    praiseCount: int
    #: Everything that made the release worse, `question` first.
    questions: list[VerdictAftermathQuestions]
    #: Complaints among the reviews that name the release itself.
    ownCount: int
    #: Reviews that name the release itself.
    ownTotal: int
    #: Complaints since then that still name the release itself.
    stragglerCount: int
    #: Complaints since then that name no version.
    unknownCount: int


class VerdictEvidence(TypedDict):
    #: After this many reviews of the release.
    reviewCount: int
    #: When the last of them arrived.
    at: str
    #: Evidence (an e-value) that a share rose; 20 makes it worse.
    worse: float
    #: Evidence (an e-value) that no share rose by `worseBy`; 20 makes it fine.
    fine: float


class Verdict(TypedDict):
    app: EventApp
    version: str
    #: The day on which a review first named the version.
    firstDay: str
    result: Literal["worse", "fine", "undecided"]
    #: The result, and whether a later release fixed a `worse` one.
    outcome: Literal["worse", "not_fixed", "fixed", "better", "fine", "too_early"]
    #: The evidence in words, or the reason for a missing verdict.
    words: str
    #: Whether `undecided` has another reason than too little evidence: `words` names it.
    isWithheld: bool
    #: The rise of a share that `fine` rules out: 0.2 is 20 points.
    worseBy: float
    #: When the evidence first sufficed; None while undecided.
    decidedAt: str | None
    #: Reviews of the release that were tested.
    reviewCount: int
    #: Those with past reviews of their storefront or language.
    comparedCount: int
    #: Past reviews that the test compared them with.
    pastCount: int
    #: The twelve weeks before the release, as far as every feed has reviews; None without such days.
    before: VerdictBefore | None
    #: Where the evidence is strongest, at most 6.
    shares: list[VerdictShares]
    #: Of a `worse` release: complaints since the next one; None without a next one.
    aftermath: VerdictAftermath | None
    #: Reviews that decided a `worse`, at most 20: those that answer its first question.
    reviewIds: list[str]
    #: The curve of evidence, at most 200 points.
    evidence: list[VerdictEvidence]


class WholeReview(TypedDict):
    #: Stable for the life of the review.
    id: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str
    #: Empty when the store does not say.
    author: str
    #: Stars.
    rating: int
    #: None for stores without review titles, such as googleplay.
    title: str | None
    #: The original text.
    text: str
    #: The stored translation, if one was made.
    translatedText: str | None
    #: Source language code of the translation.
    translatedFrom: str | None
    #: App version the review refers to; empty when the store does not say.
    version: str
    #: Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts.
    country: str
    #: ISO 8601 in UTC; milliseconds only where the store gives them.
    date: str
    #: None while the review is not analysed, and for a review without text.
    sentiment: Sentiment | None
    #: Empty while the review is not analysed, and for a review without text.
    topics: list[str]
    #: The developer's public reply.
    reply: Reply | None
    #: What it is written in; None while it is not analysed.
    language: str | None
    #: When Starpost saw the last edit.
    editedAt: str | None
    #: Since when the store no longer shows it, as far as its lists tell.
    removedAt: str | None
    #: Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left.
    removed: Literal["by_store", "erased"] | None
    #: As the store's official API names it.
    device: str | None
    #: Users who found it helpful.
    votes: int | None
    #: The store's own id; empty once it was erased.
    storeId: str
    #: Where the store shows it, or the reviews of its app.
    url: str
    #: Those of its `topics` that the workspace defines itself.
    ownTopics: list[str]
    #: On each topic, from -1 to 1; None where the analysis gives none.
    opinions: dict[str, float] | None
    #: As it was before each edit, oldest first; empty without any.
    versions: list[ReviewVersion]


class ReviewFilters(TypedDict, total=False):
    """Filters are combined with "and"; a list means any of its values. Days are UTC, both inclusive."""

    #: Only reviews of this app. Several values are separated by commas; any of them counts.
    app: str | Sequence[str]
    #: First UTC day, inclusive.
    from_: str
    #: Last UTC day, inclusive.
    to: str
    #: Only reviews of this store. Several values are separated by commas; any of them counts.
    store: Literal["appstore", "googleplay", "firefoxaddons"] | Sequence[Literal["appstore", "googleplay", "firefoxaddons"]]
    #: Only reviews with this number of stars. Several values are separated by commas; any of them counts.
    rating: int | Sequence[int]
    #: Only reviews of this sentiment. Several values are separated by commas; any of them counts.
    sentiment: Literal["positive", "neutral", "negative", "mixed"] | Sequence[Literal["positive", "neutral", "negative", "mixed"]]
    #: Only reviews with this topic, built in or your own. Several values are separated by commas; any of them counts.
    topic: str | Sequence[str]
    #: Only reviews with this `country`: a storefront; for googleplay a language, and `001` for a store without storefronts. Several values are separated by commas; any of them counts.
    country: str | Sequence[str]
    #: Only reviews written in this language. Several values are separated by commas; any of them counts.
    language: str | Sequence[str]
    #: Only reviews of exactly this app version. Several values are separated by commas; any of them counts.
    version: str | Sequence[str]
    #: Only reviews with this text in title, text, author or translation, in upper or lower case.
    q: str
    #: Only reviews with a text (True), or with stars alone (False).
    has_text: bool
    #: Only reviews whose text has at least this many characters.
    min_length: int
    #: Only reviews with a public reply (True), or without one (False).
    has_reply: bool
    #: Only reviews that are `unanswered`, `answered`, or `outdated`: changed after they were answered. An answer that Starpost is sending counts. Several values are separated by commas; any of them counts.
    reply: Literal["unanswered", "answered", "outdated"] | Sequence[Literal["unanswered", "answered", "outdated"]]
    #: Only reviews that were edited since Starpost knows them, or that were not.
    edited: bool
    #: Only reviews that the store no longer shows, or that it does.
    removed: bool
    #: Further fields of each review, separated by commas. With `removed` a copy learns of reviews that were removed or erased.
    include: Literal["reply", "language", "editedAt", "removedAt", "removed", "device", "votes", "storeId", "url", "ownTopics", "opinions", "changedAt"] | Sequence[Literal["reply", "language", "editedAt", "removedAt", "removed", "device", "votes", "storeId", "url", "ownTopics", "opinions", "changedAt"]]


#: The events that a webhook delivers; `event` is the discriminator.
StarpostEvent = ReviewCreatedEvent | ReviewUpdatedEvent | RatingDropEvent | AlertEvent | ChannelFailingEvent
