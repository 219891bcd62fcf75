package session

import (
	"cmp"
	"context"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
)

// partFiles are the files of a table, and what was found in those that were looked at.
type partFiles struct {
	given   sniff.Given
	files   []string
	in      *inputs.Inputs
	names   []string      // of the files among the inputs, each of which is a table there
	samples []*sniff.File // what was found before the first run, which suggests the types of columns
	united  bool          // what a file lacks of the columns of others is null
	looks   chan struct{} // has room for those of all tables that may be under way

	mu    sync.Mutex
	found []*sniff.File // in each file; nil: nobody has looked
}

// firstLooks is how many files of a table are looked at before it is read, spread over all of them.
// Their samples suggest types; the others are looked at when they are read.
const firstLooks = 16

// sideBySide is how many files of a statement are looked at at a time.
const sideBySide = 16

// look looks at some of the files, and finds out whether all of them are one table.
func (p *partFiles) look(ctx context.Context) error {
	n := len(p.files)
	p.found = make([]*sniff.File, n)
	if err := p.lookAt(ctx, spread(n, firstLooks)); err != nil {
		return err
	}
	if p.isUnited() || p.first().Described() {
		if err := p.lookAt(ctx, spread(n, n)); err != nil {
			return err
		}
	}
	p.united, p.samples = p.isUnited(), p.known()
	sniff.Unite(p.samples)
	if p.united {
		sniff.UniteByName(p.samples)
	}
	for i, f := range p.found {
		if f == nil {
			continue
		}
		if err := p.alike(i); err != nil {
			return err
		}
	}
	return nil
}

// first returns what was found in the first file.
func (p *partFiles) first() *sniff.File { return p.found[0] }

// isUnited reports whether the columns of the files are united by their names: if the statement says so, or, if it
// says nothing, if they are nested. Those whose records may have some of the columns each are united anyway.
func (p *partFiles) isUnited() bool {
	if p.first().Described() {
		return false
	}
	if said := p.given.UnionByName; said != nil {
		return *said
	}
	known := p.known()
	return !areAlike(known) && sniff.IsNested(known)
}

// known returns the files that were looked at.
func (p *partFiles) known() []*sniff.File {
	return columnar.Only(p.found, func(f *sniff.File) bool { return f != nil })
}

// spread returns some of n files, all of them if they are not more than most, with the first and the
// last.
func spread(n, most int) []int {
	some := make([]int, min(n, most))
	for i := range some {
		some[i] = i * (n - 1) / max(len(some)-1, 1)
	}
	return some
}

// lookAt looks at files, several at a time. Its error is that of the first one that has any.
func (p *partFiles) lookAt(ctx context.Context, files []int) error {
	errs := make([]error, len(files))
	var g sync.WaitGroup
	for at, i := range files {
		if p.found[i] != nil {
			continue
		}
		p.looks <- struct{}{}
		g.Go(func() {
			defer func() { <-p.looks }()
			p.found[i], errs[at] = p.sniff(ctx, i)
		})
	}
	g.Wait()
	return cmp.Or(errs...)
}

func (p *partFiles) sniff(ctx context.Context, i int) (*sniff.File, error) {
	return sniff.Look(ctx, func() (vfs.File, error) { return p.open(ctx, i) }, p.given)
}

// part returns what is known of file i, at which it looks if nobody has. It may be called from
// any goroutine.
func (p *partFiles) part(ctx context.Context, i int) (*sniff.File, error) {
	p.mu.Lock()
	known := p.found[i]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	f, err := p.sniff(ctx, i)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found[i] = f.OrSame(p.first())
	return p.found[i], p.alike(i)
}

func (p *partFiles) open(ctx context.Context, part int) (vfs.File, error) {
	return p.in.Open(ctx, p.names[part])
}
