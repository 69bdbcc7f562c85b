"""The responses of the read API and the bodies of webhooks, as the public contract names them.

A test compares their fields with the OpenAPI document of the service.
"""

from __future__ import annotations

from typing import Literal, TypedDict

#: Stores that an app is sold in.
Store = Literal["appstore", "googleplay"]
SentimentLabel = Literal["positive", "neutral", "negative", "mixed"]
#: The fields that `include` adds to a review.
Include = Literal[
    "reply",
    "language",
    "editedAt",
    "removedAt",
    "removed",
    "device",
    "votes",
    "storeId",
    "url",
    "ownTopics",
    "opinions",
]
#: Number of ratings per star.
Histogram = TypedDict("Histogram", {"1": int, "2": int, "3": int, "4": int, "5": int})


class App(TypedDict):
    id: str
    name: str
    store: Store
    #: The app's identifier inside its store.
    externalAppId: str
    #: URL of the icon; empty until the store has named one.
    appIcon: str


class Sentiment(TypedDict):
    label: SentimentLabel
    #: From -1 to 1.
    score: float


class Review(TypedDict):
    #: Stable for the life of the review.
    id: str
    store: Store
    externalAppId: str
    #: Empty when the store names none.
    author: str
    #: 1 to 5 stars.
    rating: int
    #: None for stores without review titles (googleplay).
    title: str | None
    #: The original text.
    text: str
    translatedText: str | None
    #: Source language code of the translation.
    translatedFrom: str | None
    #: App version; empty when the store names none.
    version: str
    #: Lower case: storefront for appstore, detected language for googleplay.
    country: str
    #: ISO 8601 in UTC.
    date: str
    #: None while the review is not analysed, and for a review without text.
    sentiment: Sentiment | None
    topics: list[str]


class Reply(TypedDict):
    text: str
    at: str | None


class IncludedFields(TypedDict):
    #: The developer's public reply.
    reply: Reply | None
    #: Its language; None while it is not analysed.
    language: str | None
    #: When Starpost saw the last edit.
    editedAt: str | None
    #: Since when the store no longer shows it, as far as its lists show.
    removedAt: str | None
    #: Why a copy should drop it; an erased review has no content left.
    removed: Literal["by_store", "erased"] | None
    device: str | None
    #: Users who found it helpful.
    votes: int | None
    #: The store's own id; empty once it was erased.
    storeId: str
    #: Where the store shows it, or the reviews of its app.
    url: str
    #: Those of its `topics` that the workspace defines itself.
    ownTopics: list[str]
    #: On each topic, from -1 to 1.
    opinions: dict[str, float] | None


class ListedReview(Review, total=False):
    """A review with those fields of `IncludedFields` that `include` asked for."""

    reply: Reply | None
    language: str | None
    editedAt: str | None
    removedAt: str | None
    removed: Literal["by_store", "erased"] | None
    device: str | None
    votes: int | None
    storeId: str
    url: str
    ownTopics: list[str]
    opinions: dict[str, float] | None


class ReviewPage(TypedDict):
    reviews: list[ListedReview]
    #: Pass it back as `cursor`; None on the last page.
    nextCursor: str | None


class _Cursor(TypedDict):
    #: Leads to the reviews behind it.
    cursor: str


class ExportedReview(ListedReview, _Cursor):
    """A row of an export."""


class ChangePage(ReviewPage):
    #: Every change before this moment is on this page or on one before it, unless there is a `nextCursor`.
    updatedUntil: str


class ReviewVersion(TypedDict):
    """A review before an edit."""

    rating: int
    title: str | None
    text: str
    version: str
    date: str
    #: When Starpost saw the edit.
    replacedAt: str


class ReviewEdits(TypedDict):
    """A review, and as it was before each edit, oldest first."""

    review: Review
    edits: list[ReviewVersion]


class WholeReview(Review, IncludedFields):
    """A review with all fields, and as it was before each edit, oldest first."""

    versions: list[ReviewVersion]


