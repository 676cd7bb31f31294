module quern/learned

go 1.26.8
