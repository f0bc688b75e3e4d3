package workload

import "database/sql/driver"

// kind is one of the five operations, an index into operations.
type kind int

const (
	newOrder kind = iota
	payment
	orderStatus
	delivery
	stockLevel
	kinds int = iota
)

// operation is what the load knows of a kind.
type operation struct {
	name   string // in results
	share  int    // of the standard mix, in per cent
	call   string // prepared once per connection; one round trip a call
	params int
}

// operations is the standard mix (TPC-C 5.2.3, with new orders as the rest).
// The procedures are in templates/oltp.
var operations = [kinds]operation{
	newOrder:    {"new_order", 45, "EXECUTE PROCEDURE op_new_order (?, ?, ?, ?, ?, ?)", 6},
	payment:     {"payment", 43, "EXECUTE PROCEDURE op_payment (?, ?, ?, ?, ?, ?, ?)", 7},
	orderStatus: {"order_status", 4, "EXECUTE PROCEDURE op_order_status (?, ?, ?, ?)", 4},
	delivery:    {"delivery", 4, "EXECUTE PROCEDURE op_delivery (?, ?)", 2},
	stockLevel:  {"stock_level", 4, "EXECUTE PROCEDURE op_stock_level (?, ?, ?)", 3},
}

// deckSize is how many cards make the mix in whole cards.
const deckSize = 100

// deck deals kinds in random order so that every hundred cards hold the mix exactly.
type deck struct {
	cards [deckSize]kind
	dealt int
	g     lcg
}

func newDeck(g lcg) *deck {
	d := &deck{g: g, dealt: deckSize}
	i := 0
	for k, op := range operations {
		for range op.share {
			d.cards[i] = kind(k)
			i++
		}
	}
	return d
}

// next deals a card, shuffling anew when all are dealt.
func (d *deck) next() kind {
	if d.dealt == deckSize {
		shuffle(&d.g, d.cards[:])
		d.dealt = 0
	}
	k := d.cards[d.dealt]
	d.dealt++
	return k
}

// The chances and ranges of the operations' inputs (TPC-C 2.4.1 to 2.8.1).
const (
	minLines, maxLines         = 5, 15
	rolledBackOneIn            = 100 // new orders that name an unused item
	remoteLineOneIn            = 100 // order lines supplied by another warehouse
	maxQuantity                = 10
	remotePaymentPercent       = 15
	byNamePercent              = 60
	minPayment, maxPayment     = 100, 500000 // cents
	carriers                   = 10
	minThreshold, maxThreshold = 10, 20

	packedLine = 12 // digits of a line in op_new_order's last parameter: item 6, warehouse 4, quantity 2
)

// orderLine is one line of a new order.
type orderLine struct{ item, supply, quantity int }

// inputs draws the arguments of operations. They are kept in drawn until the
// next draw, so that a conflict is tried again with the same ones.
//
// Every operation takes a random warehouse: a connection is not bound to one
// as a terminal of TPC-C is, so that all the data are used whatever the number
// of connections.
type inputs struct {
	scale                 Scale
	g                     lcg
	names                 []string
	byName, byID, ofItems nurand

	drawn []driver.Value // the arguments of the last draw, in args
	args  [8]driver.Value
	// rollback says that the drawn new order must end in a rollback.
	rollback bool
	lines    [maxLines]orderLine
	packed   [maxLines * packedLine]byte
}

// newInputs returns inputs for connection number i of a run.
func newInputs(s Scale, runSeed int64, i int) *inputs {
	_, cName := nameC(s, runSeed)
	// The constants C of one run are the same for all its connections.
	c := newLCG(s.Seed, runSeed, seedConstants)
	byID := nurand{a: nurandA(s.customers()), lo: 1, hi: s.customers()}
	byID.c = c.between(0, byID.a)
	ofItems := nurand{a: nurandA(s.items()), lo: 1, hi: s.items()}
	ofItems.c = c.between(0, ofItems.a)
	return &inputs{
		scale:   s,
		g:       newLCG(s.Seed, runSeed, seedWorker, int64(i)),
		names:   lastNameTable(s.names()),
		byName:  nurand{a: nurandA(s.names()), c: cName, lo: 0, hi: s.names() - 1},
		byID:    byID,
		ofItems: ofItems,
	}
}

// draw draws the arguments of an operation of kind k into drawn.
func (in *inputs) draw(k kind) {
	in.rollback = false
	w := in.g.between(1, in.scale.Warehouses)
	switch k {
	case newOrder:
		in.newOrder(w)
	case payment:
		in.payment(w)
	case orderStatus:
		id, name := in.customer()
		in.set(int64(w), in.district(), id, name)
	case delivery:
		in.set(int64(w), int64(in.g.between(1, carriers)))
	case stockLevel:
		in.set(int64(w), in.district(), int64(in.g.between(minThreshold, maxThreshold)))
	}
}

func (in *inputs) set(args ...driver.Value) {
	in.drawn = in.args[:copy(in.args[:], args)]
}

func (in *inputs) district() driver.Value {
	return int64(in.g.between(1, districtsPerWarehouse))
}

// customer draws a customer: an id and no name, or a name and no id.
func (in *inputs) customer() (id, name driver.Value) {
	if in.g.between(1, 100) <= byNamePercent {
		return nil, in.names[in.byName.draw(&in.g)]
	}
	return int64(in.byID.draw(&in.g)), nil
}

// otherWarehouse draws a warehouse that is not w, if there is one.
func (in *inputs) otherWarehouse(w int) int {
	if in.scale.Warehouses == 1 {
		return w
	}
	other := in.g.between(1, in.scale.Warehouses-1)
	if other >= w {
		other++
	}
	return other
}

func (in *inputs) payment(w int) {
	d := in.district()
	customerW, customerD := w, d
	if in.g.between(1, 100) <= remotePaymentPercent {
		customerW, customerD = in.otherWarehouse(w), in.district()
	}
	id, name := in.customer()
	in.set(int64(w), d, int64(customerW), customerD, id, name, int64(in.g.between(minPayment, maxPayment)))
}

func (in *inputs) newOrder(w int) {
	d := in.district()
	c := in.byID.draw(&in.g)
	lines := in.lines[:in.g.between(minLines, maxLines)]
	allLocal := int64(1)
	for i := range lines {
		supply := w
		if in.g.oneIn(remoteLineOneIn) {
			if supply = in.otherWarehouse(w); supply != w {
				allLocal = 0
			}
		}
		lines[i] = orderLine{in.ofItems.draw(&in.g), supply, in.g.between(1, maxQuantity)}
	}
	if in.g.oneIn(rolledBackOneIn) {
		in.rollback = true
		lines[len(lines)-1].item = in.scale.items() + 1
	}
	sortLines(lines)
	in.set(int64(w), d, int64(c), int64(len(lines)), allLocal, in.pack(lines))
}
