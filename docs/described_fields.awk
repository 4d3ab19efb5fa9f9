# SPDX-License-Identifier: Apache-2.0
# awk -f described_fields.awk HEADER: the header as doxygen is to read it. Fields of configurations and workloads are
# described once, in the `describe` of the sources beside the header (X.cpp, X_commands.cpp): those texts become the
# comments of fields that have none. Lines stay where they are.
BEGIN {
  source = ARGV[1]
  sub(/\.hpp$/, "", source)
  take(source ".cpp")
  take(source "_commands.cpp")
}
function take(source,    line, struct, statement, field, text) {
  while ((getline line < source) > 0) {
    if (match(line, /\(Fields& f, [A-Za-z]+& c\) \{/)) {
      struct = substr(line, RSTART + 12, RLENGTH - 18)
      statement = ""
      continue
    }
    if (line ~ /^}/) struct = ""
    if (struct == "") continue
    statement = statement " " line
    if (line !~ /;$/) continue
    if (match(statement, /, c\.[a-z0-9_]+,[ \t]*"/)) {
      field = substr(statement, RSTART + 4, RLENGTH)
      sub(/,.*/, "", field)
      text = substr(statement, RSTART + RLENGTH)
      gsub(/"[ \t]+"/, "", text) # a text in several pieces
      sub(/".*/, "", text)
      described[struct, field] = text
    }
    statement = ""
  }
}
/^struct / { inside = $2 }
/^};/ { inside = "" }
/^  static constexpr const char\* type_name/ { sub(/^  /, "  /** Its `type` in JSON. */ ") }
/^  static constexpr CommandTraits traits/ { sub(/^  /, "  /** What is so of every command of this kind. */ ") }
/^  void for_each_resource\(/ { sub(/^  /, "  /** Shows each resource that it names. */ ") }
/^  CopyCost cost\(/ { sub(/^  /, "  /** What it moves, and between which memories. */ ") }
/^  std::uint64_t accessed_bytes\(/ { sub(/^  /, "  /** Bytes of video memory read and written. */ ") }
inside != "" && /;$/ && !/\/\// {
  field = $0
  sub(/ = .*|\{.*|;$/, "", field)
  sub(/.*[ \t]/, "", field)
  if ((inside, field) in described) $0 = $0 "  ///< " described[inside, field]
}
{ print }
