// Package workbook reads a sheet of an Excel workbook (.xlsx, .xlsm) as CSV: each row of the sheet is
// a record of as many fields as the widest row has, and a row without values an empty line, so that
// lines count as rows do. Texts are in double quotes, numbers as they are stored, dates, times and
// truth values as text that is read as such. A formula is its value when the workbook was saved or,
// if no program has computed it, its text. Merged cells have their value in the first of them.
//
// Sheets are read as a stream. In memory are the texts of the workbook and the formats of its
// cells, both within bounds; what a workbook states about sizes is not trusted. Entities of a
// document's own do not exist here.
package workbook
