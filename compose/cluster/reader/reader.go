// Package reader lets a gateway read files for clients: those below its sources, and no others.
//
// It plays the client's part. It finds files and plans statements as a client does, by the same
// code, and reads the files of a job as a client uploads its own: through the gateway in whose
// process it runs, with the token of whom it reads for. Only batches need no call: the gateway takes
// their rows as they are. So what a gateway makes of a file is what a client makes of it, batch by
// batch, and nothing depends on which gateway does it, or how often.
//
// When a job is opened, its spec says which files it is about: the name, and the fingerprint that
// each had when it was found. A reader that finds another fingerprint ends the job, since two
// versions of a file would make different batches of one number.
//
// A call reads one unit, a split of a table, so that the gateways which a client knows read side by
// side. A reading lasts as long as the call of the client that asked for it. If the gateway dies, the
// client asks another one, which sends all batches of the unit again; ledgers drop those that have come.
package reader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"runtime"
	"slices"
	"time"

	"google.golang.org/grpc"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/fence"
	"analyzer/columnar/vfs/remote"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/quota"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
)

// Config says what a reader reads, and within which bounds.
type Config struct {
	// Sources are the places below which it reads. They stay the caller's.
	Sources *fence.Sources
	// Gateway returns the one in this process, for which it reads.
	Gateway func() *gateway.Gateway
	// Memory is how many bytes readings may take, besides what the gateway holds for uploads.
	Memory int64
	// Own and SpillDir are for files of its own: see session.Config.
	Own      vfs.FS
	SpillDir string
	// Owners says that the gateway tells its callers apart.
	Owners bool
	Crash  func(point string) // called at each failpoint of the gateway that is about reading; it may be nil
}

// Reader implements gateway.Reader. New makes one; the caller closes it once no call is served.
type Reader struct {
	cfg    Config
	client *client.Client
	places *quota.Quota // in MiB
	spare  scan.Spare   // of units that were read for those that are
	memos  memos
}

// here is the gateway, in notices.
const here = "here"

// New returns a reader. It connects on the first call.
func New(cfg Config) (*Reader, error) {
	if cfg.Crash == nil {
		cfg.Crash = func(string) {}
	}
	dial := func(ctx context.Context, _ string) (net.Conn, error) { return cfg.Gateway().Dial(ctx) }
	c, err := client.New(client.Config{Gateways: []string{here}, Options: []grpc.DialOption{grpc.WithContextDialer(dial)}})
	if err != nil {
		return nil, fmt.Errorf("make a reader: %w", err)
	}
	return &Reader{cfg: cfg, client: c, places: quota.New("MiB of readings", max(1, int(cfg.Memory>>20)), cfg.Owners, nil)}, nil
}

// Close frees what the reader holds.
func (r *Reader) Close() error { return r.client.Close() }

// Check refuses files that are not below a source, or that the caller may not read.
func (r *Reader) Check(ctx context.Context, files map[string]protocol.Source) error {
	sources, done, err := r.sourcesFor(ctx)
	if err != nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(files)) {
		for _, f := range files[table].All() {
			if err := sources.Check(f.Name); err != nil {
				return errors.Join(refused(fmt.Errorf("table %s: %w", table, err)), done())
			}
		}
	}
	return done()
}

// sourcesFor returns the sources that the caller may read, until done is called.
func (r *Reader) sourcesFor(ctx context.Context) (s *fence.Sources, done func() error, err error) {
	places := gateway.PlacesOf(ctx)
	if places == nil {
		return r.cfg.Sources, func() error { return nil }, nil
	}
	if s, err = r.cfg.Sources.Below(places); err != nil {
		return nil, nil, fault.WrongUsage("Next: have the token file of the gateways name places below their sources.", "a place that the token may read: %w", err)
	}
	return s, s.Close, nil
}

// refused makes a name outside of sources a refusal of the request. Other errors stay as they are.
func refused(err error) error {
	if errors.Is(err, fence.ErrOutside) {
		return fault.WrongUsage("Next: name files below a source of the gateways; --at says where relative names begin.", "%w", err)
	}
	return err
}

const (
	// memoryOfBind is what finding files and planning may take, in MiB.
	memoryOfBind = 64
	// A goroutine that reads a table takes so many blocks, for what it reads and for the batches
	// that await their confirmation, and so many MiB besides.
	blocksOfReader = 14
	besideBlocks   = 24
)

