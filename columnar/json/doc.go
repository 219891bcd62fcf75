// Package json reads tables from files of JSON: objects one to a line (JSON lines), an array of
// objects, or objects one after the other. What is valid JSON is what encoding/json takes for it.
//
// A row is an object, and its columns are the values in it that are no objects: the x of
// {"a": {"x": 1}} is the column a.x. If a value is an object in one row and another value in the next, there is
// a column for the other value, which for the first row has the text of the object. A key that is
// missing, and a null, are a null. Of equal keys in one object the last counts. A dot in a key is
// written \. in the headers of tables (columnar.TableColumn.Header).
//
// Rows come as cells (input.Block) in double quotes where the value is a text, and without where it is a number,
// a truth value or an array (csv.Typed), which is its JSON.
// Surrogates that have no other half, and bytes that are no UTF-8, become U+FFFD.
//
// A file of lines is cut into blocks as a CSV file is: block k has the lines that begin in it, and
// workers read blocks anywhere in the file. In other files objects have to be found in order; that
// is quick, and workers then read them at the same time.
package json
