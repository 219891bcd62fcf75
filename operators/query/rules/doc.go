// Package rules rewrites logical plans into equivalent ones.
//
// [List] has the rules in their order. Each is a file, with the plans that it makes of others in
// testdata, and says why it stands where it stands. [Rewrite] applies them all.
//
// A query within an expression is bound as a plan that may read columns of the query around
// it, which no node below it yields: they are its outer columns. Such a plan cannot run by
// itself. Two rewrites make it one that can.
//
// Lift, which package bind calls, takes conditions on outer columns off a plan, so that they
// become the conditions of a join with the outer rows. It makes no node that reads the outer
// rows, but cannot take conditions off every plan.
//
// Apply is a node that gives, for each row of its first input, the rows of its second, which
// may read the columns of the first. The first rule replaces it by moving the first input, the
// domain, down into the second, to where its columns are read. That is possible for every
// plan, and takes time linear in it. It follows T. Neumann and A. Kemper, “Unnesting Arbitrary
// Queries”, BTW 2015.
//
// Each column of a plan that these two are given is made by one node, under a name that no other
// column of the plan has. So it is for the rule that orders joins.
package rules
