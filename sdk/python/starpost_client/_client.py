"""The API as typed calls: pages and whole lists of reviews, ratings, trends; and the work on reviews.

Waits when the service says that the rate limit is used up or that it is away for a moment, and tries again.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from email.message import Message
from typing import TYPE_CHECKING, Any, Literal, cast

from ._errors import ApiConnectionError, ApiError, StarpostError, read_problem
from ._types import (
    App,
    Changes,
    ExportedReview,
    Feed,
    ListedReview,
    RatingDay,
    RatingSummary,
    Release,
    ReplyOutcomes,
    ReviewEdits,
    ReviewFilters,
    ReviewNote,
    ReviewPage,
    ReviewReply,
    ReviewWork,
    TopicTicks,
    Trends,
    Verdict,
    WholeReview,
)

if TYPE_CHECKING:
    # Type checkers bring it along; nothing has to be installed.
    from typing_extensions import Unpack


class ChangePage(ReviewPage):
    #: Every change before this moment is on this page or on one before it, unless there is a `nextCursor`.
    updatedUntil: str


class StarpostClient:
    """Every call raises `ApiError` for a failure of the service and `ApiConnectionError` without an answer.

    A client holds no connection, and threads may share it.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries_max: int = 3,
        wait_max_seconds: float = 65,
        timeout_seconds: float = 30,
    ) -> None:
        """
        :param base_url: where Starpost runs, with or without `/api/v1`: `https://reviews.example.com`
        :param api_key: a workspace's key, `sp_…`
        :param retries_max: how often a call is tried again after 429, 502 to 504 or a broken connection; 0 for never
        :param wait_max_seconds: longest wait before another try; by default a whole rate window
        :param timeout_seconds: longest time without a byte of an answer
        :raises ValueError: when the base URL or the key can't be right
        """
        if not api_key:
            raise ValueError("api_key is missing")
        self._base = _api_base(base_url)
        self._headers = {"Authorization": f"Bearer {api_key}", "Accept": "application/json"}
        self._retries_max = retries_max
        self._wait_max_seconds = wait_max_seconds
        self._timeout_seconds = timeout_seconds
        self._opener = urllib.request.build_opener(_NoRedirects)

    def list_apps(self) -> list[App]:
        return cast("list[App]", self._get("apps")["apps"])

    def list_topics(self) -> list[str]:
        """The values of the `topic` filter."""
        return cast("list[str]", self._get("topics")["topics"])

    def list_reviews(
        self, *, limit: int | None = None, cursor: str | None = None, **filters: Unpack[ReviewFilters]
    ) -> ReviewPage:
        """One page, newest first."""
        return cast(ReviewPage, self._get("reviews", {"limit": limit, "cursor": cursor, **filters}))

    def each_page(self, *, limit: int = 100, **filters: Unpack[ReviewFilters]) -> Iterator[ReviewPage]:
        """All pages of the reviews that match, newest first, each when it is asked for."""
        cursor: str | None = None
        while True:
            page = self.list_reviews(limit=limit, cursor=cursor, **filters)
            yield page
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def each_review(self, *, limit: int = 100, **filters: Unpack[ReviewFilters]) -> Iterator[ListedReview]:
        """All reviews that match, newest first, page after page as they are asked for."""
        for page in self.each_page(limit=limit, **filters):
            yield from page["reviews"]

    def export_reviews(
        self, *, cursor: str | None = None, **filters: Unpack[ReviewFilters]
    ) -> Iterator[ExportedReview]:
        """All reviews that match, newest first, from one response; a broken one is continued behind its last row.

        :param cursor: that of the last row that is known
        """
        failure_count = 0
        while True:
            response = self._open("reviews/export", {**filters, "cursor": cursor})
            try:
                for line in _read_lines(response):
                    review: ExportedReview = json.loads(line)
                    yield review
                    cursor = review["cursor"]
                    failure_count = 0
                return
            except (OSError, http.client.HTTPException) as cause:
                failure_count += 1
                if failure_count > self._retries_max:
                    raise ApiConnectionError("the export was broken off") from cause
            finally:
                # Frees the service's stream when the caller stops early.
                response.close()

    def list_changes(
        self,
        updated_since: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **filters: Unpack[ReviewFilters],
    ) -> ChangePage:
        """One page of what was new, edited, analysed or translated since a moment, the earliest change first.

        :param updated_since: ISO 8601 in UTC, like 2026-11-21T08:37:00Z
        """
        query = {"updated_since": updated_since, "limit": limit, "cursor": cursor, **filters}
        body, headers = self._send("reviews", query)
        return cast(ChangePage, {**body, "updatedUntil": headers.get("updated-until") or updated_since})

    def each_change_page(
        self, updated_since: str, *, limit: int = 100, **filters: Unpack[ReviewFilters]
    ) -> Iterator[ChangePage]:
        """All pages of changes since a moment, for callers that keep a copy.

        Pass the `updatedUntil` of the last page as the next `updated_since`, once all pages are saved.
        """
        cursor: str | None = None
        while True:
            page = self.list_changes(updated_since, limit=limit, cursor=cursor, **filters)
            yield page
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def get_review(self, review: str) -> WholeReview:
        """A review with all fields, and as it was before each edit, oldest first.

        :raises ApiError: `not_found` without such a review
        """
        return cast(WholeReview, self._get(f"reviews/{_to_uuid(review)}"))

    def get_review_work(self, review: str) -> ReviewWork:
        """Tags, assignee and state of a review. Like all calls below, with a key of the scope `manage`.

        :raises ApiError: `not_found` without such a review
        """
        return cast(ReviewWork, self._get(f"reviews/{_to_uuid(review)}/work")["review"])

    def change_review(
        self,
        review: str,
        *,
        tags: Sequence[str] | None = None,
        added_tags: Sequence[str] | None = None,
        removed_tags: Sequence[str] | None = None,
        assignee: str | None = None,
        unassign: bool = False,
        is_done: bool | None = None,
    ) -> ReviewWork:
        """Tags, assigns or closes a review. What is left out stays as it is.

        :param tags: replace all tags
        :param assignee: the e-mail address or the id of a member
        :param unassign: takes the review from its assignee
        """
        change = {"tags": tags, **_work(added_tags, removed_tags, assignee, is_done)}
        body = {**_without_none(change), **({"assignee": None} if unassign else {})}
        return cast(ReviewWork, self._write("PATCH", f"reviews/{_to_uuid(review)}/work", body)["review"])

    def change_reviews(
        self,
        reviews: Sequence[str],
        *,
        added_tags: Sequence[str] | None = None,
        removed_tags: Sequence[str] | None = None,
        assignee: str | None = None,
        unassign: bool = False,
        is_done: bool | None = None,
    ) -> int:
        """The same change of up to 100 reviews, or of none; returns how many of them differ now."""
        change = _work(added_tags, removed_tags, assignee, is_done)
        body = {"reviews": list(reviews), **_without_none(change), **({"assignee": None} if unassign else {})}
        return cast(int, self._write("PATCH", "reviews/work", body)["changedCount"])

    def list_notes(self, review: str) -> list[ReviewNote]:
        """The oldest first."""
        return cast("list[ReviewNote]", self._get(f"reviews/{_to_uuid(review)}/notes")["notes"])

    def add_note(self, review: str, text: str) -> ReviewNote:
        """Writes a note on a review, which the members of the workspace read."""
        return cast(ReviewNote, self._write("POST", "notes", {"review": review, "text": text})["note"])

    def remove_note(self, note: str) -> None:
        self._write("DELETE", f"notes/{_to_uuid(note)}")

    def get_reply(self, review: str) -> ReviewReply:
        """The answer to a review, with the one that the store has.

        :raises ApiError: `not_found` without such a review
        """
        return cast(ReviewReply, self._get(f"replies/{_to_uuid(review)}")["reply"])

    def draft_reply(self, review: str, draft: str) -> ReviewReply:
        """Keeps a draft of an answer; nothing is sent."""
        return self._act_on_reply(review, "draft", {"draft": draft})

    def send_reply(
        self, review: str, text: str, *, replaces: str | None = None, review_date: str | None = None
    ) -> ReviewReply:
        """Answers a review in the store, in public. It is sent in the background: `state` says how far it is.

        :param replaces: the public answer that it replaces, as you read it
        :param review_date: the date of the review as you read it: one that was changed since is not answered
        :raises ApiError: `conflict` when the review has another public answer, or can't be answered
        """
        body = {"text": text, "replaces": replaces, "reviewDate": review_date}
        return self._act_on_reply(review, "send", _without_none(body))

    def withdraw_reply(
        self, review: str, *, replaces: str | None = None, take_back: bool | None = None
    ) -> ReviewReply:
        """Withdraws an answer from the App Store, which `replaces` quotes.

        With `take_back`, what waits to be passed to the store is not sent, and nothing public changes.

        :raises ApiError: `conflict` for Google Play, which can't
        """
        body = {"replaces": replaces, "takeBack": take_back}
        return self._act_on_reply(review, "withdraw", _without_none(body))

    def _act_on_reply(self, review: str, verb: str, body: dict[str, Any]) -> ReviewReply:
        return cast(ReviewReply, self._write("POST", f"replies/{_to_uuid(review)}/{verb}", body)["reply"])

    def tick_topic(self, topic: str, review: str, *, is_right: bool) -> TopicTicks:
        """Says whether a review has a topic of the workspace, which teaches the topic."""
        body = {"review": review, "isRight": is_right}
        return cast(TopicTicks, self._write("POST", f"own-topics/{_to_uuid(topic)}/tick", body))

    def collect_app(self, app: str, *, region: str | None = None) -> int:
        """Reads an app's feeds, or those of one region, ahead of their time; returns how many are due now."""
        return cast(int, self._write("POST", f"apps/{_to_uuid(app)}/collect", {"region": region})["feedCount"])

    def translate_app(self, app: str, *, review: str | None = None) -> int:
        """Queues the stored reviews of an app, or one of them, for the operator's translation provider."""
        return cast(int, self._write("POST", f"apps/{_to_uuid(app)}/translate", {"review": review})["queued"])

    def list_edits(self, review: str, *, app: str | None = None) -> ReviewEdits:
        """:raises ApiError: `not_found` without such a review"""
        return cast(ReviewEdits, self._get("edits", {"review": review, "app": app}))

    def get_ratings(self, app: str) -> RatingSummary:
        """
        :raises ApiError: `no_ratings_yet` until the first daily snapshot, `no_histogram_yet` until one has a histogram
        """
        return cast(RatingSummary, self._get("ratings", {"app": app}))

    def list_rating_history(
        self,
        app: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        by: Literal["day", "week"] | None = None,
        region: str | Sequence[str] | None = None,
    ) -> list[RatingDay]:
        """The oldest day first; without `from_` the last 90 days, by week a year.

        :param region: storefronts, each by itself; without it all together
        """
        query = {"app": app, "from_": from_, "to": to, "by": by, "region": region}
        return cast("list[RatingDay]", self._get("ratings/history", query)["history"])

    def list_releases(self, app: str) -> list[Release]:
        """The newest first."""
        return cast("list[Release]", self._get("releases", {"app": app})["releases"])

    def get_verdict(self, app: str, version: str, *, worse_by: float | None = None) -> Verdict:
        """
        :param worse_by: the rise of a share that `fine` rules out, 0.2 by default
        :raises ApiError: `not_found` for a version that no review of the app names
        """
        path = f"releases/{urllib.parse.quote(version, safe='')}/verdict"
        return cast(Verdict, self._get(path, {"app": app, "worse_by": worse_by}))

    def get_changes(self, app: str, *, since: str | None = None, to: str | None = None) -> Changes:
        """
        :param since: an app version; without it the week up to `to`
        """
        return cast(Changes, self._get("changes", {"app": app, "since": since, "to": to}))

    def get_coverage(self, app: str) -> list[Feed]:
        """How the app is read, by storefront and language."""
        return cast("list[Feed]", self._get("coverage", {"app": app})["feeds"])

    def get_reply_outcomes(
        self, *, app: str | None = None, from_: str | None = None, to: str | None = None
    ) -> ReplyOutcomes:
        """Stars gained and lost after your answers, and without one; the last 28 days unless given."""
        return cast(ReplyOutcomes, self._get("reply-outcomes", {"app": app, "from": from_, "to": to}))

    def get_trends(
        self,
        app: str | Sequence[str],
        *,
        from_: str | None = None,
        to: str | None = None,
        topics: Literal["own"] | None = None,
    ) -> Trends:
        """Several apps are counted together.

        :param topics: `own`: `topTopics` has the topics of the workspace alone
        """
        return cast(Trends, self._get("trends", {"app": app, "from_": from_, "to": to, "topics": topics}))

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        return self._send(path, query or {})[0]

    def _send(self, path: str, query: Mapping[str, Any]) -> tuple[Any, Mapping[str, str]]:
        def read(response: http.client.HTTPResponse) -> tuple[Any, Mapping[str, str]]:
            with response:
                return json.loads(response.read()), _lower_names(response.headers)

        return cast("tuple[Any, Mapping[str, str]]", self._try(self._reading(path, query), read))

    def _write(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """A call that is tried again is carried out once."""
        headers = {**self._headers, "Idempotency-Key": str(uuid.uuid4())}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self._base}/{path}", data=data, headers=headers, method=method)

        def read(response: http.client.HTTPResponse) -> Any:
            with response:
                return json.loads(response.read() or b"null")

        return self._try(request, read)

    def _open(self, path: str, query: Mapping[str, Any]) -> http.client.HTTPResponse:
        return cast(http.client.HTTPResponse, self._try(self._reading(path, query), lambda response: response))

    def _reading(self, path: str, query: Mapping[str, Any]) -> urllib.request.Request:
        return urllib.request.Request(f"{self._base}/{path}{_query_text(query)}", headers=self._headers)

    def _try(self, request: urllib.request.Request, read: Any) -> Any:
        try_count = 0
        while True:
            try_count += 1
            wait_seconds = 0.5 * 2.0 ** (try_count - 1)
            error: StarpostError
            try:
                return read(self._opener.open(request, timeout=self._timeout_seconds))
            except urllib.error.HTTPError as failure:
                error = _read_failure(failure)
                if failure.code not in (429, 502, 503, 504):
                    raise error from None
                wait_seconds = error.retry_after_seconds if error.retry_after_seconds is not None else wait_seconds
            # A body that is not JSON is a ValueError: a proxy's page, or an answer that broke off.
            except (OSError, http.client.HTTPException, ValueError) as cause:
                error = ApiConnectionError(f"{request.get_method()} {request.full_url} failed")
                error.__cause__ = cause
            if try_count > self._retries_max or wait_seconds > self._wait_max_seconds:
                raise error
            time.sleep(wait_seconds)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is a failure: urllib would send the key to the other host as well."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _read_failure(failure: urllib.error.HTTPError) -> ApiError:
    try:
        body = failure.read()
    except (OSError, http.client.HTTPException):
        # The status says enough.
        body = b""
    return read_problem(failure.code, _lower_names(failure.headers), body)


def _lower_names(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _read_lines(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The last one, if its end is missing, is not complete."""
    rest = b""
    while part := response.read1(65_536):
        *lines, rest = (rest + part).split(b"\n")
        yield from lines


def _api_base(base_url: str) -> str:
    url = urllib.parse.urlsplit(base_url)
    if url.scheme not in ("https", "http") or not url.hostname:
        raise ValueError("base_url must begin with https:// or http://")
    path = url.path.rstrip("/")
    return f"{url.scheme}://{url.netloc}{path if path.endswith('/api/v1') else f'{path}/api/v1'}"


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [(_to_parameter(name), _to_text(value)) for name, value in query.items() if value is not None]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _to_parameter(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in others)


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else ",".join(map(str, value))


def _work(
    added_tags: Sequence[str] | None,
    removed_tags: Sequence[str] | None,
    assignee: str | None,
    is_done: bool | None,
) -> dict[str, Any]:
    return {"addedTags": added_tags, "removedTags": removed_tags, "assignee": assignee, "isDone": is_done}


def _without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _to_uuid(text: str) -> str:
    """The id is a part of the path, where any other text would be a part of another request."""
    if not _is_uuid(text):
        raise ApiError("An id is a UUID.", status=404, code="not_found")
    return text


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
