"""The bash program of a single bats test: what bats offers to tests, under names that are filled in."""

from __future__ import annotations

TEST = r"""
shopt -s expand_aliases
@names@
@x@done= @x@out= @x@bad=
@load@() {
  local @x@path=$1
  [[ $@x@path == /* ]] || @x@path=$@TEST_DIRNAME@/$@x@path
  if [[ -f $@x@path.bash ]]; then @x@path=$@x@path.bash
  elif [[ ! -f $@x@path ]]; then @x@out=1; exit 0; fi
  if ! source "$@x@path"; then exit 1; fi
}
@bats_load_library@() {
  local @x@path @x@paths
  IFS=: read -ra @x@paths <<< "$@LIB_PATH@"
  for @x@path in "${@x@paths[@]}"; do
    for @x@path in "$@x@path/$1" "$@x@path/$1/load.bash"; do
      [[ -f $@x@path ]] || continue
      if ! source "$@x@path"; then exit 1; fi
      return 0
    done
  done
  @x@out=1; exit 0
}
@bats_require_minimum_version@() { return 0; }
@skip@() { @x@out=1; exit 0; }
@x@lines() {
  local @x@line @x@found=()
  if [[ $@x@keep && ${!2} ]]; then
    while IFS= read -r @x@line; do @x@found+=("$@x@line"); done <<< "${!2}"
    eval "$1=(\"\${@x@found[@]}\")"
  else
    IFS=$'\n' read -d '' -r -a "$1" <<< "${!2}" || true
  fi
}
@run@() {
  local @x@want= @x@keep= @x@apart= @x@flags
  while [[ $# -gt 0 && ($1 == -* || $1 == '!') ]]; do
    case $1 in
      '!') @x@want=-1 ;;
      -[0-9]*) @x@want=${1#-} ;;
      --keep-empty-lines) @x@keep=1 ;;
      --separate-stderr) @x@apart=$(mktemp "$@TEST_TMPDIR@/XXXXXX") ;;
      --) shift; break ;;
      *) @x@out=1; exit 0 ;;
    esac
    shift
  done
  @x@flags=$-
  set +eET
  if [[ $@x@apart && $@x@keep ]]; then
    output=$("$@" 2> "$@x@apart"; status=$?; printf .; exit $status) && status=0 || status=$?
  elif [[ $@x@apart ]]; then output=$("$@" 2> "$@x@apart") && status=0 || status=$?
  elif [[ $@x@keep ]]; then output=$("$@" 2>&1; status=$?; printf .; exit $status) && status=0 || status=$?
  else output=$("$@" 2>&1) && status=0 || status=$?
  fi
  [[ $@x@keep ]] && output=${output%.}
  @x@lines lines output
  if [[ $@x@apart ]]; then
    read -d '' -r stderr < "$@x@apart"
    @x@lines stderr_lines stderr
  fi
  set "-$@x@flags"
  case $@x@want in
    '') ;;
    -1) [[ $status -ne 0 ]] || return 1 ;;
    *) [[ $status -eq $@x@want ]] || return 1 ;;
  esac
}
@setup@() { return 0; }
@teardown@() { return 0; }
@setup_file@() { return 0; }
@teardown_file@() { return 0; }
@bats_test_begin@() {
  @TEST_DESCRIPTION@=$1
  if declare -F setup_file > /dev/null; then "setup_file"; else @setup_file@; fi
  if declare -F setup > /dev/null; then "setup"; else @setup@; fi
}
@bats_exit_trap@() {
  trap - EXIT ERR DEBUG
  if declare -F teardown > /dev/null; then "teardown" || @x@bad=1; else @teardown@ || @x@bad=1; fi
  if declare -F teardown_file > /dev/null; then "teardown_file" || :; else @teardown_file@ || :; fi
  [[ ! $@x@out ]] || exit 77
  [[ $@x@done && ! $@x@bad ]] && exit 0
  printf '\n%s\n' "$@x@why"
  exit 1
}
@bats_perform_test@() {
  trap '@x@why=$BASH_COMMAND; @bats_exit_trap@' EXIT
  "@test@"
  @x@done=1
}
set -e@flags@
@x@bad=1
source "@source@"
@x@bad=
@bats_perform_test@
""".lstrip()
