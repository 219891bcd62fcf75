// Package datasets describes the data sets the program knows: their tables,
// their queries as plans, samples that travel inside the binary, generators and
// published answers. Each data set has a package of its own below this one;
// package catalog finds them by name.
package datasets