// looking returns what the caller may look at files in, and with how many MiB, until done is called.
func (r *Reader) looking(ctx context.Context) (s *fence.Sources, mebibytes int, done func() error, err error) {
	owner, takes := gateway.OwnerOf(ctx), min(memoryOfBind, r.places.Share())
	if err := r.places.Take(owner, takes); err != nil {
		return nil, 0, nil, err
	}
	s, end, err := r.sourcesFor(ctx)
	if err != nil {
		r.places.Give(owner, takes)
		return nil, 0, nil, err
	}
	return s, takes, func() error {
		r.places.Give(owner, takes)
		return end()
	}, nil
}

// Bind finds files, and plans a statement.
func (r *Reader) Bind(ctx context.Context, asked *protocol.BindRequest) (b *protocol.Bound, err error) {
	sources, takes, done, err := r.looking(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	files := sources.At(asked.At)
	if asked.Statement == "" {
		b, err = r.find(ctx, files, asked)
	} else {
		b, err = r.plan(ctx, files, asked, takes)
	}
	if err != nil {
		return nil, refused(err)
	}
	for table, source := range b.Sources {
		source.Splits = protocol.SplitsFor(asked.Readers)
		b.Sources[table] = source
	}
	r.cfg.Crash(gateway.PointListed)
	return b, nil
}

// find finds the files of a data set.
func (r *Reader) find(ctx context.Context, files *fence.FS, asked *protocol.BindRequest) (*protocol.Bound, error) {
	src, times := &datasets.Source{Tables: asked.Tables}, make(map[string]int)
	for _, t := range asked.Tables {
		times[t.Name] = 1
	}
	for table, file := range asked.Files {
		if file == inputs.Stdin {
			return nil, fault.WrongUsage("Next: name a file, or read them here, without --at.", "--table %s=-: gateways cannot read the standard input of a client", table)
		}
	}
	in, err := inputs.Find(src, times, inputs.Options{Dir: asked.At, Tables: asked.Files, FS: vfs.With(ctx, files)})
	if err != nil {
		return nil, err
	}
	sources, err := session.Identify(ctx, files, in.Names())
	return &protocol.Bound{Sources: sources}, errors.Join(err, in.Close())
}

// plan plans a statement.
func (r *Reader) plan(ctx context.Context, files *fence.FS, asked *protocol.BindRequest, mebibytes int) (b *protocol.Bound, err error) {
	var notices []protocol.Notice
	ses := session.New(session.Config{
		FS: files, Own: r.cfg.Own, Tables: asked.Files, SpillDir: r.cfg.SpillDir,
		Memory: int64(mebibytes) << 20, Replicas: 1, MaxRejects: -1, MaxIterations: asked.Iterations, KeepNothing: true,
		Notice: func(n session.Notice) { notices = append(notices, protocol.Notice(n)) },
	})
	defer func() { err = errors.Join(err, ses.Close()) }()
	if b, err = ses.BindFor(ctx, asked); err != nil {
		return nil, err
	}
	b.Notices = notices
	return b, nil
}

// Feed reads a unit of a job and uploads it.
func (r *Reader) Feed(ctx context.Context, owner string, spec *protocol.Spec, asked *protocol.FeedRequest, tell gateway.Tell) (report *engine.Report, passed *csv.Passage, err error) {
	job := r.client.JobOf(spec)
	workers, give, err := r.take(owner, spec.Block)
	if err != nil {
		return nil, nil, err
	}
	defer give()
	sources, done, err := r.sourcesFor(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	known := r.memos.take(spec.ID)
	defer r.memos.give(known)
	u, in, err := r.upload(ctx, job, sources, asked, &known.Memo, tell)
	if err != nil {
		return nil, nil, err
	}
	u.Workers, u.Spare = workers, &r.spare
	u.Passed = func(p csv.Passage) { passed = &p }
	r.cfg.Crash(gateway.PointLeased)
	report, err = job.Upload(ctx, u)
	if err = errors.Join(err, in.Close()); err != nil {
		err = r.changed(ctx, job, err)
	}
	return report, passed, refused(err)
}

// mebibytes is what a goroutine takes that reads blocks of a size.
func mebibytes(block int) int { return besideBlocks + blocksOfReader*block>>20 }

// take takes what goroutines need that read a table, as many as there is room for, until give is called.
func (r *Reader) take(owner string, block int) (workers int, give func(), err error) {
	each := mebibytes(block)
	most := r.places.Share() / each
	if most < 1 {
		return 0, nil, protocol.Errorf(protocol.Refused, "to read %d bytes of a table at a time takes %d MiB, and this gateway has %d: give it more --memory, or use a smaller --block-size", block, each, r.places.Share())
	}
	workers = min(most, runtime.GOMAXPROCS(0))
	if err := r.places.Take(owner, workers*each); err != nil {
		return 0, nil, err
	}
	return workers, func() { r.places.Give(owner, workers*each) }, nil
}

// upload returns how the tables of a job are uploaded from its sources.
func (r *Reader) upload(ctx context.Context, job *client.Job, sources *fence.Sources, asked *protocol.FeedRequest, memo *client.Memo, tell gateway.Tell) (u client.Upload, in *inputs.Inputs, err error) {
	journal, err := job.SourceJournal(asked.Unit, memo)
	if err != nil {
		return u, nil, err
	}
	if in, err = r.inputs(job, sources, asked.Unit); err != nil {
		return u, nil, err
	}
	u = client.Upload{
		Open: func(table string) (vfs.File, error) { return in.Open(ctx, table) },
		Files: func(table string) *scan.Files {
			several := job.Spec.Sources[table].Files
			if several == nil {
				return nil
			}
			return several.Scan(func(ctx context.Context, i int) (vfs.File, error) {
				name := client.NameOfFile(table, i)
				f, err := in.Open(ctx, name)
				if err != nil {
					return nil, err
				}
				if err := journal.Check(ctx, name, f); err != nil {
					return nil, errors.Join(fmt.Errorf("table %s: %w", table, err), f.Close())
				}
				return f, nil
			})
		},
		Unit: &asked.Unit, Before: asked.Before, Memo: memo, Inlet: r.inlet, FS: r.cfg.Own, SpillDir: r.cfg.SpillDir, Journal: journal,
		MaxRejects: asked.MaxRejects, MaxRejectShare: asked.MaxRejectShare,
		Progress: func(p engine.Progress) { _ = tell(&protocol.News{Progress: &p}) }, // if nobody listens, the call ends
	}
	if asked.Rejects {
		u.Reject = func(row scan.Reject) error {
			return tell(&protocol.News{Rejected: &protocol.Rejected{Reject: row, Record: row.Record}})
		}
	}
	return u, in, nil
}

// inlet returns where the batches of a split of a scan go.
func (r *Reader) inlet(ctx context.Context, put protocol.Put, acked func(number uint64)) (client.Inlet, error) {
	return r.cfg.Gateway().Inlet(ctx, put, acked)
}

// inputs finds the files of a unit. Those of a table that has several are tables there.
func (r *Reader) inputs(job *client.Job, sources *fence.Sources, u protocol.Unit) (*inputs.Inputs, error) {
	name, times := job.Spec.Plan.Stages[u.Stage].Table, client.ReadsOf(job.Spec, u)
	source, split := job.Spec.Sources[name], job.Spec.Splits(name)[u.Split]
	names, tables := make(map[string]string), []*columnar.Table{job.Spec.Table(name)}
	var group []string
	switch {
	case source.Name != "": // other tables come with the program
		names[name] = source.Name
	case source.Files != nil:
		tables = nil
		for i := split.First; i < split.First+split.Files; i++ {
			of, file := client.NameOfFile(name, i), source.Files.All[i].Name
			names[of], group = file, append(group, of)
			tables = append(tables, &columnar.Table{Name: of, Files: []string{file}})
		}
	}
	files := vfs.Snapshot(sources.At(""), r.cfg.Memory)
	in, err := inputs.Find(session.SourceOf(tables), times, inputs.Options{Tables: names, FS: files})
	if err != nil {
		return nil, err
	}
	if group != nil {
		in.Group(name, group)
	}
	in.Expect(times)
	return in, nil
}

// endTime bounds the attempt to end a job whose sources have changed.
const endTime = 10 * time.Second

// changed ends a job if a file of it is no longer the one that it was opened for. Other errors stay
// as they are.
func (r *Reader) changed(ctx context.Context, job *client.Job, err error) error {
	gone := errors.Is(err, fs.ErrNotExist)
	if !gone && !errors.Is(err, client.ErrChanged) && !errors.Is(err, remote.ErrChanged) {
		return err
	}
	r.cfg.Crash(gateway.PointChanged)
	reason := protocol.PrintableReason(fmt.Sprintf("a source has changed since the job was opened: %v", err))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if failed := r.client.End(ctx, job.Spec.ID, reason); failed != nil {
		return failed // the next gateway finds the same
	}
	return protocol.Errorf(protocol.JobEnded, "job %s has ended: %s", job.Spec.ID, reason)
}
