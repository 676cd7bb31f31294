package tree_test

import (
	"fmt"

	"quern/tree"
)

func ExampleParse() {
	q, err := tree.Parse(`select status, count(*) from orders where price > 10 group by status`)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := tree.Print(q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text)
	// Output:
	// SELECT "status", count(*) FROM "orders" AS "orders" WHERE "price" > 10 GROUP BY "status"
}

func ExampleEnglish() {
	q, err := tree.Parse(`SELECT count(*) FROM orders WHERE status = 'open' GROUP BY customer ORDER BY count(*) DESC`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.English(q))
	// Output:
	// Counts orders whose status is 'open', per customer, largest first
}

func ExampleClone() {
	q, err := tree.Parse(`SELECT name FROM products WHERE price > 10`)
	if err != nil {
		fmt.Println(err)
		return
	}
	sorted := tree.Clone(q)
	sorted.Order = []tree.Order{{Expr: tree.Column{Name: "price"}}}
	fmt.Println(tree.English(q))
	fmt.Println(tree.English(sorted))
	// Output:
	// Lists the name of products whose price is more than 10
	// Lists the name of products whose price is more than 10, sorted by price
}
