"""An empty repository laid out by hand: no template, no hooks, and exactly the configuration we wrote."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autopilot.adapters.files import make_folders, sync_file, sync_folder, translated

_CONFIG = """[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = {bare}
\tlogallrefupdates = {log}
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
# The agent can commit at once, and what we mount for it at .autopilot/ never ends up in a commit.
_AGENT = """[user]
\tname = Agent
\temail = agent@localhost
[commit]
\tgpgSign = false
"""
# A file that is linked, or seen through an overlay, has another inode and another time of change than the index says.
_SHARED = """[core]
\ttrustctime = false
\tcheckStat = minimal
"""
_EXCLUDE = "/.autopilot/\n"
# What ``git init`` writes.
_USERS_BRANCH = "refs/heads/main"
_USERS_CONFIG = """[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
"""
_DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n"
_USERS_EXCLUDE = """# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
"""


def make_vault(path: Path) -> None:
    """Made beside and renamed, so that no process ever sees half of one."""
    with translated(path):
        make_folders(path.parent, 0o700)
        draft = Path(tempfile.mkdtemp(prefix=".vault-", dir=path.parent))  # 0700
        _lay_out(draft, "ref: refs/heads/none\n", _CONFIG.format(bare="true", log="false"))
        _sync_all(draft)
        try:
            draft.rename(path)
        except OSError:
            shutil.rmtree(draft)
            if not path.is_dir():  # otherwise somebody was quicker
                raise
        sync_folder(path.parent)


def lay_out_workspace(git_dir: Path, head: str, ignored: Sequence[str] = (), *, shared: bool = False) -> None:
    """``head``: the name of a branch that is written later, or a commit. ``ignored``: patterns, one a line.

    ``shared``: its files are those of another checkout.
    """
    pointer = f"ref: {head}\n" if head.startswith("refs/") else f"{head}\n"
    _lay_out(git_dir, pointer, _CONFIG.format(bare="false", log="true") + _AGENT + (_SHARED if shared else ""))
    (git_dir / "info").mkdir()
    (git_dir / "info" / "exclude").write_bytes(os.fsencode(_EXCLUDE + _lines(ignored)))


def lay_out_export(git_dir: Path, commit: str, *, shared: bool = False) -> None:
    """As a user's own clone of that commit looks: a check must not be told from a user by it."""
    _lay_out(git_dir, f"ref: {_USERS_BRANCH}\n", _USERS_CONFIG + (_SHARED if shared else ""))
    (git_dir / _USERS_BRANCH).write_text(f"{commit}\n", encoding="utf-8")
    (git_dir / "shallow").write_text(f"{commit}\n", encoding="utf-8")
    for folder in ("branches", "hooks", "info"):
        (git_dir / folder).mkdir()
    (git_dir / "description").write_text(_DESCRIPTION, encoding="utf-8")
    (git_dir / "info" / "exclude").write_text(_USERS_EXCLUDE, encoding="utf-8")


def _lines(patterns: Sequence[str]) -> str:
    return "".join(f"{pattern}\n" for pattern in patterns if "\n" not in pattern)


def _sync_all(git_dir: Path) -> None:
    """After a loss of power, a vault without its configuration would be no repository to git."""
    for here, _, files in os.walk(git_dir):
        for name in files:
            sync_file(Path(here, name))
        sync_folder(Path(here))


def _lay_out(git_dir: Path, head: str, config: str) -> None:
    for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (git_dir / folder).mkdir(parents=True)
    (git_dir / "HEAD").write_text(head, encoding="utf-8")
    (git_dir / "config").write_text(config, encoding="utf-8")
