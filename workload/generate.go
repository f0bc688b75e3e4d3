package workload

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
)

// poolLength is how many letters the generators cut their texts from; the
// procedures in templates/oltp/generate.sql count on it.
const poolLength = 4096

// generatorCall is one call of a generator procedure, in a transaction of its own.
type generatorCall struct {
	procedure string
	args      []driver.Value
}

// run makes the rows and returns how many.
func (c generatorCall) run(ctx context.Context, s *session) (int64, error) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(c.args)), ", ")
	var made int64
	err := s.within(ctx, readCommitted, func() error {
		n, err := s.queryInts(ctx, fmt.Sprintf("EXECUTE PROCEDURE %s (%s)", c.procedure, marks), c.args...)
		if err != nil {
			return err
		}
		made = n[0]
		return nil
	})
	return made, err
}

// stockParts is into how many calls the items and a warehouse's stock are cut.
const stockParts = 10

// generatorCalls returns every call that makes the data of a scale. Each has a
// seed of its own that depends on what it makes and not on the order of calls,
// so that the rows do not depend on the number of connections.
func generatorCalls(s Scale) []generatorCall {
	pool := newPool(s.Seed)
	seed := func(parts ...int64) driver.Value {
		return int64(newLCG(append([]int64{s.Seed}, parts...)...))
	}
	customers, items := int64(s.customers()), int64(s.items())
	nameA := int64(nurandA(s.names()))
	nameLoadC, _ := nameC(s, 0)

	var calls []generatorCall
	add := func(procedure string, args ...driver.Value) {
		calls = append(calls, generatorCall{procedure, args})
	}
	for part := range int64(stockParts) {
		add("load_items", items*part/stockParts+1, items*(part+1)/stockParts, seed(seedItems, part), pool)
	}
	for w := int64(1); w <= int64(s.Warehouses); w++ {
		add("load_warehouse", w, customers, seed(seedWarehouse, w), pool)
		for part := range int64(stockParts) {
			add("load_stock", w, items*part/stockParts+1, items*(part+1)/stockParts, seed(seedStock, w, part), pool)
		}
		for d := int64(1); d <= districtsPerWarehouse; d++ {
			add("load_customers", w, d, customers, int64(s.names()), nameA, int64(nameLoadC), seed(seedCustomers, w, d), pool)
			step, start := permutation(s.customers(), newLCG(s.Seed, seedPermutation, w, d))
			add("load_orders", w, d, customers, items, int64(s.undelivered()), int64(step), int64(start), seed(seedOrders, w, d), pool)
		}
	}
	return calls
}

func newPool(seed int64) string {
	g := newLCG(seed, seedPool)
	return g.letters(poolLength)
}

// permutation returns a step and a start such that start + i*step mod n visits
// every number below n once as i runs from 1 to n.
func permutation(n int, g lcg) (step, start int) {
	start = g.between(0, n-1)
	for {
		step = g.between(1, n)
		if gcd(step, n) == 1 {
			return step, start
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