class AppReference(TypedDict):
    id: str
    store: Store
    externalAppId: str


class Rating(TypedDict):
    #: All-time average, at most 4 decimals.
    average: float
    total: int
    histogram: Histogram
    #: YYYY-MM-DD, the day of the latest daily snapshot.
    capturedOn: str


class RatingSummary(TypedDict):
    app: AppReference
    rating: Rating


class Week(TypedDict):
    #: YYYY-MM-DD, the week's Monday.
    week: str
    label: str
    appstore: int
    googleplay: int
    total: int
    positive: int
    neutral: int
    negative: int
    mixed: int
    analyzed: int
    #: Average stars, 2 decimals; 0 in a week without reviews.
    avgScore: float


class Totals(TypedDict):
    total: int
    analyzed: int


class ScoreCount(TypedDict):
    score: int
    count: int


class TopicCount(TypedDict):
    topic: str
    count: int


class Trends(TypedDict):
    #: Every week of the range, oldest first.
    weekly: list[Week]
    totals: Totals
    #: Always five items, 1 to 5 stars.
    ratingDistribution: list[ScoreCount]
    #: The ten most frequent.
    topTopics: list[TopicCount]


class RatingDay(TypedDict):
    """An app's all-time ratings as of one day."""

    #: YYYY-MM-DD
    day: str
    #: The storefront; None for all that the app follows together.
    region: str | None
    average: float
    #: None where a Play Console export had the average alone.
    total: int | None
    histogram: Histogram | None


class SentimentCounts(TypedDict):
    positive: int
    neutral: int
    negative: int
    mixed: int


#: All reviews of a range of days, whatever version they are of. `averageRating` is None without reviews.
ReviewCounts = TypedDict(
    "ReviewCounts",
    {
        "from": str,
        "to": str,
        "total": int,
        "averageRating": float | None,
        "ratings": Histogram,
        "sentiment": SentimentCounts,
    },
)


class Release(TypedDict):
    version: str
    #: YYYY-MM-DD, the day of the oldest review that names it.
    firstSeen: str
    #: From that day on, up to the next version or for 14 days.
    reviews: ReviewCounts
    #: The 14 days before.
    before: ReviewCounts
    topTopics: list[TopicCount]


class Feed(TypedDict):
    """A storefront, or a list of reviews in one language, that an app is read through."""

    kind: Literal["reviews", "ratings"]
    region: str
    source: Literal["public", "official"]
    #: The outcome of the last reading; `unknown` is a gap or a failure.
    outcome: Literal["ok", "empty", "unknown"] | None
    checkedAt: str | None
    goodAt: str | None
    nextDueAt: str
    #: When everything that the store shows was read first; None before.
    completeSince: str | None
    #: In words; None while nothing is missing.
    missing: str | None


class EventApp(TypedDict):
    id: str
    name: str
    store: Store


DayRange = TypedDict("DayRange", {"from": str, "to": str})


class ComparedReviews(TypedDict):
    total: int
    expected: float | None
    averageRating: float | None
    averageRatingBefore: float | None
    negative: int
    repeated: int
    read: int


class Spike(TypedDict):
    subject: Literal["reviews", "fewer", "rating", "negative", "topic", "language", "version"]
    value: str
    count: int
    total: int
    expected: float
    sentence: str


class NewPhrase(TypedDict):
    phrase: str
    language: str
    count: int
    countBefore: int
    reviewIds: list[str]
    sentence: str


class Duplicates(TypedDict):
    """Reviews with nearly the same text."""

    text: str
    count: int
    reviewIds: list[str]
    sentence: str


class Quote(TypedDict):
    reviewId: str
    rating: int
    text: str
    date: str
    version: str
    language: str
    country: str
    sentiment: SentimentLabel | None
    topics: list[str]
    mentions: list[str]


