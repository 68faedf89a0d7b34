# The options in a help text of hepta, one per line: name, value, choices, what it does, with the character 31 (unit
# separator) between. The value is "-" where there is none and "=VALUE" where it may be left out. Choices are the values
# that the text lists, a|b after the option or "a, b or c" at the beginning of what it says.
function tell(   n, each, list) {
  if (name == "") return
  list = value ~ /\|/ ? value : ""
  if (list == "" && value != "-" && match(text, /^[a-z][a-z0-9_+-]*(, [a-z][a-z0-9_+-]*)*( or [a-z][a-z0-9_+-]*)?/) &&
      substr(text, 1, RLENGTH) ~ / / && substr(text, RLENGTH + 1) ~ /^($|[,;:]| \()/) list = substr(text, 1, RLENGTH)
  gsub(/, | or /, "|", list)
  for (n = split(name, each, ", "); n > 0; --n) printf "%s\037%s\037%s\037%s\n", each[n], value, list, text
  name = ""
}
/^ +-/ {
  tell()
  sub(/^ +/, "")
  match($0, /^(-[a-zA-Z], )?--[a-z-]+/)
  name = substr($0, 1, RLENGTH)
  text = substr($0, RLENGTH + 1)
  value = "-"
  if (text ~ /^\[=/) {
    value = text
    sub(/^\[/, "", value)
    sub(/\].*/, "", value)
    sub(/^[^ ]*/, "", text)
  } else if (text ~ /^ [^ ]/) {
    value = substr(text, 2)
    sub(/  .*/, "", value)
    text = substr(text, 2 + length(value))
  }
  sub(/^ +/, "", text)
  next
}
name != "" && /^        / { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
{ tell() }
END { tell() }
