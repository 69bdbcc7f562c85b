"""The read API as typed calls: pages and whole lists of reviews, ratings, trends.

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
    ReviewEdits,
    ReviewFilters,
    ReviewPage,
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
        # The id is a part of the path, where any other text would be a part of another request.
        if not _is_uuid(review):
            raise ApiError("A review's id is a UUID.", status=404, code="not_found")
        return cast(WholeReview, self._get(f"reviews/{review}"))

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

        return cast("tuple[Any, Mapping[str, str]]", self._try(path, query, read))

    def _open(self, path: str, query: Mapping[str, Any]) -> http.client.HTTPResponse:
        return cast(http.client.HTTPResponse, self._try(path, query, lambda response: response))

    def _try(self, path: str, query: Mapping[str, Any], read: Any) -> Any:
        request = urllib.request.Request(f"{self._base}/{path}{_query_text(query)}", headers=self._headers)
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
                error = ApiConnectionError(f"GET {request.full_url} failed")
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


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
