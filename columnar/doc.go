// Package columnar holds the data types that all other rooms share: rows as columns of
// slices, their types and schemas, and the description of a CSV table. Its subpackages
// turn bytes into rows and back: csv, parquet and scan read tables, ipc writes and reads
// Arrow messages, segment keeps state on disk, pyliteral and number parse cells, budget
// and vfs guard memory and files.
package columnar
