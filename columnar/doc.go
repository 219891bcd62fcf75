// Package columnar holds what every other room speaks in: record batches, their
// types and schemas, and the description of a CSV table. Its subpackages turn
// bytes into batches and back: csv and scan read tables, segment keeps state on
// disk, pyliteral and number read cells, budget and vfs guard memory and files.
//
// Arrow is used through the names declared here as far as is natural, so that a
// move to another Arrow release stays in one place.
package columnar
