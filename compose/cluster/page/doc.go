// Package page is what a gateway serves to browsers and to programs that speak HTTP:
// a page on which somebody watches jobs, and the interface below /v1 that it is made
// of.
//
// It is a client of the gateway beside it, in the same process, like any other: it
// shows the caller's token, and who may see what is decided where it always is. It
// asks when somebody looks, and costs nothing when nobody does.
package page
