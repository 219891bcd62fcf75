// Package keyset holds the key hashes of a join's build side, so that a scan of
// the probe side can leave out rows that will find no partner before it parses
// the rest of them.
//
// A Builder collects the hashes of all replicas of a build side and makes one
// Set of them, or none when there are too many for a look-up to be cheaper than
// what it saves. A set never leaves out a row that has a partner: it may keep
// some that have none, where different keys have equal hashes.
package keyset
