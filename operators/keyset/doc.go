// Package keyset holds the key hashes of a join's build side. With them a scan
// of the probe side can drop rows without a partner before it parses the rest
// of those rows.
//
// A Builder collects the hashes of all replicas of a build side and makes one
// Set of them, or none if there are so many that a look-up costs more than it
// saves. A set never drops a row that has a partner. It may keep rows that have
// none, where different keys have equal hashes.
package keyset
