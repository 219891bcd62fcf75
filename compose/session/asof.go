package session

import (
	"maps"
	"math"
	"slices"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/compose/session/inputs"
)

// AsOf returns how far a run in this process has read each table, in blocks of so many bytes.
func AsOf(r *engine.Report, in *inputs.Inputs, block int, complete bool) *answers.AsOf {
	a := &answers.AsOf{Complete: complete}
	for _, t := range r.Tables {
		read := t.Stats.Progress
		done := read.File
		if read.Data == read.File { // not compressed
			done = read.End
		}
		part := answers.Part{Table: t.Table, Blocks: read.Blocks, Bytes: read.End, Rows: read.Rows, All: allBlocks(in, t.Table, block)}
		if complete {
			part.Share = 1
		} else if size := in.Size(t.Table); size > 0 {
			part.Share = share(done, size)
		}
		a.Tables = append(a.Tables, part)
	}
	return a
}

// AsOfCut returns how far the tables have come that a cut of a job is made of: so many blocks of each.
func AsOfCut(come map[string]uint64, blocks *client.Blocks, in *inputs.Inputs, block int) *answers.AsOf {
	a := new(answers.AsOf)
	for _, table := range slices.Sorted(maps.Keys(come)) {
		bytes, rows := blocks.First(table, come[table])
		part := answers.Part{Table: table, Blocks: int64(come[table]), Bytes: bytes, Rows: rows, All: allBlocks(in, table, block)}
		if size := in.Size(table); size > 0 && !in.Compressed(table) {
			part.Share = share(bytes, size)
		}
		a.Tables = append(a.Tables, part)
	}
	return a
}

// allBlocks returns how many blocks a table has; 0 if unknown.
func allBlocks(in *inputs.Inputs, table string, block int) int64 {
	if in.Compressed(table) {
		return 0
	}
	return (in.Size(table) + int64(block) - 1) / int64(block)
}

// share returns part/all, at most 1, rounded to four digits.
func share(part, all int64) float64 {
	return math.Round(1e4*min(float64(part)/float64(all), 1)) / 1e4
}
