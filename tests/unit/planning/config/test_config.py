"""The repository's configuration. covers: INV-7, INV-9, T1"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.policy import Budget, Commands, Evidence, Policy, Timeouts
from autopilot.planning.config.config import Config, merge_commands, narrow, parse_config, set_commands
from tests.unit.making import policy_of

PATH = ".planning/config.json"
KNOWN = {"claude": "anthropic", "codex": "openai", "gemini": "google"}


def test_known_keys_are_read_and_unknown_ones_left_alone() -> None:
    config = parse_config(
        json.dumps(
            {
                "mode": "yolo",
                "parallelization": True,
                "model_profile": "quality",
                "workflow": {"research": False, "plan_check": True},
                "planning": {"commit_docs": False},
                "project": {
                    "commands": {"test": "pytest", "lint": None},
                    "spec_paths": ["docs/spec.md"],
                    "ui": {"source_dir": "web", "file_extensions": [".tsx"]},
                },
                "circuit_breaker_config": {"cost_cap_tokens_total": 1000},
                "autopilot": {
                    "agents": {"judge": "codex"},
                    "timeouts_s": {"test": 60},
                    "verifier_min_s": 120,
                    "version_bump": False,
                },
                "response_language": "de",
            }
        ),
        PATH,
    )
    assert config.commands == Commands(test="pytest")
    assert config.commands_written == {"test", "lint"}
    assert (config.model_profile, config.research, config.commit_docs) == ("quality", False, False)
    assert (config.spec_paths, config.ui_source_dir, config.ui_extensions) == (("docs/spec.md",), "web", (".tsx",))
    assert (config.caps, config.timeouts_s, config.agents) == (
        {"cost_cap_tokens_total": 1000},
        {"test": 60},
        {"judge": "codex"},
    )
    assert (config.verifier_min_s, config.version_bump, config.response_language) == (120, False, "de")
    assert config.complaints == ()


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ({}, "English"),
        ({"response_language": " Plain\nGerman "}, "Plain German"),
        ({"response_language": ""}, "English"),
    ],
)
def test_the_language_of_an_issues_documents_is_the_repositorys(written: object, language: str) -> None:
    assert narrow(Policy(), parse_config(json.dumps(written), PATH))[0].response_language == language


def test_a_language_is_a_name_and_no_letter_to_the_agents() -> None:
    config = parse_config(json.dumps({"response_language": "x" * 1000}), PATH)
    assert len(config.response_language) == 40


@pytest.mark.parametrize("parallelization", [True, {"enabled": False}, "max"])
def test_parallelization_may_be_a_scalar_or_an_object(parallelization: object) -> None:
    assert parse_config(json.dumps({"parallelization": parallelization}), PATH).complaints == ()


@pytest.mark.parametrize(
    ("written", "parts", "phases"),
    [({}, 3, 4), ({"max_concurrent_agents": 2}, 2, 2), ({"max_concurrent_agents": 9}, 3, 4)],
)
def test_the_number_of_agents_at_once_can_only_be_narrowed(written: object, parts: int, phases: int) -> None:
    config = parse_config(json.dumps({"parallelization": written}), PATH)
    policy, complaints = narrow(policy_of(parallel_phases=4), config)
    assert (policy.parallel.parts, policy.parallel.phases, complaints) == (parts, phases, ())


def test_a_value_of_the_wrong_type_is_said_with_its_line_and_ignored() -> None:
    text = (
        '{\n "model_profile": "simple",\n "project": {\n  "commands": "x",\n  "spec_paths": ["../up.md", "a.md"]\n }\n}'
    )
    config = parse_config(text, PATH)
    assert config.spec_paths == ("a.md",) and config.commands == Commands()
    assert [str(complaint) for complaint in config.complaints] == [
        f"{PATH}:4: project.commands is not an object: ignored",
        f"{PATH}:5: project.spec_paths `../up.md` leaves the repository: ignored",
        f"{PATH}:2: model_profile is `simple`, not one of quality, balanced, budget, speed, inherit: ignored",
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n "a": 1,\n}', ":2: not valid JSON: a comma before a closing bracket"),
        ('{\n "a": 1,\n', ":2: not valid JSON, at the end of the file: "),
        ('{"a": 1\n', ":1: not valid JSON, at the end of the file: "),
        ("", ":1:"),
        ("[]", "not a JSON object"),
        ("[" * 100_000, PATH),
    ],
)
def test_a_file_that_is_no_json_object_is_refused_with_its_line(text: str, where: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_config(text, PATH)
    assert where in str(raised.value) and raised.value.hint


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ('{"project": 3}', ["C:1: project is not an object: ignored"]),
        ('{"project":\n{"commands": []}}', ["C:2: project.commands is not an object: ignored"]),
        (
            '{"autopilot": "on",\n"workflow": 1}',
            ["C:1: autopilot is not an object: ignored", "C:2: workflow is not an object: ignored"],
        ),
        ('{"parallelization": true}', []),
        ('{"project": null}', []),
    ],
)
def test_a_parent_that_is_no_object_is_said_once(text: str, complaints: list[str]) -> None:
    assert sorted(map(str, parse_config(text, "C").complaints)) == sorted(complaints)


def test_caps_and_timeouts_can_only_be_narrowed() -> None:
    config = Config(
        caps={"cost_cap_tokens_total": 1000, "cost_cap_tokens_per_phase": 10**9, "no_progress_threshold": 2},
        timeouts_s={"test": 60, "build": 99999, "unknown": 1},
    )
    policy, complaints = narrow(Policy(), config)
    assert policy.budget == Budget(tokens=1000) and isinstance(policy.budget.tokens, int)
    assert policy.timeouts == Timeouts(test=60)
    assert [complaint.text for complaint in complaints] == [
        "circuit_breaker_config.cost_cap_tokens_per_phase is 1,000,000,000, above the 5,000,000 of your settings "
        "([budget] tokens): 5,000,000 is used",
        "autopilot.timeouts_s.build is 99,999, above the 1,800 of your settings ([timeouts] build): 1,800 is used",
    ]
    assert policy.caps_of_config == ("tokens",), "who set a cap is known to whoever tells how to raise it"


def test_a_number_that_can_have_no_effect_is_said_with_its_line() -> None:
    text = (
        '{"parallelization":\n{"max_concurrent_agents": 0},\n'
        '"autopilot": {"verifier_min_s": -1, "evidence": {"repeats": 0}}}'
    )
    assert sorted(map(str, parse_config(text, "C").complaints)) == [
        "C:2: parallelization.max_concurrent_agents is not a number above zero: ignored",
        "C:3: autopilot.verifier_min_s is not a number of zero or more: ignored",
    ]


@pytest.mark.parametrize("mine", [True, False])
def test_the_completion_can_only_be_switched_off(mine: bool) -> None:
    policy = Policy(self_audit=mine, version_bump=mine)
    off, _ = narrow(policy, parse_config('{"autopilot": {"self_audit": false, "version_bump": false}}', PATH))
    on, _ = narrow(policy, parse_config('{"autopilot": {"self_audit": true, "version_bump": true}}', PATH))
    silent, _ = narrow(policy, parse_config("{}", PATH))
    assert (off.self_audit, off.version_bump) == (False, False)
    assert (on.self_audit, on.version_bump) == (silent.self_audit, silent.version_bump) == (mine, mine)


def test_a_repository_may_ask_for_more_evidence_and_never_for_less() -> None:
    asked = '{"autopilot": {"evidence": {"canary": true, "red": false, "look": "yes", "repeats": 9}}}'
    policy = Policy(evidence=Evidence(red=True, repeats=4))
    narrowed, complaints = narrow(policy, parse_config(asked, PATH))
    assert narrowed.evidence == Evidence(red=True, canary=True, repeats=9)
    assert [c.text for c in complaints] == [
        "autopilot.evidence.red is false, but only your own settings can switch it off: ignored"
    ]
    assert "autopilot.evidence.look is not true or false" in parse_config(asked, PATH).complaints[0].text
    fewer, _ = narrow(policy, parse_config('{"autopilot": {"evidence": {"repeats": 1}}}', PATH))
    assert fewer.evidence == policy.evidence


def test_the_users_agents_and_refusals_win_over_the_repository() -> None:
    policy = policy_of(agents={"judge": "claude"}, providers=KNOWN, research=False)
    narrowed, _ = narrow(policy, Config(agents={"judge": "codex", "rater": ("gemini:pro", "codex")}))
    assert narrowed.assignments.agents == {"judge": "claude", "rater": ("gemini:pro", "codex")}
    assert not narrowed.research


def test_a_repository_can_name_no_agent_that_its_user_does_not_have() -> None:
    config = Config(agents={"judge": ("codex", "theirs:big"), "rater": "codex"})
    narrowed, complaints = narrow(policy_of(agents={"default": "claude"}, providers=KNOWN), config)
    assert narrowed.assignments.agents == {"default": "claude", "rater": "codex"}
    assert [str(one) for one in complaints] == [
        f"{PATH}: autopilot.agents.judge names `theirs`, which is not an agent of your settings: ignored"
    ]


def test_the_model_profile_of_the_repository_chooses_among_the_users_chains() -> None:
    policy = policy_of(agents={"default": "claude"}, profiles={"speed": {"default": ("claude:haiku", "codex")}})
    assert [str(assignment) for assignment in policy.chain("judge")] == ["claude"]
    narrowed, _ = narrow(policy, Config(model_profile="speed"))
    assert [str(assignment) for assignment in narrowed.chain("judge")] == ["claude:haiku", "codex"]


def test_an_agent_is_chosen_by_name_or_by_a_list_and_only_for_a_role() -> None:
    text = """{"autopilot": {"agents": {
 "judge": "codex", "rater": ["claude", "codex:o3"],
 "jury": "codex",
 "planner": 5,
 "verifier": ["codex", null]
}}}"""
    config = parse_config(text, PATH)
    assert config.agents == {"judge": "codex", "rater": ("claude", "codex:o3")}
    assert [str(one).split(" is ")[0] for one in config.complaints] == [
        f"{PATH}:3: autopilot.agents.jury",
        f"{PATH}:4: autopilot.agents.planner",
        f"{PATH}:5: autopilot.agents.verifier",
    ]


@given(
    st.dictionaries(
        st.sampled_from(["cost_cap_tokens_total", "cost_cap_tokens_per_phase", "wall_clock_timeout_minutes_total"]),
        st.floats(0.1, 1e9),
    ),
    st.dictionaries(st.sampled_from(Timeouts.__struct_fields__), st.floats(0.1, 1e6)),
)
def test_no_configuration_ever_widens_a_policy(caps: dict[str, float], timeouts: dict[str, float]) -> None:
    before = Policy(budget=Budget(tokens_per_phase=500_000))
    after, _ = narrow(before, Config(caps=caps, timeouts_s=timeouts))
    for old, new in ((before.budget, after.budget), (before.timeouts, after.timeouts)):
        assert all(getattr(new, name) <= getattr(old, name) for name in old.__struct_fields__)
    assert after.confined and after.pass_threshold == before.pass_threshold


@pytest.mark.parametrize(("wanted", "phase"), [(1, 1), (5_000_000, 5_000_000), (5_000_001, 0)])
def test_a_phase_cap_that_nobody_named_is_bounded_by_that_of_the_run(wanted: int, phase: int) -> None:
    policy, _ = narrow(Policy(), Config(caps={"cost_cap_tokens_per_phase": wanted}))
    assert policy.budget.tokens_per_phase == phase
    assert policy.caps_of_config == (("tokens_per_phase",) if phase else ())


def test_written_commands_win_over_detected_ones_null_included() -> None:
    config = parse_config('{"project": {"commands": {"test": "mine", "lint": null}}}', PATH)
    assert merge_commands(config, Commands(test="found", lint="found", build="found")) == Commands(
        test="mine", build="found"
    )


FOUND = Commands(setup="npm ci", test="npm test", lint="npm run lint")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "",
            '{\n  "project": {\n    "commands": {\n      "setup": "npm ci",\n      "lint": "npm run lint",\n'
            '      "test": "npm test"\n    }\n  }\n}\n',
        ),
        (
            '{"a": 1.0}',
            '{"a": 1.0, "project": {"commands": {"setup": "npm ci", "lint": "npm run lint", "test": "npm test"}}}',
        ),
        (
            '{\n "project": {\n  "commands": {\n   "test": "mine",\n   "lint": null\n  }\n }\n}\n',
            '{\n "project": {\n  "commands": {\n   "test": "mine",\n   "lint": null,\n'
            '   "setup": "npm ci"\n  }\n }\n}\n',
        ),
        ('{"project": "odd"}', '{"project": "odd"}'),
    ],
)
def test_missing_commands_are_added_and_every_other_byte_is_kept(before: str, after: str) -> None:
    assert set_commands(before, FOUND) == after


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=4), x, max_size=3),
    max_leaves=8,
)
COMMAND_OBJECTS = st.dictionaries(st.sampled_from(["test", "lint", "other"]), st.none() | st.text(max_size=4))
CONFIGS = st.dictionaries(
    st.text(max_size=4) | st.just("project"), JSON | st.fixed_dictionaries({"commands": COMMAND_OBJECTS}), max_size=4
)


@given(CONFIGS, st.sampled_from([None, 2, "\t"]))
def test_adding_commands_changes_no_value_that_was_there_and_is_done_once(
    data: dict[str, object], indent: int | str | None
) -> None:
    text = json.dumps(data, indent=indent)
    added = set_commands(text, FOUND)
    assert set_commands(added, replace(FOUND, test="other")) == added
    new = json.loads(added)
    project = data.get("project")
    for key, value in data.items():
        if key != "project" or not isinstance(value, dict):
            assert new[key] == value
    if isinstance(project, dict) and isinstance(project.get("commands"), dict):
        assert new["project"]["commands"].items() >= project["commands"].items()
        assert new["project"]["commands"].keys() >= {"setup", "test", "lint"}


@given(JSON | CONFIGS)
def test_any_json_is_read_or_refused_without_a_traceback(data: object) -> None:
    text = json.dumps(data, indent=1)
    if not isinstance(data, dict):
        with pytest.raises(UsageError):
            parse_config(text, PATH)
        return
    config = parse_config(text, PATH)
    assert all(1 <= complaint.line <= text.count("\n") + 1 for complaint in config.complaints)


@given(st.text())
def test_any_text_is_read_or_refused_without_a_traceback(text: str) -> None:
    try:
        parse_config(text, PATH)
    except UsageError as error:
        assert PATH in str(error)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ('{"a": ' + "1" * 5_000 + "}", "a number of more than 4300 digits is not read"),
        ('{"a": ' + "[" * 100_000 + "}", "nested too deeply"),
    ],
)
def test_a_file_beyond_what_json_readers_take_is_refused_with_the_limit(text: str, limit: str) -> None:
    with pytest.raises(UsageError, match=limit):
        parse_config(text, PATH)


def test_a_file_full_of_mistakes_has_the_first_fifty_listed() -> None:
    """Each complaint costs a look at the whole file: a hundred thousand of them would take hours."""
    written = {"circuit_breaker_config": {str(number): None for number in range(3_000)}}
    assert len(parse_config(json.dumps(written), PATH).complaints) == 50


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"projekt": {}}', "projekt is unknown: ignored; did you mean project?"),
        (
            '{"project": {"commands": {"tset": "x"}}}',
            "project.commands.tset is unknown: ignored; did you mean test?",
        ),
        ('{"mode": "yolo", "project": {"name": "x"}}', ""),
        ('{"commands": {"test": "x"}}', "commands is unknown: ignored; did you mean project.commands?"),
        ('{"autopilot": {"commands": {}}}', "autopilot.commands is unknown: ignored; did you mean project.commands?"),
        ('{"commands": {}, "project": {"commands": {"test": "x"}}}', ""),
    ],
)
def test_a_misspelt_key_is_named_and_a_key_of_another_program_is_not(text: str, complaint: str) -> None:
    assert [found.text for found in parse_config(text, "config.json").complaints] == ([complaint] if complaint else [])


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("timeouts_s", '{"tset": 60}', "autopilot.timeouts_s.tset is unknown: ignored; did you mean test?"),
        ("timeouts_s", '{"test": 9, "tset": 60}', "autopilot.timeouts_s.tset is unknown: ignored; did you mean test?"),
        ("evidence", '{"canery": true}', "autopilot.evidence.canery is unknown: ignored; did you mean canary?"),
        (
            "timeouts_s",
            '{"everything": 60}',
            "autopilot.timeouts_s.everything is unknown: ignored; known keys: criterion, ",
        ),
    ],
)
def test_an_unknown_key_of_our_own_tables_is_named_with_the_nearest_one(key: str, value: str, told: str) -> None:
    [complaint] = parse_config(f'{{"autopilot": {{\n"{key}": {value}}}}}', PATH).complaints
    assert complaint.line == 2 and complaint.text.startswith(told)


def test_a_misspelt_cap_is_named_and_a_key_of_another_program_is_not() -> None:
    text = '{"circuit_breaker_config": {"no_progres_threshold": 2, "notify_slack": 1}}'
    [complaint] = parse_config(text, PATH).complaints
    assert complaint.text.endswith("no_progres_threshold is unknown: ignored; did you mean no_progress_threshold?")


@pytest.mark.parametrize(
    ("written", "allowed", "used"),
    [
        ("{}", 2000, 2000),
        ('{"map_tokens": 500}', 2000, 500),
        ('{"map_tokens": 0}', 2000, 0),
        ('{"map_tokens": 9000}', 2000, 2000),
    ],
)
def test_a_repository_can_ask_for_a_smaller_map_in_prompts_never_for_a_larger_one(
    written: str, allowed: int, used: int
) -> None:
    """REPOMAP"""
    config = parse_config(f'{{"autopilot": {written}}}', "C")
    assert config.complaints == ()
    assert narrow(Policy(map_tokens=allowed), config)[0].map_tokens == used
