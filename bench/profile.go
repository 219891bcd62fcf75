package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// ProfileVariable is the environment variable that makes a process of this program
// write profiles of itself. Its value is the kinds of profiles, separated by commas, a
// colon, and the directory they go to.
const ProfileVariable = "ANALYZER_PROFILE"

// The kinds of profiles, which are also the extensions of their files.
const (
	ProfileCPU    = "cpu"
	ProfileMemory = "mem"
	ProfileTrace  = "trace"
)

// profile runs a setting once, with profiles of all its processes.
func (c Config) profile(ctx context.Context, t Task, s Setting) (err error) {
	dir, err := c.FS.MkdirTemp(t.SpillDir, "profiles-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.FS.RemoveAll(dir)) }()
	t.env = []string{ProfileVariable + "=" + strings.Join(c.Profiles, ",") + ":" + dir}
	if _, err := c.run(ctx, t, s); err != nil {
		return err
	}
	names, err := c.FS.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.keep(filepath.Join(dir, name), fileName(t.Workload)+"-"+s.slug()+"-"+name); err != nil {
			return fmt.Errorf("keep profile %s: %w", name, err)
		}
	}
	return nil
}

func (c Config) keep(path, name string) (err error) {
	in, err := c.FS.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := c.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// slug returns a setting in a form that can be part of a file's name.
func (s Setting) slug() string {
	text := fmt.Sprintf("%s-%s-%s", s.Transport, strings.ReplaceAll(s.memory(), " ", ""), s.replicas())
	if s.Follow != AtEnd {
		text += "-" + string(s.Follow)
	}
	if s.Pages > 0 {
		text += fmt.Sprintf("-pages%d", s.Pages)
	}
	if s.Scale > 0 {
		text = fmt.Sprintf("%v-%s", s.Scale, text)
	}
	return text
}
