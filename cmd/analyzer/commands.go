package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/compose/answers"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/sql"
)

// Commands that DuckDB's shell has for how it shows answers, and ways to show them. Scripts run without them.
var (
	elsewhereShown = strings.Fields(".bail .changes .columns .echo .header .headers .highlight .large_number_rendering .maxwidth .nullvalue .progress_bar .prompt .rows .separator .thousand_sep .timer .width")
	elsewhereModes = strings.Fields("ascii box column duckbox html insert latex line list quote trash")
)

// terminalFormats are the formats that a terminal can show.
func terminalFormats() []string {
	return slices.DeleteFunc(answers.Formats(), func(name string) bool { return answers.Format(name).Binary() })
}

// command executes a command, which begins with a point: one that was typed, or a line between statements.
func (ses *asker) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
	argument = strings.Trim(strings.TrimSpace(argument), "'\";")
	switch name {
	case ".help":
		return ses.printf("%s\n", shellHelp)
	case ".quit", ".exit":
		ses.ended = true
		return nil
	case ".print":
		return ses.printf("%s\n", strings.ReplaceAll(argument, `\n`, "\n"))
	case ".tables":
		return ses.printf("%s\n", strings.Join(columnar.Each(ses.Readable(), answers.Visible), "\n"))
	case ".schema":
		return ses.schema(ctx, argument)
	case ".mode":
		return ses.mode(argument)
	case ".limit", ".maxrows":
		limit, err := parseRows(argument)
		if err != nil {
			return fault.WrongUsage("Next: .limit 100, or .limit 0 for all rows", "%w", err)
		}
		ses.limit = limit
		return nil
	case ".read":
		return ses.answerFile(ctx, argument)
	}
	if slices.Contains(elsewhereShown, name) {
		ses.tellf("%s is left out: it is a command of another shell.", name)
		return nil
	}
	return fault.WrongUsage("Next: .help", "there is no command %s", name)
}

// answerFile answers the statements in a file.
func (ses *asker) answerFile(ctx context.Context, file string) error {
	if file == "" || file == inputs.Stdin {
		return fault.WrongUsage("Next: .read FILE", "which file?")
	}
	if slices.Contains(ses.reading, file) {
		return fault.BadInput("Next: leave .read out there.", fmt.Errorf("%s reads itself", file))
	}
	ses.reading = append(ses.reading, file)
	defer func() { ses.reading = ses.reading[:len(ses.reading)-1] }()
	text, err := ses.statementsText(ctx, file)
	if err != nil {
		return err
	}
	return ses.statements(ctx, text)
}

// schema shows the columns of a table or file.
func (ses *asker) schema(ctx context.Context, table string) error {
	if table == "" {
		return fault.WrongUsage("Next: .schema TABLE", "which table?")
	}
	name := sql.QuoteText(table)
	if ses.tables[table] != "" || ses.HasView(table) {
		name = sql.QuoteName(table)
	}
	return ses.statements(ctx, "DESCRIBE "+name)
}

// mode says how answers are written from now on.
func (ses *asker) mode(name string) error {
	formats := terminalFormats()
	switch {
	case slices.Contains(formats, name):
		ses.format = answers.Format(name)
	case slices.Contains(elsewhereModes, name):
		ses.tellf(".mode %s is left out: there are %s.", name, strings.Join(formats, ", "))
	default:
		return fault.WrongUsage("Next: .mode "+strings.Join(formats, ", "), "%q is no format for a terminal", name)
	}
	return nil
}
