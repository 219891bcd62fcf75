package scan

import (
	"cmp"
	"slices"
)

// sums adds up what was found in the files of a table.
type sums struct {
	Stats
	shown []shown
}

// shown is a rejected record of a file.
type shown struct {
	file int
	Reject
}

// Sum returns what was found in all parts of a table, in their order.
func Sum(parts []Stats) Stats {
	var all sums
	for i := range parts {
		all.add(i, &parts[i], DefaultSamples)
	}
	return all.stats()
}

// add adds what was found in a file. samples is how many records are shown of each reason and
// column.
func (all *sums) add(file int, s *Stats, samples int) {
	if all.File == "" || file == 0 {
		all.File = s.File
	}
	all.Progress.add(s.Progress)
	all.Rejected, all.Warnings = addCounts(all.Rejected, s.Rejected), addCounts(all.Warnings, s.Warnings)
	for _, notice := range s.Notices {
		if !slices.Contains(all.Notices, notice) {
			all.Notices = append(all.Notices, notice)
		}
	}
	if len(s.Samples) == 0 {
		return
	}
	for _, r := range s.Samples {
		all.shown = append(all.shown, shown{file, r})
	}
	slices.SortStableFunc(all.shown, func(a, b shown) int { return a.file - b.file })
	count := make(map[[2]string]int)
	all.shown = slices.DeleteFunc(all.shown, func(r shown) bool {
		of := [2]string{r.Reason, r.Column}
		count[of]++
		return count[of] > samples
	})
}

func (all *sums) clone() *sums {
	other := *all
	other.Rejected, other.Warnings = slices.Clone(all.Rejected), slices.Clone(all.Warnings)
	other.Notices, other.shown = slices.Clone(all.Notices), slices.Clone(all.shown)
	return &other
}

// stats returns the sums. The caller owns them.
func (all *sums) stats() Stats {
	out := all.Stats
	for _, r := range all.shown {
		out.Samples = append(out.Samples, r.Reject)
	}
	return out
}

func (p *Progress) add(of Progress) {
	p.File, p.Data, p.Blocks, p.End, p.Rows = p.File+of.File, p.Data+of.Data, p.Blocks+of.Blocks, p.End+of.End, p.Rows+of.Rows
}

// addCounts adds counts to others, both in the order of Stats.
func addCounts(all, more []Count) []Count {
	for _, c := range more {
		at, found := slices.BinarySearchFunc(all, c, inOrder)
		if found {
			all[at].Count += c.Count
		} else {
			all = slices.Insert(all, at, c)
		}
	}
	return all
}

// inOrder compares counts by what they are of.
func inOrder(a, b Count) int {
	return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Column, b.Column))
}
