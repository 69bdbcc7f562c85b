"""The calls against the OpenAPI document of a running service, from which the types are made, and one of each kind against it."""

from __future__ import annotations

import inspect
import json
import os
import typing
import unittest
import urllib.request
from typing import Any

from starpost_client import ApiError, ReviewFilters, StarpostClient

URL, KEY, APP = (os.environ[name] for name in ("STARPOST_URL", "STARPOST_KEY", "STARPOST_APP"))

MANAGE_KEY, TOPIC = os.environ["STARPOST_MANAGE_KEY"], os.environ["STARPOST_TOPIC"]

METHODS: dict[str, Any] = {
    "/apps": StarpostClient.list_apps,
    "/topics": StarpostClient.list_topics,
    "/reviews": StarpostClient.list_changes,
    "/reviews/export": StarpostClient.export_reviews,
    "/reviews/{review}": StarpostClient.get_review,
    "/edits": StarpostClient.list_edits,
    "/ratings": StarpostClient.get_ratings,
    "/ratings/history": StarpostClient.list_rating_history,
    "/releases": StarpostClient.list_releases,
    "/releases/{version}/verdict": StarpostClient.get_verdict,
    "/changes": StarpostClient.get_changes,
    "/coverage": StarpostClient.get_coverage,
    "/reply-outcomes": StarpostClient.get_reply_outcomes,
    "/trends": StarpostClient.get_trends,
}


class ContractTest(unittest.TestCase):
    def test_every_endpoint_has_a_call_with_its_parameters(self) -> None:
        with urllib.request.urlopen(f"{URL}/api/v1/openapi.json") as response:
            paths: dict[str, Any] = json.load(response)["paths"]
        # Of the set-up of a workspace this client has the work on reviews alone.
        served = {path for path, one in paths.items() if "get" in one and "Set-up" not in one["get"]["tags"]}
        self.assertEqual(set(METHODS), served)
        for path, method in METHODS.items():
            names = set(inspect.signature(method).parameters) - {"self"}
            if "filters" in names:
                names = names - {"filters"} | set(typing.get_type_hints(ReviewFilters))
            parameters = {one["name"] for one in paths[path]["get"]["parameters"] if one["in"] != "header"}
            # It reads lines of JSON.
            self.assertEqual({to_parameter(name) for name in names}, parameters - {"format"}, path)

    def test_every_call_is_answered(self) -> None:
        client = StarpostClient(URL, KEY, retries_max=0)
        self.assertEqual([app["id"] for app in client.list_apps()], [APP])
        self.assertIn("crash", client.list_topics())
        reviews = list(client.each_review(app=APP, limit=2, include=["reply", "votes"]))
        self.assertEqual(len({review["id"] for review in reviews}), 5)
        self.assertIsNone(reviews[0]["reply"])
        self.assertEqual([one["id"] for one in client.export_reviews()], [one["id"] for one in reviews])
        self.assertEqual(client.list_reviews(rating=1, has_reply=True)["reviews"], [])
        first = reviews[0]["id"]
        self.assertEqual(client.get_review(first)["versions"], [])
        self.assertEqual(client.list_edits(first, app=APP)["review"]["id"], first)
        self.assertEqual(client.get_ratings(APP)["app"]["id"], APP)
        history = client.list_rating_history(APP, from_="2026-11-01", to="2026-11-30", by="day")
        self.assertEqual([day["day"] for day in history], ["2026-11-21"])
        version = reviews[0]["version"]
        self.assertIn(version, [release["version"] for release in client.list_releases(APP)])
        self.assertEqual(client.get_verdict(APP, version, worse_by=0.3)["worseBy"], 0.3)
        self.assertEqual(client.get_changes(APP, to="2026-11-21")["kind"], "week")
        self.assertIn("reviews", {feed["kind"] for feed in client.get_coverage(APP)})
        self.assertEqual(client.get_reply_outcomes(app=APP)["count"], 0)
        self.assertEqual(client.get_trends([APP])["totals"]["total"], 5)

    def test_work_on_reviews(self) -> None:
        client = StarpostClient(URL, MANAGE_KEY, retries_max=0)
        review, other = (one["id"] for one in client.list_reviews(limit=2)["reviews"])
        work = client.change_review(review, added_tags=["crash", "login"], is_done=True)
        self.assertEqual((work["tags"], work["isDone"], work["assignee"]), (["crash", "login"], True, None))
        work = client.change_review(review, removed_tags=["login"], unassign=True)
        self.assertEqual((work["tags"], work["isDone"]), (["crash"], True))
        self.assertEqual(client.change_reviews([review, other], is_done=True), 1)
        note = client.add_note(review, "Fixed in 4.3")
        self.assertEqual([one["text"] for one in client.list_notes(review)], ["Fixed in 4.3"])
        client.remove_note(note["id"])
        self.assertGreater(client.collect_app(APP), 0)
        with self.assertRaises(ApiError) as untranslated:
            client.translate_app(APP, review=review)
        self.assertEqual(untranslated.exception.code, "conflict")
        self.assertEqual(client.tick_topic(TOPIC, review, is_right=True), {"rightCount": 1, "wrongCount": 0})
        self.assertEqual(client.get_review_work(review)["noteCount"], 0)

    def test_a_copy_is_kept_by_what_changed(self) -> None:
        client = StarpostClient(URL, KEY, retries_max=0)
        pages = list(client.each_change_page("2008-01-01T00:00:00Z", limit=2))
        self.assertEqual([len(page["reviews"]) for page in pages], [2, 2, 1])
        later = list(client.each_change_page(pages[-1]["updatedUntil"]))
        self.assertEqual([page["reviews"] for page in later], [[]])

    def test_failures_have_the_codes_of_the_service(self) -> None:
        client = StarpostClient(URL, KEY, retries_max=0)
        calls: list[tuple[str, int, Any]] = [
            ("invalid_parameter", 400, lambda: client.list_reviews(limit=101)),
            ("invalid_cursor", 400, lambda: client.list_reviews(cursor="AAAA")),
            ("unauthorized", 401, lambda: StarpostClient(URL, "sp_nobody").list_apps()),
            ("app_not_found", 404, lambda: client.get_trends("nobody")),
            ("not_found", 404, lambda: client.list_edits("nobody")),
            ("not_found", 404, lambda: client.get_review("00000000-0000-5000-8000-000000000000")),
        ]
        for code, status, call in calls:
            with self.subTest(code), self.assertRaises(ApiError) as raised:
                call()
            self.assertEqual((raised.exception.code, raised.exception.status), (code, status))
            self.assertTrue(raised.exception.request_id)


def to_parameter(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in others)


if __name__ == "__main__":
    unittest.main()
