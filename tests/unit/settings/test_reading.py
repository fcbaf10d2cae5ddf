"""settings.toml: chains, profiles, agents and limits, read as written or refused with the way out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.agent_config import AgentConfig, Price
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.forge import ForgeConfig
from autopilot.model.notice import Notify
from autopilot.model.policy import Breaker, Evidence, Policy, Timeouts
from autopilot.model.step import Role
from autopilot.settings.faults import AGENT_SECTIONS, PRICE
from autopilot.settings.reading import Settings, read_settings
from tests.unit.making import policy_of

# covers: T1, INV-7

GUIDE = Path(__file__).parents[3] / "docs" / "settings.md"

WHOLE = """
[agents]
default = ["claude:sonnet", "codex"]
judge = "codex:gpt-5.5"

[profiles.quality]
default = "claude:opus"
planner = ["claude:opus", "codex"]

[agent.claude]
key_env = "ANTHROPIC_API_KEY"
base_url = "https://models.example.org"
wall_s = 1800
usd = 2.5

[agent.mine]
kind = "command"
program = "~/bin/my-agent"
args = ["--out", "{reply}"]
reply = "file"
pass_env = ["MY_TOKEN"]
show = ["~/my-agent"]
price = { input = 1.0, output = 2.0 }

[limits]
max_wait_minutes = 90
"""


def read(folder: Path, text: str) -> Settings:
    path = folder / "autopilot" / "settings.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return read_settings({"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PATH": "/usr/bin"})


def chain(policy: Policy, role: str) -> list[str]:
    return [str(assignment) for assignment in policy.chain(role)]


def test_chains_profiles_and_agents_are_read_as_they_are_written(tmp_path: Path) -> None:
    settings = read(tmp_path, WHOLE)
    assert settings.file.unknown == ()
    assert settings.agent["claude"] == AgentConfig(
        key_env="ANTHROPIC_API_KEY", base_url="https://models.example.org", wall_s=1800, usd=2.5
    )
    assert settings.agent["mine"].price == Price(1.0, 2.0)
    policy = settings.policy()
    assert chain(policy, "executor") == ["claude:sonnet", "codex"]
    assert chain(policy, "judge") == ["codex:gpt-5.5"]
    assert policy.assignments.max_wait_minutes == 90
    assert policy.agent_names == ("claude", "codex")


def test_prompts_have_room_for_a_map_until_the_user_says_otherwise(tmp_path: Path) -> None:
    """REPOMAP"""
    assert read(tmp_path, "").policy().map_tokens == 2_000
    assert read(tmp_path, "map_tokens = 0\n").policy().map_tokens == 0


def test_the_completion_is_on_until_the_user_switches_it_off(tmp_path: Path) -> None:
    usual, quiet = read(tmp_path, "").policy(), read(tmp_path, "self_audit = false\nversion_bump = false\n").policy()
    assert (usual.self_audit, usual.version_bump) == (True, True)
    assert (quiet.self_audit, quiet.version_bump) == (False, False)


def test_limits_and_timeouts_can_be_raised(tmp_path: Path) -> None:
    policy = read(tmp_path, "[breaker]\nretries_per_run = 40\n[timeouts]\ntest = 7200\n").policy()
    assert policy.breaker == Breaker(retries_per_run=40)
    assert policy.timeouts == Timeouts(test=7200)
    assert read(tmp_path, "[breaker]\nretry = 4\n").file.unknown[0].startswith("breaker.retry in line 2 (known keys: ")


@pytest.mark.parametrize(
    ("lines", "wrong", "default"),
    [
        ("[timeouts]\n\ntest = 0\n", ":3: [timeouts] test is 0: each such call would time out before", "1800"),
        ("timeouts.agent_stall = 0.0\n", ":1: [timeouts] agent_stall is 0: each such call would time out", "900"),
        ("[breaker]\nno_progress = 0\n", ":2: [breaker] no_progress is 0: each phase would be stopped before", "3"),
        ("[breaker]\nsame_error = 0\n", ":2: [breaker] same_error is 0: each phase would be stopped before", "5"),
        ("breaker = {no_progress = 0}\n", ": [breaker] no_progress is 0: each phase would be stopped before", "3"),
    ],
)
def test_a_zero_that_ends_everything_at_once_is_refused_with_its_line(
    tmp_path: Path, lines: str, wrong: str, default: str
) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, lines)
    assert f"settings.toml{wrong}" in str(raised.value)
    assert raised.value.hint.endswith(f"the default is {default}")


def test_every_layer_of_evidence_is_on_until_the_user_switches_one_off(tmp_path: Path) -> None:
    usual, less = read(tmp_path, ""), read(tmp_path, "[evidence]\nmutants = false\nrepeats = 0\n")
    assert usual.policy().evidence == Evidence.full()
    assert less.policy().evidence == replace(Evidence.full(), mutants=False, repeats=0)
    assert less.file.unknown == ()
    assert "evidence.mutant" in read(tmp_path, "[evidence]\nmutant = false\n").file.unknown[0]


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (
            '[agents]\njugde = "claude"\n',
            "unknown key agents.jugde in line 2 (did you mean judge? known keys: default, ",
        ),
        ('egress = "open"\n', "unknown key egress in line 1 (it belongs below [agent.NAME]); it has no effect"),
        ("[agents]\ndefault = []\n", "[agents] default is empty; it chooses no agent"),
        ('sandbox_show = ["/nope"]\n', "sandbox_show names /nope, which does not exist"),
        ('[agent.claude]\nkey_env = "UNSET"\n', "[agent.claude] key_env names UNSET, which is not set in your"),
    ],
)
def test_settings_that_probably_do_not_do_what_their_user_wants_are_named(
    tmp_path: Path, text: str, doubt: str
) -> None:
    settings = read(tmp_path, text)
    [found] = settings.doubts()
    assert found.startswith(doubt)
    assert settings.policy().agent_names == (), "a misspelt role chooses no agent"


def test_an_agent_without_kind_is_compared_only_with_similar_names(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, '[agent.mine]\nprogram = "x"\n').policy()
    assert raised.value.hint.startswith("kind is one of ")


@pytest.mark.parametrize("line", ["repeats = -1", "repeats = 21", "canary = 'off'"])
def test_a_word_about_evidence_that_means_nothing_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=r"\[evidence\] (repeats|canary)"):
        read(tmp_path, f"[evidence]\n{line}\n")


def test_notifications_are_as_the_user_wants_them(tmp_path: Path) -> None:
    # covers: NOTE
    text = '[notify]\ndesktop = false\ncommand = "tell-me"\nwebhook = "https://h.example.org/x"\non = ["gate"]\n'
    assert read(tmp_path, text).notify == Notify(False, "tell-me", "https://h.example.org/x", ("gate",))
    assert read(tmp_path, "").notify == Notify(desktop=True, on=("gate", "halt", "completion"))
    assert read(tmp_path, "[notify]\nwebhok = 'x'\n").file.unknown == (
        "notify.webhok in line 2 (did you mean webhook? known keys: desktop, command, webhook, on)",
    )


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('on = ["gates"]', 'on contains "gates"'),
        ('webhook = "http://h.example.org/s3cret"', "webhook is not an https:// address"),
        ('webhook = "h.example.org/s3cret"', "webhook is not an https:// address"),
        ('webhook = "https://h.example.org:s3cret/"', "webhook is not an https:// address"),
    ],
)
def test_a_notification_that_could_not_be_sent_is_refused_and_no_address_is_repeated(
    tmp_path: Path, line: str, wrong: str
) -> None:
    # covers: NOTE
    with pytest.raises(UsageError, match=re.escape(f"[notify] {wrong}")) as caught:
        read(tmp_path, f"[notify]\n{line}\n")
    assert "s3cret" not in str(caught.value)


def test_a_forge_is_none_until_the_user_names_one(tmp_path: Path) -> None:
    assert read(tmp_path, "").forge == ForgeConfig("none", "origin", "")
    named = read(tmp_path, '[forge]\nkind = "gh"\nremote = "upstream"\nbase = "develop"\n')
    assert named.forge == ForgeConfig("gh", "upstream", "develop")
    assert read(tmp_path, "[forge]\nknd = 'gh'\n").file.unknown == (
        "forge.knd in line 2 (did you mean kind? known keys: kind, remote, base, url, token_env)",
    )


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('kind = "github"', 'kind is "github"'),
        ('remote = ""', "remote is neither a name nor an address"),
        ('remote = "--receive-pack=s3cret"', "remote is neither a name nor an address"),
        ('base = "--fill"', 'base is "--fill"'),
        ("kind = 1", "kind: expected text"),
    ],
)
def test_a_forge_that_could_not_be_asked_is_refused(tmp_path: Path, line: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"[forge] {wrong}")) as caught:
        read(tmp_path, f"[forge]\n{line}\n")
    assert "s3cret" not in str(caught.value)


def test_what_a_profile_says_goes_first_and_the_rest_stays(tmp_path: Path) -> None:
    policy = read(tmp_path, WHOLE.replace("[agents]", "[agents]\nrater = []")).policy()
    quality = policy_of(agents=policy.assignments.agents, profiles=policy.assignments.profiles, model_profile="quality")
    assert chain(quality, "planner") == ["claude:opus", "codex"]
    assert chain(quality, "executor") == chain(quality, "rater") == ["claude:opus"]
    assert chain(quality, "judge") == ["codex:gpt-5.5"], "a role that is named goes before any default"


def test_every_agent_there_is_has_a_provider(tmp_path: Path) -> None:
    more = '[agent.work]\nkind = "claude"\n[agent.local]\nkind = "acp"\nprogram = "goose"\nprovider = "ours"\n'
    providers = read(tmp_path, WHOLE + more).policy().assignments.providers
    assert providers["claude"] == providers["work"] == providers["claude-acp"] == "anthropic"
    assert (providers["codex"], providers["mine"], providers["local"]) == ("openai", "mine", "ours")
    assert providers["scripted"] == "scripted"


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ('[agent.x]\nkind = "clod"\n', '[agent.x] kind is "clod"', "kind is one of claude, codex, acp, command"),
        ('[agent.x]\nmodel = "big"\n', "[agent.x] has no kind", "; the agents claude, codex, "),
        ('[agent.x]\nkind = "command"\n', "[agent.x] has no program", "program ="),
        ('[agent.x]\nkind = "acp"\nprogram = "bin/x"\n', 'program is "bin/x"', "absolute path"),
        ('[agent.claude]\nbase_url = "localhost:80"\n', 'base_url is "localhost:80"', "http://"),
        ('[agent.claude]\nbase_url = "http://localhost/v1"\n', "cannot be offered inside a sandbox", "1024"),
        ('[agent.claude]\negress = "none"\n', 'egress is "none"', 'egress = "open"'),
        ('[agent.claude]\nhosts = ["https://example.org"]\n', "which is not a host name", '"*.example.org"'),
        ('[agent.claude]\nhosts = ["127.0.0.1:80"]\n', "needs a port from 1024 on", "use a port from 1024 on"),
        ('[agent.claude]\nhosts = ["localhost"]\n', "needs a port from 1024 on", "127.0.0.1:8080"),
        ('[agent.claude]\nkey_env = "a b"\n', 'key_env is "a b", which is not the name', "MY_KEY"),
        ("[agent.claude]\nusd = 0\n", "usd is 0", "above zero"),
        ("[agent.claude]\nwall_s = -5\n", "wall_s is -5", "above zero"),
        ("[agent.claude]\nusd = nan\n", "usd is nan", "above zero"),
        ("[agent.claude]\nprice = {input = 1, output = inf}\n", "price of output is inf", "USD"),
        ('[agent.claude]\nshow = ["/"]\n', 'shows it "/"', "show only the folders it needs"),
        ('[agent.x]\nkind = "command"\nprogram = "x"\nreply = "pipe"\n', 'reply is "pipe"', 'reply = "stdout"'),
        (
            '[agent.x]\nkind = "command"\nprogram = "x"\nprompt = "file"\n',
            "args does not contain its path",
            '"{prompt}"',
        ),
        ('[agent."../x"]\nkind = "command"\nprogram = "x"\n', "is not a valid name of an agent", "letters"),
    ],
)
def test_an_agent_that_is_described_wrongly_is_refused_before_anything_starts(
    tmp_path: Path, text: str, said: str, hint: str
) -> None:
    settings = read(tmp_path, text)
    with pytest.raises(UsageError) as raised:
        settings.policy()
    assert str(raised.value).startswith(settings.source)
    assert said in str(raised.value)
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('[agents]\ndefault = "clod"\n', "[agents] default"),
        ('[agents]\njudge = ["claude", "clod:big"]\n', "[agents] judge"),
        ('[agents]\ndefault = "claude"\n[profiles.speed]\nrater = "clod"\n', "[profiles.speed] rater"),
    ],
)
def test_an_agent_that_nobody_knows_is_found_at_the_start_whichever_chain_names_it(
    tmp_path: Path, text: str, position: str
) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, text).policy()
    assert str(raised.value).endswith(f"/settings.toml: {position}: there is no agent named 'clod'")
    assert "choose one of: claude, codex, " in raised.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "[agents]\ndefault = 5\n",
        "[agents]\ndefault = [1]\n",
        '[agent.claude]\nargs = "x"\n',
        "[agent]\nclaude = 1\n",
        '[profiles]\nquality = "claude"\n',
        "[limits]\nmax_wait_minutes = -1\n",
        "[limits]\nmax_wait_minutes = inf\n",
        "[limits]\nfirst_wait_s = nan\n",
        "[limits]\nfirst_wait_s = 0\n",
        "[budget]\nminutes = inf\n",
        "[budget]\nusd = -1\n",
        "map_tokens = -1\n",
        "map_tokens = 50_001\n",
        'map_tokens = "many"\n',
    ],
)
def test_a_value_of_the_wrong_form_is_refused_with_the_file_and_where_to_look(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, text)
    assert "settings.toml: " in str(raised.value)
    assert raised.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[budget]\ntokens = -1\n", "[budget] tokens is -1, not a finite number of 0 or more"),
        ("[budget]\nusd = inf\n", "[budget] usd is inf, not a finite number of 0 or more"),
        ("[evidence]\nrepeats = 99\n", "[evidence] repeats is 99, not a number from 0 to 20"),
        ('sandbox = "none"\n', 'sandbox is "none", which is neither "on" nor "off"'),
        ('[forge]\nkind = "gitea"\n', "[forge] url is missing: it says which Gitea or Forgejo"),
        ('[forge]\nkind = "gitea"\nurl = "http://git.example.org"\n', "[forge] url is not an https:// address"),
        ('[forge]\nkind = "glab"\nurl = "git.example.org"\n', "[forge] url is not an https:// address"),
        ('[forge]\ntoken_env = "abc-secret"\n', "[forge] token_env is not the name of a variable"),
        ('[forge]\nkind = "hub"\n', '[forge] kind is "hub", which Autopilot does not know'),
        ('[notify]\non = ["all"]\n', '[notify] on contains "all", which is not a kind of notification'),
        ('[agent.codex]\nwall_s = "long"\n', "[agent.codex] wall_s: expected a number, got text"),
        ("[agent.codex]\nargs = 5\n", "[agent.codex] args: expected a list, got a whole number"),
        ("[agent.codex]\nprice = {input = 1}\n", f"[agent.codex] price has no output{PRICE}"),
        ("[agent.codex]\nenv = {A = 1}\n", "[agent.codex] env: expected text, got a whole number"),
        ('[agent]\ncodex = "x"\n', "[agent] codex: expected a table, got text"),
        ("agent = 1\n", "agent: expected a table, got a whole number"),
        ("[agents]\njudge = true\n", "[agents] judge: expected text or a list, got true or false"),
        (
            '[agents.mine]\nkind = "acp"\n',
            "[agents.mine]: [agents] says which agent has a role; describe an agent of your own below [agent.mine]",
        ),
        ("[profiles.speed]\njudge = 1.5\n", "[profiles.speed] judge: expected text or a list, got a number"),
        ('[budget]\ntokens = "many"\n', "[budget] tokens: expected a whole number, got text"),
        ("sandbox = false\n", 'sandbox is false, which is neither "on" nor "off"'),
        ('[verify]\nnetwork = "x"\n', '[verify] network is "x", not one of none, loopback, open'),
    ],
)
def test_a_value_of_the_wrong_form_is_told_with_its_place_in_the_words_of_the_file(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, text)
    assert str(raised.value).endswith(f"settings.toml: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[agent.codex]\nbase_ulr = "http://x"\n',
            "[agent.codex] unknown key base_ulr; did you mean base_url?",
        ),
        ("[agent.codex]\nxyz = 1\n", "[agent.codex] unknown key xyz"),
        (
            "[agent.codex]\nprice = {input = 1, output = 2, cache = 1}\n",
            "[agent.codex] price: unknown key cache; did you mean cached?",
        ),
        (
            '[agnet.codex]\nbase_url = "http://127.0.0.1:9"\n',
            f"unknown section [agnet]; did you mean {AGENT_SECTIONS}?",
        ),
        ("[budgets]\nusd = 1\n", "unknown section [budgets]; did you mean [budget]?"),
    ],
)
def test_a_misspelt_word_about_an_agent_is_refused_with_the_one_that_was_meant(
    tmp_path: Path, text: str, said: str
) -> None:
    settings = read(tmp_path, text)
    with pytest.raises(UsageError) as raised:
        settings.policy()
    assert str(raised.value).endswith(f"settings.toml: {said}")
    assert settings.file.unknown == ()


def test_a_misspelt_agent_in_the_settings_is_asked_about(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no kind") as raised:
        read(tmp_path, '[agent.cladue]\nmodel = "x"\n').policy()
    assert raised.value.hint.startswith("did you mean claude? kind is one of ")


def test_misspelt_keys_of_profiles_and_limits_are_told(tmp_path: Path) -> None:
    text = '[profiles.fast]\njudge = "claude"\n[profiles.speed]\njury = "claude"\n'
    unknown = "\n".join(read(tmp_path, text + "[limits]\nwait = 1\n").file.unknown)
    for key in ("profiles.fast in line 1 (", "profiles.speed.jury in line 4 (", "limits.wait in line 6 ("):
        assert key in unknown


def test_what_is_wrong_with_agents_stops_no_command_that_needs_none(tmp_path: Path) -> None:
    settings = read(tmp_path, '[agent.x]\nkind = "clod"\n')
    assert settings.roster().credential_files() is not None
    with pytest.raises(AutopilotError):
        settings.policy()


def test_the_documentation_names_every_role() -> None:
    roles = GUIDE.read_text(encoding="utf-8").partition("\nRoles: ")[2].partition(". ")[0]
    unnamed = [role.value for role in Role if not re.search(rf"\b{role}\b", roles)]
    assert unnamed == [], "docs/settings.md lists the roles under `Who does what`"


def test_the_example_in_the_documentation_is_read_without_a_word(tmp_path: Path) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in guide.split("```toml\n")[1:]]
    assert len(blocks) > 5
    for block in blocks:
        settings = read(tmp_path, block)
        assert settings.file.unknown == (), block
        settings.policy()
