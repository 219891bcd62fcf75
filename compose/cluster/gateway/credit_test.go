package gateway

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestCreditGoesFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held atomic.Int64
		c := newCredit(10, &held)
		ctx := context.Background()
		if err := c.acquire(ctx, 6); err != nil {
			t.Fatal(err)
		}
		got := make(chan int64, 3)
		for _, n := range []int64{8, 1, 2} {
			go func() {
				if c.acquire(ctx, n) == nil {
					got <- n
				}
			}()
			synctest.Wait()
		}
		if len(got) != 0 || held.Load() != 6 {
			t.Fatalf("%d were let in before the first of them fits, %d held", len(got), held.Load())
		}
		c.release(6)
		synctest.Wait()
		if len(got) != 2 || <-got+<-got != 9 || held.Load() != 9 {
			t.Errorf("not the first two were let in, %d held", held.Load())
		}
		c.exchange(8, 7)
		synctest.Wait()
		if len(got) != 1 || held.Load() != 10 {
			t.Errorf("the third was not let in, %d held", held.Load())
		}
	})
}

func TestCreditOfMoreThanThereIs(t *testing.T) {
	var held atomic.Int64
	c := newCredit(10, &held)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := c.acquire(ctx, 100); err != nil {
		t.Fatalf("alone: %v", err)
	}
	if err := c.acquire(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("with others: %v", err)
	}
	c.release(100)
	if held.Load() != 0 {
		t.Errorf("%d held", held.Load())
	}
}

// The messages of a batch may be larger than the batch. Nobody else is let in until there
// is room for both.
func TestCreditThatGrows(t *testing.T) {
	var held atomic.Int64
	c := newCredit(10, &held)
	fits := func(n int64) bool {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		return c.acquire(ctx, n) == nil
	}
	if !fits(2) {
		t.Fatal("there is no room for the first")
	}
	c.exchange(2, 15)
	if fits(1) || held.Load() != 15 {
		t.Errorf("somebody is let in while %d of 10 are held", held.Load())
	}
	c.release(5)
	if fits(1) || held.Load() != 10 {
		t.Errorf("somebody is let in while %d of 10 are held", held.Load())
	}
	c.release(3)
	if fits(4) || !fits(3) || held.Load() != 10 {
		t.Errorf("three are free, and not let in; %d are held", held.Load())
	}
}

// After any sequence of calls nothing is held, nobody waits for credit that is free, and
// the limit was exceeded only by a single holder.
func TestCreditIsKept(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			var held, sum atomic.Int64
			c := newCredit(10, &held)
			for range rapid.IntRange(1, 20).Draw(rt, "holders") {
				n := int64(rapid.IntRange(1, 14).Draw(rt, "n"))
				patience := time.Duration(rapid.IntRange(0, 5).Draw(rt, "patience")) * time.Second
				keeps := time.Duration(rapid.IntRange(0, 5).Draw(rt, "keeps")) * time.Second
				go func() {
					ctx, cancel := context.WithTimeout(context.Background(), patience)
					defer cancel()
					if c.acquire(ctx, n) != nil {
						return
					}
					if now := sum.Add(n); now > 10 && now != n {
						t.Errorf("%d are held", now)
					}
					time.Sleep(keeps)
					sum.Add(-n)
					c.release(n)
				}()
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			if held.Load() != 0 || c.debt != 0 || !c.free.TryAcquire(10) {
				t.Errorf("%d held, %d owed, or somebody waits in the end", held.Load(), c.debt)
			}
		})
	})
}
