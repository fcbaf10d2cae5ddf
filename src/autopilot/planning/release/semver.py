"""Version numbers of three parts, and the next one.

The rules, for 0.x as for any other: *minor* raises the second number and sets the third to 0, *patch* raises the third.
A pre-release is on its way to a version: when that is what would come next, its mark is taken off (1.3.0-rc.1 -> minor
-> 1.3.0, 1.2.4-rc.1 -> patch -> 1.2.4). Marks of a build are dropped. Pre-releases may be written as semver or as
Python writes them (1.3.0rc1, 1.3.0.dev2).
"""

from __future__ import annotations

import re

from msgspec import Struct

PARTS = ("major", "minor", "patch")
_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_VERSION = re.compile(
    rf"(?P<prefix>v?)(?P<major>{_NUMBER})\.(?P<minor>{_NUMBER})\.(?P<patch>{_NUMBER})"
    r"(?P<pre>-[0-9A-Za-z.-]{1,60}|\.?(?:a|b|c|rc|alpha|beta|dev|post)\.?[0-9]{0,9}(?:\.dev[0-9]{1,9})?)?"
    r"(?P<build>\+[0-9A-Za-z.-]{1,60})?"
)
# What release tools write where the version is theirs to say.
_PLACEHOLDERS = re.compile(r"0\.0\.0[-.](?:development|dev|semantic(?:ally)?-released?|placeholder).*", re.IGNORECASE)


class Version(Struct, frozen=True):
    major: int
    minor: int
    patch: int
    pre: str = ""

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse_version(text: str) -> Version | None:
    """None for what is no version of three numbers."""
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        return None
    pre = found["pre"] or ""
    # A post-release comes after its version, not before it.
    pre = "" if pre.lstrip(".").startswith("post") else pre
    return Version(int(found["major"]), int(found["minor"]), int(found["patch"]), pre)


def is_placeholder(text: str) -> bool:
    return _PLACEHOLDERS.fullmatch(text.strip()) is not None


def next_version(old: Version, part: str) -> Version:
    major, minor, patch = old.major, old.minor, old.patch
    match part:
        case "major":
            done = bool(old.pre) and minor == patch == 0
            return Version(major if done else major + 1, 0, 0)
        case "minor":
            done = bool(old.pre) and patch == 0
            return Version(major, minor if done else minor + 1, 0)
        case _:
            return Version(major, minor, patch if old.pre else patch + 1)


def is_later(new: Version, old: Version) -> bool:
    """A version is later than its own pre-releases."""
    return (new.major, new.minor, new.patch, not new.pre) > (old.major, old.minor, old.patch, not old.pre)
