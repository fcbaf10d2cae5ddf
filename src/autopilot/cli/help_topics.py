"""What `autopilot help TOPIC` says: which commands belong together, and in which order they are used."""

from __future__ import annotations

TOPICS = {
    "start": """From a repository to a first run:
  autopilot doctor                what is missing on this machine, each with its remedy
  autopilot agents                which agents are there; `autopilot agents login NAME` signs one in
  autopilot init                  finds the commands that work here, writes a roadmap template
  autopilot phase add "NAME"      or write .planning/ROADMAP.md yourself; then commit it
  autopilot run next              the next open phase; `autopilot watch` follows it
Without a model: `autopilot demo`.""",
    "phases": """The roadmap, edited by rule. Every edit is one commit; --dry-run shows it as a diff:
  autopilot phase                 list the phases; `autopilot phase show 3` says all about one
  autopilot phase add "NAME"      at the end, with the next integer
  autopilot phase insert 3 "NAME" after phase 3, as 3.1: no other number changes
  autopilot phase remove 7        the phases after it move up, with every reference and folder
  autopilot phase move 6 --before 4
  autopilot phase split 5 "PART" --criteria 3,4
  autopilot phase edit 7 --goal "TEXT" --depends-on 4,5
  autopilot progress              how far the project is, and what comes next""",
    "milestones": """Phases that are shipped together:
  autopilot milestone             list them; `autopilot milestone show v1.1` says what is missing of one
  autopilot run                   stays within the current one; `run all` and numbers do not
  autopilot milestone complete    archives it when its phases are proven; --dry-run shows the diff
  autopilot milestone start v1.2 "NAME"   the next one; then `autopilot phase add`""",
    "runs": """Runs of the roadmap:
  autopilot run 3-7               phases; also next, all, 3,5,8; --dry-run says what would run and what it costs
  autopilot status, watch         where it stands: at once, live
  autopilot cancel, resume        stop it, continue it; a killed run resumes at the step it was in
  autopilot pause                 stop it when the step in progress has ended
  autopilot report                what it came to; --html, --junit
  autopilot run --quality 3, --gaps 3, --force 3   improve or repeat a completed phase""",
    "debug": """One bug, from what is wrong to a proven fix:
  autopilot debug start "TEXT"    symptoms, hypotheses that Autopilot tests, a fix that it proves; then it lands
  autopilot debug start "TEXT" --good v1.4   bisect first; --find-only stops at the cause
  autopilot debug list, show      what is open, what was eliminated and by which run
  autopilot debug continue NAME   after an interruption, after --find-only, or for a phase that failed
  autopilot debug resolve, abandon   your word ends a session""",
    "people": """What waits for you, from any terminal, at any time:
  autopilot gates                 everything that waits, in all your repositories, with the command for it
  autopilot approve, reject       a checkpoint, a gate of an issue
  autopilot answer                questions of --map and --discuss
  autopilot verdict 3 pass        work that only a person can judge""",
    "proof": """What a verdict rests on:
  autopilot why 3                 what does not hold: expected against actual, and how to repeat it by hand
  autopilot evidence 3            every criterion with its command, its commit and its tests
  autopilot evidence verify RUN   runs the recorded commands again and compares
  autopilot shell 3               the tree of a phase, in the sandbox in which it was checked
  autopilot transcript 3          what the agents said
  autopilot log verify            the record itself""",
    "gsd": """Commands of GSD, and what to use here. Planning files of GSD are read and written in its own form:
  /gsd-progress                   autopilot progress
  /gsd-add-phase NAME             autopilot phase add NAME
  /gsd-insert-phase 3 NAME        autopilot phase insert 3 NAME
  /gsd-remove-phase 7             autopilot phase remove 7
  /gsd-complete-milestone v1.0    autopilot milestone complete v1.0
  /gsd-new-milestone              autopilot milestone start v1.1 NAME, then autopilot phase add
  /gsd-plan-phase 3, /gsd-execute-phase 3, /gsd-verify-work 3   autopilot run 3
  /gsd-discuss-phase 3            autopilot run --discuss 3
  /gsd-autonomous                 autopilot run --complete
  /gsd-resume-work                autopilot resume
  /gsd-debug TEXT                 autopilot debug start TEXT
  /gsd-health                     autopilot doctor""",
}
