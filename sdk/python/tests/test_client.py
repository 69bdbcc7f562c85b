"""Waiting, trying again, broken responses and refusals, against a server of the standard library."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

from starpost_client import ApiConnectionError, ApiError, StarpostClient

Answer = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: Any, **headers: str) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return send


def break_off_after(*lines: dict[str, Any]) -> Answer:
    """A chunked body that ends without its last chunk, in the middle of a line."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines) + b'{"id": "half'
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    return send


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[tuple[str, str | None]] = []
        test = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:  # noqa: N802
                test.requests.append((self.path, self.headers.get("authorization")))
                self.close_connection = True
                test.answers.pop(0)(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.slept = mock.patch("time.sleep").start()
        self.addCleanup(mock.patch.stopall)

    def client(self, **options: Any) -> StarpostClient:
        return StarpostClient(self.url, "sp_x", **options)

    def waits(self) -> list[float]:
        return [call.args[0] for call in self.slept.call_args_list]

    def test_waits_as_long_as_the_service_says_after_429(self) -> None:
        self.answers = [answer(429, {"code": "rate_limited"}, retry_after="7"), answer(200, {"apps": []})]
        self.assertEqual(self.client().list_apps(), [])
        self.assertEqual(self.waits(), [7])
        self.assertEqual(self.requests, [("/api/v1/apps", "Bearer sp_x")] * 2)

    def test_raises_at_once_when_the_wait_is_longer_than_allowed(self) -> None:
        self.answers = [answer(429, {"code": "rate_limited", "detail": "slow down"}, retry_after="60")]
        with self.assertRaisesRegex(ApiError, "slow down") as raised:
            self.client(wait_max_seconds=1).list_apps()
        self.assertEqual((raised.exception.code, raised.exception.retry_after_seconds), ("rate_limited", 60))
        self.assertEqual(self.waits(), [])

    def test_tries_again_after_503_and_gives_up_after_the_last_try(self) -> None:
        self.answers = [answer(503, b"<html>", x_request_id="r-1") for _ in range(3)]
        with self.assertRaises(ApiError) as raised:
            self.client(retries_max=2).list_apps()
        error = raised.exception
        self.assertEqual((error.status, error.code, error.request_id), (503, "unknown", "r-1"))
        self.assertEqual(self.waits(), [0.5, 1])

    def test_a_failure_has_the_problem_and_is_not_tried_again(self) -> None:
        faults = [{"parameter": "rating", "message": "1 to 5"}]
        problem = {"code": "invalid_parameter", "title": "Invalid", "errors": faults, "requestId": "r-2"}
        self.answers = [answer(400, problem)]
        with self.assertRaisesRegex(ApiError, "Invalid") as raised:
            self.client().list_reviews(rating=9)
        self.assertEqual((raised.exception.errors, raised.exception.request_id), (faults, "r-2"))

    def test_a_server_that_is_away_is_a_connection_error_with_its_cause(self) -> None:
        client = StarpostClient("http://127.0.0.1:1", "sp_x", retries_max=1)
        with self.assertRaises(ApiConnectionError) as raised:
            client.list_apps()
        self.assertIsInstance(raised.exception.__cause__, OSError)
        self.assertEqual(self.waits(), [0.5])

    def test_the_key_does_not_follow_a_redirect(self) -> None:
        self.answers = [answer(302, {}, location=f"{self.url}/elsewhere")]
        with self.assertRaises(ApiError) as raised:
            self.client().list_apps()
        self.assertEqual((raised.exception.status, len(self.requests)), (302, 1))

    def test_pages_are_read_as_they_are_asked_for(self) -> None:
        self.answers = [
            answer(200, {"reviews": [{"id": "a"}, {"id": "b"}], "nextCursor": "n"}),
            answer(200, {"reviews": [{"id": "c"}], "nextCursor": None}),
        ]
        reviews = self.client().each_review(rating=[1, 2], has_reply=False, from_="2026-11-01")
        self.assertEqual([next(reviews)["id"], next(reviews)["id"]], ["a", "b"])
        self.assertEqual(len(self.requests), 1)
        self.assertEqual([review["id"] for review in reviews], ["c"])
        query = "rating=1%2C2&hasReply=false&from=2026-11-01"
        paths = [path for path, _ in self.requests]
        self.assertEqual(paths, [f"/api/v1/reviews?limit=100&{query}", f"/api/v1/reviews?limit=100&cursor=n&{query}"])

    def test_changes_carry_the_moment_at_which_the_next_reading_begins(self) -> None:
        page: dict[str, Any] = {"reviews": [], "nextCursor": None}
        self.answers = [answer(200, page, updated_until="2026-11-21T09:00:00Z")]
        pages = list(self.client().each_change_page("2026-11-20T00:00:00Z", include="removed"))
        self.assertEqual([one["updatedUntil"] for one in pages], ["2026-11-21T09:00:00Z"])

    def test_an_export_that_breaks_off_goes_on_behind_its_last_row(self) -> None:
        first, second = {"id": "a", "cursor": "1"}, {"id": "b", "cursor": "2"}
        self.answers = [break_off_after(first), answer(200, json.dumps(second).encode() + b"\n")]
        self.assertEqual(list(self.client().export_reviews()), [first, second])
        self.assertEqual([path for path, _ in self.requests][1], "/api/v1/reviews/export?cursor=1")

    def test_an_export_that_never_gets_further_is_a_connection_error(self) -> None:
        self.answers = [break_off_after() for _ in range(2)]
        with self.assertRaisesRegex(ApiConnectionError, "broken off"):
            list(self.client(retries_max=1).export_reviews())

    def test_a_review_id_that_is_not_a_uuid_is_refused_without_a_request(self) -> None:
        for review in ("", "export", "../apps", "no/body", "{0e0f2a7a-9a55-5b0e-8a0d-3f0f8a3f1c11}"):
            with self.assertRaises(ApiError) as raised:
                self.client().get_review(review)
            self.assertEqual((raised.exception.status, raised.exception.code), (404, "not_found"))
        self.assertEqual(self.requests, [])

    def test_an_impossible_base_url_or_key_is_refused_when_the_client_is_made(self) -> None:
        for url, key in (("ftp://x", "sp_x"), ("reviews.example.com", "sp_x"), ("https://x.example", "")):
            with self.assertRaises(ValueError):
                StarpostClient(url, key)


if __name__ == "__main__":
    unittest.main()
