// Package chart draws charts of measurements as SVG and PNG.
//
// A Chart is data: places along the x axis, and for each series a value at each
// place. It is laid out once, as lines, areas and words of a scene, and both
// formats draw that scene. Words are drawn as outlines of the Go font, which is
// part of the program, so that a chart looks the same on a machine without any
// fonts. In a page that has fonts of its own, SVG may keep them as text.
//
// A package of its own size is used rather than gonum/plot, because that one
// parses a dozen fonts when a program starts, whether or not it draws.
package chart
