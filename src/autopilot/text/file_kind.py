"""The kind of a file, by its path alone: a test, a document, a setting, data, a protocol, frontend."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from autopilot.text.lazy_regex import lazy_regex


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_TEST_FOLDERS = _set("test tests __tests__ spec specs e2e testdata __mocks__ __snapshots__")
_TEST_NAME = lazy_regex(
    r"test_.+|test-.+\.(?:sh|bash|[cm]?js|ts)|.+_test\.\w+|.+\.bats|.+[.-](?:test|spec)\.\w+|conftest\.py|.+Tests?\.(?:java|kt|cs|swift|php)"
)
_DOCUMENTS = _set(".md .mdx .rst .txt .adoc .org .tex .pdf")
_TEMPLATES = _set(
    ".html .htm .erb .haml .slim .j2 .jinja .jinja2 .tmpl .tpl .mustache .hbs .ejs .pug .twig .po .mo .pot .css .scss "
    ".sass .less"
)
_MEDIA = _set(
    ".png .jpg .jpeg .gif .svg .webp .ico .bmp .avif .mp3 .mp4 .wav .ogg .webm .woff .woff2 .ttf .otf .eot .zip"
)
_SETTINGS = _set(
    ".ini .cfg .conf .env .lock .properties .editorconfig .mod .sum .gradle .csproj .sln .plist .in .map .snap"
)
_JSON = _set(".json .jsonl .ndjson .geojson")
_TABULAR = _set(".csv .tsv")
_CONFIG_LIKE = _set(".toml .yaml .yml .xml")  # settings, unless a folder says that they are data
_DATA_FOLDERS = _set("data dataset datasets content i18n l10n lang locale locales translations seeds catalog catalogue")
_SETTINGS_FOLDERS = _set("config configs conf settings")
_MANIFESTS = lazy_regex(
    r"package(?:-lock)?\.json|(?:ts|js)config[\w.-]*\.json|composer\.json|deno\.jsonc?|biome\.json|renovate\.json|"
    r"vercel\.json|firebase\.json|angular\.json|nx\.json|turbo\.json|lerna\.json|rush\.json|now\.json|app\.json|"
    r"(?:web)?manifest\.json|.*(?:^|[._-])(?:config|settings|conf|lock)\.(?:json|toml|ya?ml)|cargo\.toml|pyproject\.toml",
    re.IGNORECASE,
)
_INSTRUCTIONS = lazy_regex(
    r"(?:CLAUDE|AGENTS?|GEMINI|QWEN|COPILOT|SKILL)(?:\.local)?\.md|\.(?:cursor|windsurf|cline|roo)rules|"
    r"copilot-instructions\.md|.*\.mdc|.*\.(?:instructions|prompt|agent|chatmode)\.md",
    re.IGNORECASE,
)
_AGENT_FOLDERS = _set("agents subagents")
_FRONTEND = _set(".tsx .jsx .vue .svelte .astro .css .scss .sass .less .styl .html .htm")
_RECORD = lazy_regex(r"docs/issues/[^/]+/(?:autopilot-log\.jsonl|red\.jsonl|autopilot-\w+\.pin)")
_LOOKS = _set(".css .scss .sass .less .styl .html .htm")
_SCRIPTS = _set(".ts .js .mjs .cjs .mts .cts")
_FRONTEND_FOLDERS = _set("frontend client components webapp ui")


def is_ours(path: str) -> bool:
    """Plans, reports and state of a run, records of an issue: no part of what is built."""
    return _parts(path)[:1] in ((".planning",), (".autopilot",), (".git",)) or _RECORD.fullmatch(path) is not None


def is_test(path: str) -> bool:
    *folders, name = _parts(path) or ("",)
    return not _TEST_FOLDERS.isdisjoint(folders) or _TEST_NAME.fullmatch(name) is not None


def is_document(path: str) -> bool:
    """Written for readers, by its ending. A plain text may as well be data."""
    return suffix_of(path) in _DOCUMENTS - {".txt"}


def is_template(path: str) -> bool:
    """What frameworks find by convention: no code has to name it."""
    return suffix_of(path) in _TEMPLATES


def is_compiled(path: str) -> bool:
    """Made from a source by a compiler or an interpreter, which may load it in place of that source."""
    *folders, name = _parts(path) or ("",)
    return "__pycache__" in (*folders, name) or name.endswith((".pyc", ".pyo", ".class"))


def is_protocol(path: str) -> bool:
    """Text that agents follow: Markdown in ``protocols/``, project instructions, agent definitions."""
    *folders, name = _parts(path) or ("",)
    if _INSTRUCTIONS.fullmatch(name):
        return True
    if not name.lower().endswith(".md") or name.lower().startswith(("readme", "changelog")):
        return False
    if any(folder in {"protocols", "protocol"} for folder in folders):
        return True
    if folders and folders[0].lower() in {"doc", "docs"}:
        return False
    # .claude/commands, .opencode/agents, .github/prompts: every text in such a folder addresses an agent.
    dotted = any(folder.startswith(".") for folder in folders[:-1])
    return not _AGENT_FOLDERS.isdisjoint(folders) or (
        dotted and not {"commands", "skills", "prompts", "rules"}.isdisjoint(folders)
    )


def is_data(path: str) -> bool:
    """Structured data that the product reads. Fixtures of tests are not: some are broken on purpose."""
    folders, suffix = _parts(path)[:-1], suffix_of(path)
    if is_test(path) or _is_setting(path) or suffix not in _JSON | _TABULAR | _CONFIG_LIKE:
        return False
    return suffix not in _CONFIG_LIKE or not _DATA_FOLDERS.isdisjoint(folder.lower() for folder in folders)


def is_frontend(path: str) -> bool:
    folders = [folder.lower() for folder in _parts(path)[:-1]]
    suffix = suffix_of(path)
    if suffix in _FRONTEND:
        return folders[:1] not in (["doc"], ["docs"])
    return suffix in _SCRIPTS and not _FRONTEND_FOLDERS.isdisjoint(folders)


def is_frontend_code(path: str) -> bool:
    """Of a user interface, and not only how it looks: what people do with it is handled there."""
    return is_frontend(path) and not is_test(path) and suffix_of(path) not in _LOOKS


def is_neutral(path: str) -> bool:
    """Documents, media, settings, manifests and tests come with any kind of work and show nothing about its kind."""
    suffix = suffix_of(path)
    if not suffix or suffix in _DOCUMENTS | _MEDIA | _SETTINGS or is_test(path) or _is_setting(path):
        return True
    return suffix in _CONFIG_LIKE and not is_data(path)


def suffix_of(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


def _is_setting(path: str) -> bool:
    *folders, name = _parts(path) or ("",)
    if name.startswith(".") or any(folder.startswith(".") for folder in folders):
        return True
    if _MANIFESTS.fullmatch(name):
        return True
    suffix = suffix_of(path)
    return suffix in _JSON | _CONFIG_LIKE and not _SETTINGS_FOLDERS.isdisjoint(folder.lower() for folder in folders)


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/") if part not in {"", "."})