class Changes(TypedDict):
    """The changes in the reviews of an app, in a week or since a version came out."""

    kind: Literal["day", "week", "release"]
    app: EventApp
    version: str | None
    range: DayRange
    #: None where there are too few reviews to compare with.
    baseline: DayRange | None
    reviews: ComparedReviews
    spikes: list[Spike]
    newPhrases: list[NewPhrase]
    duplicates: list[Duplicates]
    quotes: list[Quote]
    #: The same in plain English, the most important first.
    sentences: list[str]


class VerdictShare(TypedDict):
    #: `negative`, `low_stars`, or a topic for its complaints.
    question: str
    share: float
    pastShare: float
    evidence: float


class VerdictEvidence(TypedDict):
    reviewCount: int
    at: str
    worse: float
    fine: float


class VerdictAftermath(TypedDict):
    state: Literal["fixed", "not_fixed", "too_early"]
    question: str
    version: str
    laterVersions: list[str]
    count: int
    total: int
    praiseCount: int
    ownCount: int
    ownTotal: int
    stragglerCount: int
    unknownCount: int


class Verdict(TypedDict):
    """Whether a release made people unhappy."""

    app: EventApp
    version: str
    #: YYYY-MM-DD, the day on which a review first named the version.
    firstDay: str
    #: `fine`: no share rose by `worseBy`; `undecided`: neither is certain yet, or a verdict is impossible.
    result: Literal["worse", "fine", "undecided"]
    #: The result, and whether a later release fixed a `worse` one.
    outcome: Literal["worse", "not_fixed", "fixed", "better", "fine", "too_early"]
    #: The evidence in words, or the reason for a missing verdict.
    words: str
    worseBy: float
    #: When the evidence first sufficed.
    decidedAt: str | None
    reviewCount: int
    comparedCount: int
    pastCount: int
    shares: list[VerdictShare]
    #: Of a `worse` release: complaints since the next one. Reviews are counted by the version that they name.
    aftermath: VerdictAftermath | None
    #: Reviews that decided a `worse`.
    reviewIds: list[str]
    #: E-values after some of the reviews; 20 suffices.
    evidence: list[VerdictEvidence]


class EventReview(TypedDict):
    """The review of a webhook body: other fields than the read API's."""

    id: str
    store: Store
    rating: int
    title: str | None
    text: str
    translatedText: str | None
    translatedFrom: str | None
    author: str
    version: str
    country: str
    date: str


class _EventSource(TypedDict):
    channelId: str
    channelName: str
    app: EventApp


class ReviewCreatedEvent(_EventSource):
    event: Literal["review.created"]
    review: EventReview


class Change(TypedDict):
    oldScore: int
    newScore: int
    ratingChanged: bool
    textChanged: bool
    #: The change in words.
    headline: str


class ReviewUpdatedEvent(_EventSource):
    event: Literal["review.updated"]
    review: EventReview
    change: Change


class RatingDrop(TypedDict):
    currentAvg: float
    baselineAvg: float
    #: Baseline minus current, in stars.
    drop: float
    sampleSize: int
    baselineSampleSize: int
    periodDays: int


class RatingDropEvent(_EventSource):
    event: Literal["review.rating_drop"]
    ratingDrop: RatingDrop


class AlertEvent(TypedDict):
    """Sent only to channels that chose it."""

    event: Literal["reviews.spike", "release.worse", "storefront.failing"]
    channelId: str
    channelName: str
    #: None where the app was removed meanwhile.
    app: EventApp | None
    #: Failures and rises, one sentence each.
    lines: list[str]


class FailingChannel(TypedDict):
    id: str
    name: str


class ChannelFailingEvent(TypedDict):
    """Sent only to channels that chose it."""

    event: Literal["channel.failing"]
    channelId: str
    channelName: str
    #: Always None: a channel is not of one app.
    app: EventApp | None
    #: The channel that fails.
    failing: FailingChannel
    lines: list[str]


#: The events that a webhook delivers; `event` is the discriminator.
StarpostEvent = (
    ReviewCreatedEvent | ReviewUpdatedEvent | RatingDropEvent | AlertEvent | ChannelFailingEvent
)
