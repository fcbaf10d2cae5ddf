"""What ``go test`` would have printed, made again from its ``-json`` stream: a program for awk, run behind the tool.

Whatever stands behind the call in the user's command (``| grep ok``) must see what it was written for.
"""

RENDER = r"""
function field(name) {
  if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
  return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
}
function plain(text) {
  gsub(/\\\\/, "\001", text); gsub(/\\n/, "\n", text); gsub(/\\t/, "\t", text); gsub(/\\r/, "\r", text)
  gsub(/\\"/, "\"", text); gsub(/\\u003c/, "<", text); gsub(/\\u003e/, ">", text); gsub(/\\u0026/, "\\&", text)
  gsub(/\\u0016/, "", text); gsub(/\001/, "\\\\", text)
  return text
}
!/^[{]/ { print; next }
{ action = field("Action"); package = field("Package"); test = field("Test") }
action ~ /output$/ {
  said = plain(field("Output"))
  if (all || package == "") printf "%s", said
  else if (said !~ /^(=== |PASS\n)/) { n = ++count[package]; line[package, n] = said; from[package, n] = test }
  next
}
test != "" { ended[package, test] = action; next }
!all && action ~ /^(pass|fail|skip)$/ {
  for (i = 1; i <= count[package]; i++)
    if (from[package, i] == "" || ended[package, from[package, i]] == "fail") printf "%s", line[package, i]
}
"""
