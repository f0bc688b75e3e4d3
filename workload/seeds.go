package workload

// What a generator is for, mixed into its seed, so that no two share numbers.
const (
	seedPool int64 = iota + 1
	seedItems
	seedWarehouse
	seedStock
	seedCustomers
	seedOrders
	seedPermutation
	seedNameC
	seedWorker
	seedDeck
	seedReport
	seedConstants
	seedBackoff
	seedArrivals
)
