// Command eldgen makes the n-gram file of package language out of the npm
// package eld 2.1.0 and a list of English words. In the folder of package
// language, with the unpacked package in ../eld:
//
//	npm pack eld@2.1.0 && tar xzf eld-2.1.0.tgz
//	go run ./internal/eldgen -eld package -words english.txt -o ngrams.bin
//
// The result depends on nothing else, but for the version of the zstandard
// compressor.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"analyzer/operators/language/internal/ngram"
)

func main() {
	eld := flag.String("eld", "package", "unpacked npm package eld 2.1.0")
	size := flag.String("size", "large", "which of its tables: extrasmall, small, medium, large")
	words := flag.String("words", "english.txt", "English words that are to score whole")
	out := flag.String("o", "ngrams.bin", "file to write")
	flag.Parse()
	if err := run(*eld, *size, *words, *out); err != nil {
		fmt.Fprintln(os.Stderr, "eldgen:", err)
		os.Exit(1)
	}
}

// run reads the sources, merges them and writes the file.
func run(eld, size, words, out string) error {
	source := make(map[string]string)
	for _, name := range []string{"dictionary.js", "regexPatterns.js", "ngrams/" + size + ".js"} {
		b, err := os.ReadFile(filepath.Join(eld, "src", filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("read eld: %w", err)
		}
		source[name] = string(b)
	}
	bytes, err := parseDictionary(source["dictionary.js"])
	if err != nil {
		return fmt.Errorf("dictionary.js: %w", err)
	}
	letters, err := parseLetters(source["regexPatterns.js"])
	if err != nil {
		return fmt.Errorf("regexPatterns.js: %w", err)
	}
	table, err := parseTable(source["ngrams/"+size+".js"], bytes)
	if err != nil {
		return fmt.Errorf("ngrams/%s.js: %w", size, err)
	}
	list, err := os.ReadFile(words)
	if err != nil {
		return fmt.Errorf("read words: %w", err)
	}
	if err := table.addWords(string(list)); err != nil {
		return fmt.Errorf("%s: %w", words, err)
	}
	model := table.model()
	model.Letters = letters
	file, err := ngram.Encode(model)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	if err := os.WriteFile(out, file, 0o644); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	fmt.Printf("%s: %s, %d n-grams, %d scores, %d bytes\n",
		out, strings.Join(model.Languages, " "), len(model.Keys), len(model.Points), len(file))
	return nil
}
