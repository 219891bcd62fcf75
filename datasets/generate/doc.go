// Package generate makes synthetic data sets that look like the published ones
// and can be as large: the same files, columns, cell syntax, lengths and faults, with
// invented content. Benchmarks and tests use them where the real files cannot be used.
//
// # Invariants
//
//  1. The same scale and seed give the same bytes on any machine, with any number
//     of cores. Each row's choices are seeded by its table and number, and only
//     integers are used.
//  2. Row counts are those of the published files times the scale.
//  3. The tables of a data set fit together: ratings, casts and reviews are of
//     films, games and books that exist (and a few that do not), and popularity
//     falls off as in the real data (Zipf).
//  4. Each of the fifteen queries has an answer, with its thresholds lowered in
//     proportion to the scale.
//  5. Every fault of the real files occurs at every scale, at a low rate. A fault
//     that is due once in n rows occurs once among the first n rows, so small
//     files have it too.
//
// # Invented content
//
// Titles, names, texts and numbers are made from the vocabulary in internal/text.
// The only real people named are authors of books that have been in print for
// centuries.
//
// The package opens no files: the caller supplies the writers.
package generate
