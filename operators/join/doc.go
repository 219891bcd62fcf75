// Package join is the hash equi-join: inner, or outer to either side or both.
//
// The build side is kept in pages. When it is complete, a directory of key hashes is made of it
// once. Probe rows are looked up block by block: first all hashes, then all loads from the
// directory, then the keys of the candidates column by column. If the key is one column of
// whole numbers close together, such as ids, the directory is an array by number: it takes less
// memory, and nothing is hashed or compared. Matches are gathered column by column and emitted
// in pages, so a probe row with millions of matches needs no more memory than one with none.
// Where many rows have one key, these lie behind each other as a run, and a probe row compares its
// key with that of the first one only.
//
// An inner join without keys is a product: it pairs all rows with all, without a directory. If it is
// given bounds, as for day BETWEEN first AND last, it sorts the build rows and pairs only those that
// the bounds leave of a probe row.
//
// When the budget refuses more build rows, both sides are spilled by partition of the key hash
// (a Grace hash join), and joined partition by partition when the probe side ends. A partition
// that does not fit either is split again. If splitting would not help or would cost more, it
// is joined in passes: each takes as much of the build side as fits and all probe rows of the
// partition. So a join makes progress in any memory, and a hot key costs passes but nothing
// else.
//
// An outer join marks each row that had a partner with a bit. Build rows are marked while they
// are in memory. Probe rows stay marked while more of the build side may come, which in passes
// means until the last one. Then the unmarked rows are emitted.
//
// Invariants:
//
//  1. The rows emitted are the same, in number and in every bit, whatever the
//     budget, the batches and the level of splitting. Their order is not.
//  2. Equal keys have equal hashes (columnar.HashRows), so they meet in one
//     partition at any level.
//  3. The hash of the directory, those of the levels and that of the shuffle are
//     independent of each other: they are derived with different seeds. If keys were
//     chosen to agree in them, the directory has hashes that nobody could foresee.
//  4. Rows with a null key have no partner. They are dropped where they come in, or
//     emitted there if the join keeps rows without a partner.
package join
