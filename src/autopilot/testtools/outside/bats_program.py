"""A bash program that calls the tests of bats files. It never starts bats.

It gets a folder of its own; there the file ``b`` says on its first line whether there are signs, and then which test
files are called, ``d`` which files spoke of bats before the work began, and ``t`` is the program of one test, which is
filled in and run in a shell of its own. It prints a line of JSON for each test. With signs everything by which code
finds out that it is being tested is there: the variables, exported; the arguments of the process and of its parent; a
folder of bats in PATH; names of files and functions on the stack. Without them each of these has another name, drawn
anew, in the tests and in what stands beside them; the product is left as it is. That is the only difference between
its two runs.
"""

from __future__ import annotations

DRIVER = r"""
place=$1 root=$PWD number=0
{ read -r signs; mapfile -t files; } < "$place/b"
mapfile -t beside < "$place/d"
LANG=C.UTF-8
blank=$'[ \t]' other=$'[^ \t]'
TITLED="^$blank*@test$blank+(.*$other)$blank+\{(.*)\$"
COMMENTED=$'^[ \t]*([^ \t()]+)[ \t]*\\(?\\)?[ \t]+\\{[ \t]+#[ \t]*@test[ \t]*$'
OURS='(^|/)(tests?|specs?|t|__tests__|e2e|node_modules|vendor)/|\.bats$|(^|[/_.-])(tests?|bats|helpers?|spec)([/_.-]|$)'

draw() { printf -v "$1" 'k%04x%04x' "$RANDOM" "$RANDOM"; }
tell() {
  local test=$1 why=$3
  test=${test//\\/\\\\} why=${why//\\/\\\\}
  test=${test//\"/\\\"} why=${why//\"/\\\"}
  printf '\n{"test":"%s","ended":"%s","why":"%s"}\n' "${test//[[:cntrl:]]/ }" "$2" "${why//[[:cntrl:]]/ }"
}

# By its name in bats: what it is called here.
declare -A named passed_on
KNOWN='TEST_FILENAME TEST_DIRNAME TEST_NAME TEST_NAMES TEST_NUMBER TEST_DESCRIPTION SUITE_TEST_NUMBER TMPDIR RUN_TMPDIR
  SUITE_TMPDIR FILE_TMPDIR TEST_TMPDIR CWD VERSION ROOT LIBEXEC LIB_PATH TEST_TRY_NUMBER OUT'
CALLED='run load skip setup teardown setup_file teardown_file bats_test_begin bats_load_library
  bats_require_minimum_version bats_perform_test bats_exit_trap'
for name in $CALLED $(printf 'BATS_%s\n' $KNOWN); do
  named[$name]=$name
  [[ $signs ]] || draw "named[$name]"
done
spoken=()
while IFS= read -r -d '' path; do
  [[ ${path#./} =~ $OURS || " ${beside[*]} " == *" ${path#./} "* ]] && spoken+=("$path")
done < <(grep -rIlZ --exclude-dir=.git -e BATS_ -e '\brun\b' -e '&3' . 2>/dev/null)

rename() {
  local name script=() mine
  for name in $(grep -Eoh '\bBATS_[A-Z0-9_]+' "${spoken[@]}" | sort -u); do
    [[ ${named[$name]-} ]] || draw "named[$name]"
    script+=(-e "s/\\b$name\\b/${named[$name]}/g")
    # Only what the children of a test are made to ask for is passed on to them.
    mine=$(grep -l "$name" "${spoken[@]}" "${beside[@]}" | grep -Ev '\.(bats|bash)$')
    mine+=$(grep -El "'[^']*[$][{]?$name|[\\\\][$][{]?$name" "${spoken[@]}")$(grep -l "$name" "${beside[@]}" /dev/null)
    [[ ! $mine ]] || passed_on[$name]=1
  done
  [[ ${#script[@]} -eq 0 ]] || sed -i "${script[@]}" "${spoken[@]}"
}
aliases=
if [[ ! $signs && ${#spoken[@]} -gt 0 ]]; then
  rename || exit 0
fi
if [[ ! $signs ]]; then
  for name in $CALLED; do aliases+="alias $name=${named[$name]}"$'\n'; done
  # A helper that calls what it is given finds it by its own name only.
  grep -Ehv '^[[:blank:]]*(@test|#)' "${spoken[@]}" /dev/null |
    grep -Eq '[]["$@}[:alnum:]_.-]+[[:blank:]]+run[[:blank:]]' &&
    aliases+="function run { ${named[run]} \"\$@\"; }"$'\n'
fi
# 3 is where tests may print to.
three=3
if [[ ! $signs ]] && ! grep -qE '[>&]&?3|/3\b' "${spoken[@]}" "${files[@]}" 2>/dev/null; then three=; fi

run_place=$place/r test_program=$place/c
if [[ $signs ]]; then
  run_place=$(mktemp -d "${TMPDIR:-/tmp}/bats-run-XXXXXX")
  mkdir -p "$place/libexec/bats-core" "$place/bin"
  test_program=$place/libexec/bats-core/bats-exec-test
  printf '%s\n' 'file=$1; shift' 'bash "${0%/bin/bats}/libexec/bats-core/bats-exec-test" -x "$file" "$@"' \
    > "$place/bin/bats"
  export PATH="$place/libexec/bats-core:$PATH"
fi

encode() {
  local text=$1 index char code
  encoded=test_
  for ((index = 0; index < ${#text}; index++)); do
    char=${text:index:1}
    case $char in
      ' ') encoded+=_ ;;
      [[:alnum:]]) encoded+=$char ;;
      *) printf -v code -- '-%02x' "'$char"; encoded+=$code ;;
    esac
  done
}

# The file as a shell reads it: each test a function.
prepare() {
  local line title body
  titles=() functions=()
  while IFS= read -r line || [[ $line ]]; do
    line=${line//$'\r'/}
    if [[ $line =~ $TITLED ]] || [[ $line =~ $COMMENTED ]]; then
      title=${BASH_REMATCH[1]#[\'\"]} body=${BASH_REMATCH[2]-}
      title=${title%[\'\"]}
      encode "$title"
      [[ $signs ]] || draw encoded
      titles+=("$title") functions+=("$encoded")
      printf '%s() { %s "%s"; %s\n' "$encoded" "${named[bats_test_begin]}" "$title" "$body"
    else
      printf '%s\n' "$line"
    fi
  done < "$1" > "$2"
}

# The assignments that a test begins with.
head_of() {
  local -A value=(
    [TEST_FILENAME]="$root/$file" [TEST_DIRNAME]="$folder" [TEST_NAME]="$2" [TEST_NAMES]="$2" [TEST_NUMBER]="$3"
    [TEST_DESCRIPTION]="$1" [SUITE_TEST_NUMBER]="$number" [TMPDIR]="${TMPDIR:-/tmp}" [RUN_TMPDIR]="$run_place"
    [SUITE_TMPDIR]="$run_place/suite" [FILE_TMPDIR]="$run_place/file/$4" [TEST_TMPDIR]="$run_place/test/$number"
    [CWD]="$root" [VERSION]=1.8.2 [ROOT]=/usr [LIBEXEC]=/usr/libexec/bats-core
    [LIB_PATH]="${BATS_LIB_PATH:-/usr/lib/bats}" [TEST_TRY_NUMBER]=1 [OUT]="$place/log")
  local name
  for name in "${!value[@]}"; do
    printf '%s=%q\n' "${named[BATS_$name]}" "${value[$name]}"
    [[ ! $signs && ! ${passed_on[BATS_$name]-} ]] || printf 'export %s\n' "${named[BATS_$name]}"
  done
  mkdir -p "$run_place/suite" "$run_place/file/$4" "$run_place/test/$number"
}

spell() {
  local text name
  text=$(< "$place/t")
  for name in $CALLED; do text=${text//"@$name@"/${named[$name]}}; done
  for name in TEST_DIRNAME TEST_TMPDIR LIB_PATH TEST_DESCRIPTION; do text=${text//"@$name@"/${named[BATS_$name]}}; done
  text=${text//@test@/$1} text=${text//@source@/$2} text=${text//@x@/$local}
  text=${text//@names@/$aliases} text=${text//@flags@/${signs:+ET}}
  printf '%s\n' "$text"
}
draw local; [[ ! $signs ]] || local=bats_

call() {
  local words=(bash "$test_program")
  [[ $signs ]] && words=(bash "$place/bin/bats" "$root/$file" "$1" "$number" 1)
  if [[ $three ]]; then
    timeout -k 2 20 "${words[@]}" < /dev/null > "$place/log" 2>&1 3> /dev/null 4> /dev/null
  else
    timeout -k 2 20 "${words[@]}" < /dev/null > "$place/log" 2>&1
  fi
}

for each in "${!files[@]}"; do
  file=${files[each]}
  folder=$root/$file folder=${folder%/*}
  [[ -f $root/$file && ! -e $folder/setup_suite.bash ]] || continue
  source=$run_place/$each
  [[ $signs ]] && source=$run_place/bats.$$$each.src
  mkdir -p "$run_place"
  prepare "$root/$file" "$source"
  for index in "${!titles[@]}"; do
    ((number += 1))
    test=$file::${titles[index]} name=${functions[index]}
    tell "$test" failed 'the process ended'
    { head_of "${titles[index]}" "$name" "$((index + 1))" "$each"; spell "$name" "$source"; } > "$test_program"
    call "$name"
    status=$?
    why=$(tail -n 1 "$place/log" 2> /dev/null | cut -c -200)
    case $status in
      0) tell "$test" passed '' ;;
      77) tell "$test" 'left out' '' ;;
      *) tell "$test" failed "${why:-exit status $status}" ;;
    esac
    [[ $SECONDS -lt 300 ]] || exit 0
  done
done
exit 0
""".lstrip()
