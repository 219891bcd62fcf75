package csv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// shortRows makes rows of about 27 bytes without quotes.
func shortRows(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := bytes.NewBufferString("userId,movieId,rating,timestamp\n")
	for user := 1; b.Len() < size; user++ {
		fmt.Fprintf(b, "%d,%d,%d.%d,%d\n", user/20, rng.IntN(100000), rng.IntN(5), 5*rng.IntN(2), 800000000+rng.IntN(700000000))
	}
	return b.Bytes()
}

// longText makes rows of quoted prose, with a doubled quote now and then.
func longText(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`the story of a man who, after many years, comes home and finds that "" nothing is as it was; of love and loss, of war and of peace`)
	b := bytes.NewBufferString("id,text,score\n")
	for id := 1; b.Len() < size; id++ {
		fmt.Fprintf(b, "%d,\"", id)
		for range 50 + rng.IntN(150) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		b.WriteString("\",1\n")
	}
	return b.Bytes()
}

// irregularRows makes rows in which quotes stand where they should not.
func irregularRows(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := bytes.NewBufferString("id,name,price\r\n")
	for id := 1; b.Len() < size; id++ {
		fmt.Fprintf(b, "%d,pipe of %d\" and \"more\",%d\r\n", id, rng.IntN(100), rng.IntN(1000))
	}
	return b.Bytes()
}

var benchFiles = []struct {
	name string
	make func(int) []byte
}{{"short", shortRows}, {"long", longText}, {"irregular", irregularRows}}

var commas = syntax{Quoting: doubleQuotes, delimiter: ","}

// BenchmarkIndex finds all field ends of a block in memory.
func BenchmarkIndex(b *testing.B) {
	for _, file := range benchFiles[:2] {
		for name, k := range available() {
			b.Run(file.name+"/"+name, func(b *testing.B) {
				data := file.make(DefaultBlockSize)
				n := len(data)
				data = append(data, make([]byte, 2*wordBytes)...)[:n]
				var blk Block
				b.SetBytes(int64(n))
				b.ReportAllocs()
				begin := cpuTime()
				for b.Loop() {
					blk.reset(n)
					blk.data = data
					blk.lexer.reset(&commas, k.classify)
					blk.words = blk.lexer.rest(blk.words[:0], data)
					blk.bounds = append(blk.bounds, -1)
					blk.records.end = 0
					blk.indexRegular(k.extract, false)
					if blk.lexer.sum.irregular[0] != 0 || blk.Len() == 0 {
						b.Fatal("irregular")
					}
				}
				reportCPU(b, begin, n)
			})
		}
	}
}

// BenchmarkRead reads a file in memory, block by block, with some workers.
func BenchmarkRead(b *testing.B) {
	for _, file := range benchFiles {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", file.name, workers), func(b *testing.B) {
				data := file.make(64 << 20)
				blocks := make([]Block, workers)
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				begin := cpuTime()
				for b.Loop() {
					r, err := Open(context.Background(), newFile(data), Options{})
					if err != nil {
						b.Fatal(err)
					}
					var wg sync.WaitGroup
					for i := range blocks {
						wg.Go(func() {
							for {
								if err := r.Next(context.Background(), &blocks[i]); errors.Is(err, io.EOF) {
									return
								} else if err != nil {
									b.Error(err)
									return
								}
							}
						})
					}
					wg.Wait()
					r.Close()
				}
				reportCPU(b, begin, len(data))
			})
		}
	}
}
