#!/bin/sh
# Writes the pages of the site that the program ANALYZER prints into DIR: what commands, functions and
# metrics there are.
#
#   docs/site/reference.sh ANALYZER DIR
set -eu
analyzer=$1
dir=$2
mkdir -p "$dir"

block() {
	printf '\n```\n'
	"$@"
	printf '```\n'
}

{
	printf '# Commands and flags\n'
	block "$analyzer" help
	for command in $("$analyzer" help | sed -n '/^COMMANDS:/,/^$/s/^   \([a-z]*\)  .*/\1/p'); do
		printf '\n## %s\n' "$command"
		block "$analyzer" help "$command"
	done
} >"$dir/commands.md"

# Titles are in capitals.
sections() {
	awk '
		/^[A-Z][A-Z]/ { if (open) print "```"; print "\n## " substr($0, 1, 1) tolower(substr($0, 2)) "\n\n```"; open = 1; next }
		{ print }
		END { print "```" }'
}

{
	printf '# Functions of SQL\n'
	COLUMNS=100 "$analyzer" help functions | sections
} >"$dir/functions.md"

{
	printf '# Metrics\n\n'
	"$analyzer" help metrics | sections
} >"$dir/metrics.md"
