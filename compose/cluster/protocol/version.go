package protocol

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"google.golang.org/grpc/metadata"

	"analyzer/columnar"
	"analyzer/compose/session/fault"
)

// Oldest is the oldest version of the protocol between the processes of a cluster that this
// program speaks, and Version the newest, which is the next one. So processes of two adjacent
// versions work together: a job has one version as long as it lives, the newest that its
// client, the gateway that opened it and all workers spoke then (Spoken). Whoever makes a new
// version keeps what plans, state on disk and messages of the one before mean, by Spec.Version,
// and drops the one before that.
const Oldest = 19

// ending is the version from which on Source.Ends say in which ranges a file is read. A job of the one before reads it as a
// whole.
const ending = 20

// InRanges reports whether files of a job of a version can be read in ranges.
func InRanges(version int) bool { return version >= ending }

// CheckTables refuses tables that who speaks the version before would misread: of lines that are cut, it knows neither
// characters that are left out nor a last field that has the rest.
func CheckTables(version int, tables []*columnar.Table) error {
	for _, t := range tables {
		if version < ending && (t.Last > 0 || slices.ContainsFunc(t.Widths, func(width int) bool { return width < 0 })) {
			return fmt.Errorf("table %s: lines are cut as not all processes of the cluster can: replace those of the version before first", t.Name)
		}
	}
	return nil
}

// speaksKey is the metadata key under which clients say the newest version that they speak.
const speaksKey = "analyzer-protocol"

// Speaking returns a context whose outgoing calls say that this program speaks Version.
func Speaking(ctx context.Context) context.Context {
	return metadata.AppendToOutgoingContext(ctx, speaksKey, strconv.Itoa(Version))
}

// SpokenBy returns the newest version that the caller of a gateway says it speaks; 0: it does not say so.
func SpokenBy(call context.Context) (said int) {
	for _, text := range metadata.ValueFromIncomingContext(call, speaksKey) {
		said, _ = strconv.Atoi(text)
	}
	return said
}

// Spoken returns the newest version that all speak: this program, and others by what they said. Who says
// nothing, 0, speaks Oldest. The result may be a version that this program does not speak.
func Spoken(said ...int) int {
	newest := Version
	for _, v := range said {
		newest = min(newest, cmp.Or(v, Oldest))
	}
	return newest
}

// VersionError says that a job is of a version that this program does not speak.
type VersionError struct {
	Job     JobID
	Version int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("job %s: version %d of the protocol; this process speaks %d and %d", e.Job, e.Version, Oldest, Version)
}

func checkVersion(id JobID, version int) error {
	if version >= Oldest && version <= Version {
		return nil
	}
	return fault.Failure("Next: use the release of analyzer that the cluster runs; analyzer version says which one this is.",
		&VersionError{Job: id, Version: version})
}
