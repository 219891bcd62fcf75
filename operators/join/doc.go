// Package join is the hash equi-join: inner, or outer to either side or both.
//
// The build side is kept in pages, and when it is complete a directory of key
// hashes is made of it once. Probe rows are looked up block by block: all hashes,
// then all loads of the directory, then the keys of the candidates column by
// column. Of a key that is whole numbers close together, as ids are, the directory
// is an array by number: it takes less memory, and nothing is hashed or compared. Matches are gathered column by column and emitted in pages, so that a
// probe row with millions of matches needs no more memory than one with none.
//
// When the budget refuses more build rows, both sides are written to disk by
// partition of the key hash (a Grace hash join) and joined partition by
// partition when the probe side ends. A partition that does not fit either is
// split again, or, if splitting would not help or would cost more, joined in
// passes: as much of the build side as fits, with all probe rows of the
// partition. So a join makes progress in any memory, and a hot key costs passes
// and nothing else.
//
// An outer join marks the rows that had a partner, a bit for each: those of the
// build side as long as they are in memory, those of the probe side as long as
// more of the build side may come, which in passes is until the last. What is not
// marked is emitted then.
//
// Invariants:
//
//  1. The rows emitted are the same, in number and in every bit, whatever the
//     budget, the batches and the level of splitting. Their order is not.
//  2. Equal keys have equal hashes (columnar.HashRows), so they meet in one
//     partition at any level.
//  3. The hash of the directory, those of the levels and that of the shuffle are
//     independent of each other: they are derived with different seeds.
//  4. Rows with a null key have no partner. They are dropped where they come in, or
//     emitted there if the join keeps rows without a partner.
package join
