package workload

// WithReconnectAfter returns the plan with workers that reconnect after n transactions.
func (p Plan) WithReconnectAfter(n int) Plan {
	p.reconnectAfter = n
	return p
}
