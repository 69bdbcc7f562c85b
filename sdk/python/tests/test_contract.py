"""The types against the OpenAPI document of a running service, and one call of each kind against it."""

from __future__ import annotations

import json
import os
import types
import typing
import unittest
import urllib.request
from typing import Any, Literal, Union, get_args, get_origin

from starpost_client import ApiError, StarpostClient, _types

URL, KEY, APP = (os.environ[name] for name in ("STARPOST_URL", "STARPOST_KEY", "STARPOST_APP"))

# The lists that a call takes out of its envelope have the envelope's name here.
BODIES: dict[str, Any] = {
    "/apps": {"apps": list[_types.App]},
    "/topics": {"topics": list[str]},
    "/reviews": _types.ReviewPage,
    "/reviews/{review}": _types.WholeReview,
    "/edits": _types.ReviewEdits,
    "/ratings": _types.RatingSummary,
    "/ratings/history": {"history": list[_types.RatingDay]},
    "/releases": {"releases": list[_types.Release]},
    "/releases/{version}/verdict": _types.Verdict,
    "/changes": _types.Changes,
    "/coverage": {"feeds": list[_types.Feed]},
    "/trends": _types.Trends,
}
EVENTS = {
    "review.created": _types.ReviewCreatedEvent,
    "review.updated": _types.ReviewUpdatedEvent,
    "review.rating_drop": _types.RatingDropEvent,
    # It stands for the other alerts, too.
    "reviews.spike": _types.AlertEvent,
    "channel.failing": _types.ChannelFailingEvent,
}


class ContractTest(unittest.TestCase):
    document: dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        with urllib.request.urlopen(f"{URL}/api/v1/openapi.json") as response:
            cls.document = json.load(response)

    def test_the_types_of_responses_are_those_of_the_service(self) -> None:
        # This client reads; the set-up of a workspace is not part of it.
        served = {
            path
            for path, methods in self.document["paths"].items()
            if path not in ("/reviews/export", "/openapi.json") and "Set-up" not in methods.get("get", {"tags": ["Set-up"]})["tags"]
        }
        self.assertEqual(set(BODIES), served)
        for path, expected in BODIES.items():
            content = self.document["paths"][path]["get"]["responses"]["200"]["content"]
            self.compare(path, content["application/json"]["schema"], expected)

    def test_the_types_of_events_are_those_of_the_service(self) -> None:
        self.assertEqual(set(EVENTS), set(self.document["webhooks"]))
        for name, expected in EVENTS.items():
            content = self.document["webhooks"][name]["post"]["requestBody"]["content"]
            self.compare(name, content["application/json"]["schema"], expected)

    def compare(self, path: str, schema: dict[str, Any], expected: Any) -> None:
        schema = self.resolve(schema)
        is_nullable, schema = self.take_null(schema)
        arguments = get_args(expected)
        is_union = get_origin(expected) in (Union, types.UnionType)
        self.assertEqual(is_nullable, is_union and type(None) in arguments, f"{path}: null")
        if is_union:
            (expected,) = (one for one in arguments if one is not type(None))
        self.assertIsNotNone(expected, path)
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            self.assertEqual((get_origin(expected), set(get_args(expected))), (Literal, set(values)), path)
        elif schema.get("type") == "array":
            self.assertIs(get_origin(expected), list, path)
            self.compare(f"{path}[]", schema["items"], get_args(expected)[0])
        elif "properties" in schema:
            fields = expected if isinstance(expected, dict) else typing.get_type_hints(expected)
            self.assertEqual(set(fields), set(schema["properties"]), path)
            required = set(fields) if isinstance(expected, dict) else expected.__required_keys__
            self.assertEqual(set(required), set(schema["required"]), f"{path}: required")
            for name, field in fields.items():
                self.compare(f"{path}.{name}", schema["properties"][name], field)
        elif schema.get("type") == "object":
            self.assertIs(get_origin(expected), dict, path)
            self.compare(f"{path}{{}}", schema["additionalProperties"], get_args(expected)[1])
        else:
            names = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}
            self.assertIs(expected, names[schema["type"]], path)

    def take_null(self, schema: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
        kinds = schema.get("type")
        if isinstance(kinds, list):
            (kind,) = (one for one in kinds if one != "null")
            values = {"enum": [value for value in schema["enum"] if value]} if "enum" in schema else {}
            return True, {**schema, "type": kind, **values}
        options = schema.get("anyOf") or schema.get("oneOf") or []
        others = [one for one in options if one.get("type") != "null"]
        if len(others) == 1 and len(options) == 2:
            return True, self.resolve(others[0])
        return False, schema

    def resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        """What a reference names; parts that belong together as one."""
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        parts = [schema, *map(self.resolve, schema.get("allOf", []))]
        properties = {name: one for part in parts for name, one in part.get("properties", {}).items()}
        required = [name for part in parts for name in part.get("required", [])]
        return {**schema, "properties": properties, "required": required} if properties else schema

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
        self.assertEqual(client.get_trends([APP])["totals"]["total"], 5)

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


if __name__ == "__main__":
    unittest.main()
