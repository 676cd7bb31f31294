// Package s3door is the edge that shows the objects of tables as S3 does, to engines
// that read them as Iceberg tables: one bucket at the server's own address, in path
// style, that is read and never written.
//
// It owns the protocol: requests signed with Signature Version 4 in a header or in the
// query, conditions and ranges, listings, and S3's errors in XML. It never decides who
// may read a table: Keys does, and is asked at every request, so that a revocation
// counts at the next one. It never holds an object in memory.
//
// The failure it is built around is the key that opens more than it was made for: a
// signature that covers less than what is answered, or a path that means one object
// here and another in the store. A key opens one folder, and what is asked of the store
// is checked as the store's own kind of key first.
//
//	request ──▶ parsed ──▶ in time ──▶ Keys.Open ──▶ signature ──▶ in the folder ──▶ store
//	            400        403         400, 403      403           403               404
package s3door
