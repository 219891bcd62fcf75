// Package steam describes two data sets published on Kaggle, games.csv by
// fronkongames (steam-games-dataset) and reviews.csv by andrewmvd
// (steam-reviews), and five queries over them.
//
// The header of games.csv has one name too few: "DiscountDLC count" stands over
// the two columns Discount and DLC count.
package steam
