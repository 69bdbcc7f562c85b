"""Builds the wheel: the package is a folder of Python files, so a zip file with some metadata is all it takes.

A build backend of its own (PEP 517) keeps the build free of downloads: `pip wheel sdk/python` works offline.
"""

from __future__ import annotations

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any

_root = Path(__file__).parent
_package = "starpost_client"
_tag = "py3-none-any"
# The oldest time that a zip file can have: the same sources give the same bytes.
_time = (1980, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    project = _read_project()
    info = f"{_package}-{project['version']}.dist-info"
    files = {path.relative_to(_root).as_posix(): path.read_bytes() for path in _sources()}
    files[f"{info}/METADATA"] = _write_metadata(project).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: starpost\nRoot-Is-Purelib: true\nTag: {_tag}\n".encode()
    files[f"{info}/licenses/LICENSE"] = (_root / "LICENSE").read_bytes()
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    name = f"{_package}-{project['version']}-{_tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _time)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    project = _read_project()
    base = f"{_package}-{project['version']}"
    metadata = Path(sdist_directory) / "PKG-INFO"
    metadata.write_text(_write_metadata(project), encoding="utf-8")
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        archive.add(metadata, f"{base}/PKG-INFO")
        others = [_root / name for name in ("pyproject.toml", "build_backend.py", "README.md", "LICENSE")]
        for path in [*others, *_sources()]:
            archive.add(path, f"{base}/{path.relative_to(_root).as_posix()}")
    metadata.unlink()
    return f"{base}.tar.gz"


def _sources() -> list[Path]:
    return sorted(path for path in (_root / _package).iterdir() if path.suffix == ".py" or path.name == "py.typed")


def _read_project() -> dict[str, str]:
    # Python 3.10 has no reader of TOML; the file has one value on a line.
    text = (_root / "pyproject.toml").read_text(encoding="utf-8")
    return dict(re.findall(r'^([\w-]+) = "(.*)"$', text, re.MULTILINE))


def _write_metadata(project: dict[str, str]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        f"Project-URL: Homepage, {project['Homepage']}",
        f"Project-URL: Issues, {project['Issues']}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (_root / "README.md").read_text(encoding="utf-8")


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
