"""The failures of a call: the service answered with a problem (RFC 9457), or it could not be reached."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypedDict


class ParameterFault(TypedDict):
    parameter: str
    message: str


class StarpostError(Exception):
    """Every failure of a call."""


class ApiError(StarpostError):
    """The service answered, and its answer is a failure."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str = "unknown",
        errors: list[ParameterFault] | None = None,
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        #: HTTP status.
        self.status = status
        #: `unknown` when the answer was not a problem document, for example from a proxy.
        self.code = code
        #: Faults by parameter, for `invalid_parameter`.
        self.errors = errors or []
        #: Name this in a question to the operator: the service's log has it.
        self.request_id = request_id
        #: Whole seconds until another try makes sense, where the service says so.
        self.retry_after_seconds = retry_after_seconds


class ApiConnectionError(StarpostError):
    """The service could not be reached, or did not answer in time. `__cause__` has the reason."""


def read_problem(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Reads a failed response; never raises."""
    problem = _read_object(body)
    code, errors, request_id = problem.get("code"), problem.get("errors"), problem.get("requestId")
    texts = [text for text in (problem.get("detail"), problem.get("title")) if isinstance(text, str)]
    retry_after = headers.get("retry-after") or ""
    return ApiError(
        texts[0] if texts else f"HTTP {status}",
        status=status,
        code=code if isinstance(code, str) else "unknown",
        errors=errors if isinstance(errors, list) else None,
        request_id=request_id if isinstance(request_id, str) else headers.get("x-request-id"),
        retry_after_seconds=int(retry_after) if re.fullmatch(r"[0-9]{1,6}", retry_after) else None,
    )


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        # A proxy's HTML page, or a body that broke off: the status says enough.
        return {}
    return value if isinstance(value, dict) else {}
