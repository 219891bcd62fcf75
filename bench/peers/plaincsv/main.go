// Command plaincsv answers the stress plans as a short Go program would: encoding/csv,
// maps, one goroutine. It has no memory limit.
package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	data := flag.String("data", ".", "directory of ratings.csv")
	query := flag.String("query", "", "groups, selfjoin or listagg; none: start and leave")
	flag.Parse()
	if *query == "" {
		return
	}
	columns, row, err := answer(filepath.Join(*data, "ratings.csv"), *query)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(map[string]any{
			*query: map[string]any{"columns": columns, "rows": [][]any{row}},
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "plaincsv:", err)
		os.Exit(3)
	}
}

type pair struct{ user, movie int32 }

// count is how many ratings a pair has, and their sum.
type count struct {
	n   int64
	sum float64 // ratings are halves, which add up exactly
}

func answer(path, query string) (columns []string, row []any, err error) {
	switch query {
	case "groups":
		groups, err := grouped(path)
		var all count
		for _, g := range groups {
			all.n += g.n
			all.sum += g.sum
		}
		return []string{"groups", "ratings", "rating_sum"}, []any{len(groups), all.n, all.sum}, err
	case "selfjoin":
		build, err := grouped(path)
		if err != nil {
			return nil, nil, err
		}
		var all count
		err = each(path, func(p pair, rating float64) {
			for range build[p].n {
				all.n++
				all.sum += rating
			}
		})
		return []string{"pairs", "rating_sum"}, []any{all.n, all.sum}, err
	case "listagg":
		lists := make(map[int32][]int32)
		err := each(path, func(p pair, _ float64) { lists[p.user] = append(lists[p.user], p.movie) })
		var ratings, sum int64
		for _, list := range lists {
			ratings += int64(len(list))
			for _, movie := range list {
				sum += int64(movie)
			}
		}
		return []string{"users", "ratings", "movie_id_sum"}, []any{len(lists), ratings, sum}, err
	}
	return nil, nil, fmt.Errorf("there is no query %q", query)
}

func grouped(path string) (map[pair]count, error) {
	groups := make(map[pair]count)
	err := each(path, func(p pair, rating float64) {
		g := groups[p]
		groups[p] = count{g.n + 1, g.sum + rating}
	})
	return groups, err
}

// each calls f with every rating.
func each(path string, f func(p pair, rating float64)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	r := csv.NewReader(bufio.NewReaderSize(file, 1<<20))
	r.ReuseRecord = true
	if _, err := r.Read(); err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		user, err1 := strconv.ParseInt(record[0], 10, 32)
		movie, err2 := strconv.ParseInt(record[1], 10, 32)
		rating, err3 := strconv.ParseFloat(record[2], 64)
		if errors.Join(err1, err2, err3) != nil {
			continue // every program leaves out rows that do not parse
		}
		f(pair{int32(user), int32(movie)}, rating)
	}
}
