"""Roadmaps in other languages: read by the same rules, once their few fixed words are in English.

Agents write planning files in the language they were asked in (GSD's ``response_language``), with the headings and
labels of GSD's own templates translated. Only those words are replaced, and only for reading: what we write back goes
into the file as it is. The word for "phase" is replaced where no heading says ``Phase N``: a roadmap that has phases
may speak of stages and sprints as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.planning.roadmap.listed_phases import items_as_headings
from autopilot.planning.roadmap.phase_id import ID
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Heading, Line, heading, scan_lines

# Each word with the endings that it takes in "depends on …".
_WORDS = (
    *("фаз[аыеу]", "этап[аеу]?", "стади[яию]", "stages?", "sprints?", "fases?", "etapas?"),
    *("étapes?", "etappen?", "schritte?", "faza", "faz[yę]", "aşama"),
    *("阶段", "階段", "フェーズ", "ステージ", "단계", "페이즈"),
)
_NUMERALS = {numeral: str(value) for value, numeral in enumerate("一二三四五六七八九十", start=1)}
_NUMBERED = {word: lazy_regex(rf"(?<!\w){word}\s*({ID})(?![0-9])", re.IGNORECASE) for word in _WORDS}
# "第三阶段", "第 3 フェーズ": the number stands before the word.
_COUNTED = lazy_regex(r"第\s*([0-9]{1,6}|[一二三四五六七八九十])\s*(?:阶段|階段|フェーズ|ステージ)")
_OBJECTIVE = lazy_regex(rf"(?<!\w)objective\s{{1,3}}({ID})(?![0-9])", re.IGNORECASE)
_PLAN_OF_OBJECTIVE = lazy_regex(r"\bTRDs?\b(?=[:*.]| \()")  # whose plans are "technical requirement documents"
# What a phase has below its heading, and a chapter about objectives has not.
_PHASE_FIELD = lazy_regex(r"\W{0,10}(?:goal|success criteria|depends on|requirements|plans)\W{0,6}:", re.IGNORECASE)
_LISTED = lazy_regex(rf"\s{{0,8}}[-*] \[.\]\W{{0,6}}Phase\s+{ID}(?!\w)", re.IGNORECASE)
_ENGLISH = lazy_regex(rf"\W*Phase\s+{ID}(?!\w)", re.IGNORECASE)
_DECORATION = lazy_regex(r"^\W+")

_LABELS = {
    "goal": "цель цели ziel ziele objetivo meta objectif obiettivo doel cel hedef 目标 目標 목표",
    "depends on": (
        "зависит_от зависимости hängt_ab_von abhängig_von abhängigkeiten depende_de dependencias dependências "
        "dépend_de dépendances dipende_da dipendenze afhankelijk_van zależy_od zależności "
        "依赖 依賴 依赖于 依存 依存関係 의존 의존성"
    ),
    "requirements": (
        "требования anforderungen requisitos exigences requisiti vereisten wymagania gereksinimler "
        "需求 要求 要件 요구사항"
    ),
    "success criteria": (
        "критерии_успеха критерии_приёмки критерии_готовности erfolgskriterien akzeptanzkriterien criterios_de_éxito "
        "criterios_de_aceptación critérios_de_sucesso critérios_de_aceitação critères_de_succès critères_d'acceptation "
        "criteri_di_successo criteri_di_accettazione succescriteria kryteria_sukcesu başarı_kriterleri "
        "成功标准 成功標準 验收标准 驗收標準 成功基準 受け入れ基準 성공_기준 완료_기준"
    ),
    "plans": "планы pläne planes planos piani plannen plany 计划 計畫 計画 プラン 계획",
    "status": "статус estado statut stato durum 状态 狀態 状態 ステータス 상태",
    "tasks": "задачи aufgaben tareas tarefas tâches attività taken zadania görevler 任务 任務 タスク 작업",
}
_IN_ENGLISH = {word.replace("_", " "): label for label, known in _LABELS.items() for word in known.split()}
_NOTHING = lazy_regex(
    r"\W*(?:нет|ничего|nichts|keine?|nada|ninguna?|nenhuma?|rien|aucune?|niente|nessuna?|geen|niets|brak|yok|无|無|没有|なし|없음)"
    r"(?!\w)[^\n]*",
    re.IGNORECASE,
)


def roadmap_lines(text: str) -> tuple[Line, ...]:
    """The lines of a roadmap with its word for "phase" in English."""
    lines = items_as_headings(scan_lines(text))
    pattern = _foreign_pattern(lines)
    if pattern is None:
        return lines
    # Code fences too: phases and what they depend on are drawn in them.
    return tuple(replace(line, text=_in_english(line.text, pattern)) for line in lines)


def phase_word(text: str) -> str:
    """A pattern for the word with which this roadmap names a phase; "" where the number stands before the word."""
    pattern = _foreign_pattern(items_as_headings(scan_lines(text)))
    if pattern is None:
        return "Phase[ns]?"
    if pattern is _OBJECTIVE:
        return "Objectives?"
    return next((word for word, known in _NUMBERED.items() if known is pattern), "")


def may_open_phase(found: Heading) -> bool:
    return 2 <= found.level <= 4


def opens_in_other_words(title: str) -> bool:
    """Whether this heading would open a phase if its word were "Phase"."""
    return _OBJECTIVE.match(title) is not None or _own_word([title]) is not None


def english_label(name: str) -> str:
    """The name that GSD's template gives a field, for one that stands there in another language."""
    return _IN_ENGLISH.get(name, name)


def names_dependencies(title: str) -> bool:
    """Whether a heading in another language speaks of what depends on what."""
    lowered = title.lower()
    return any(word in lowered for word, label in _IN_ENGLISH.items() if label == "depends on")


def says_nothing(text: str) -> bool:
    """Whether these words after "depends on" are "nothing" in another language."""
    return _NOTHING.fullmatch(text) is not None


def _foreign_pattern(lines: Sequence[Line]) -> re.Pattern[str] | None:
    """How a phase is named here; None where it is called "Phase"."""
    titles = [_DECORATION.sub("", title.text) for line in lines if (title := heading(line)) and may_open_phase(title)]
    if any(_ENGLISH.match(title) for title in titles):
        return None
    return _own_word(titles) or (_OBJECTIVE if _plans_by_objective(lines) else None)


def _own_word(titles: Sequence[str]) -> re.Pattern[str] | None:
    """The first heading with a number decides: below "Фаза 1" there may be headings such as "Этап 2"."""
    for title in titles:
        if _COUNTED.match(title):
            return _COUNTED
        found = next((pattern for pattern in _NUMBERED.values() if pattern.match(title)), None)
        if found:
            return found
    return None


def _plans_by_objective(lines: Sequence[Line]) -> bool:
    """GSD's forks call a phase an objective. The word is an everyday one: it takes the fields of a phase below it, in a
    roadmap that lists no phase by that name."""
    below, found = False, False
    for line in lines:
        if line.hidden:
            continue
        if _LISTED.match(line.text):
            return False
        title = heading(line)
        if title is not None:
            below = may_open_phase(title) and _OBJECTIVE.match(_DECORATION.sub("", title.text)) is not None
        found = found or (below and _PHASE_FIELD.match(line.text) is not None)
    return found


def _in_english(text: str, pattern: re.Pattern[str]) -> str:
    if pattern is _OBJECTIVE:
        text = _PLAN_OF_OBJECTIVE.sub(lambda found: "Plans" if found[0] == "TRDs" else "PLAN", text)
    return pattern.sub(lambda found: f"Phase {_NUMERALS.get(found[1], found[1])}", text)
