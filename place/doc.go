// Package place finds the places that values name: cities, countries, their ISO
// codes, cities by the codes of their airports, and coordinates; and tells how far
// apart they are.
//
// It owns one embedded gazetteer, places.bin, which build makes of the public
// GeoNames dump and whose licence lies beside it. It never guesses between a city
// and a country, and of cities with the same name takes the largest. The failure
// it is built around is the word that happens to be a place: it answers for single
// values, and its callers ask for most of a column.
package place
