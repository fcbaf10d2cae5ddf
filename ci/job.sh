#!/usr/bin/env bash
# One CI job of Autopilot, for GitHub's action and GitLab's template alike: take up what an earlier job left, run or
# resume, leave the record and the reports. Everything comes in by variables of the environment, so that no text of a
# pull request is ever read as shell.
set -euo pipefail

reports=${AUTOPILOT_REPORTS:-autopilot-reports}
artefact=${AUTOPILOT_ARTEFACT:-$reports/run.artefact}
mkdir -p "$reports"

# What a branch of ours landed in an earlier job is not in this checkout yet; only a merge that loses nothing is made.
# Nothing of the checkout is imported (-I), and git says nothing: the name of a file could be a command to GitHub.
bring_landed() {
    local run
    run=$(autopilot status --json | python3 -I -c 'import json, sys; print(json.load(sys.stdin)["_meta"]["run_id"])')
    if git rev-parse -q --verify "refs/heads/autopilot/$run" >/dev/null; then
        git merge --ff-only "autopilot/$run" >/dev/null 2>&1 ||
            echo "warning: autopilot/$run is not merged: this branch has moved, or files are in the way" >&2
    fi
}

words=(--ci --junit "$reports/junit.xml" --sarif "$reports/autopilot.sarif" --code-quality "$reports/code-quality.json")
if [[ -z ${GITHUB_STEP_SUMMARY:-} ]]; then
    words+=(--summary "$reports/summary.md")
fi
if [[ -n ${AUTOPILOT_ARTEFACT_KEY:-} ]]; then
    words+=(--artefact "$artefact")
else
    echo "warning: AUTOPILOT_ARTEFACT_KEY is not set: no artefact is left, and another machine cannot go on" >&2
fi
for cap in USD TOKENS MINUTES; do
    name=AUTOPILOT_BUDGET_$cap
    if [[ -n ${!name:-} ]]; then
        words+=("--budget-${cap,,}" "${!name}")
    fi
done
if [[ -n ${AUTOPILOT_AGENT:-} ]]; then
    words+=(--agent "$AUTOPILOT_AGENT")
fi
read -r -a flags <<<"${AUTOPILOT_FLAGS:-}"
read -r -a phases <<<"${AUTOPILOT_PHASES:-}"

if [[ -n ${AUTOPILOT_ARTEFACT_KEY:-} && -f $artefact ]]; then
    autopilot log import "$artefact"
    bring_landed
    exec autopilot resume "${words[@]}" "${flags[@]}"
fi
exec autopilot run "${phases[@]}" "${words[@]}" "${flags[@]}"
