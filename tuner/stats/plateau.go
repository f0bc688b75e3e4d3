package stats

import "slices"

// RaceFit estimates all candidates from the trials of the race so far, with
// marks on those that cannot be told from the best. It is for showing; what to
// run next is decided by [Protocol.Next].
func (p Protocol) RaceFit(l Lineup, trials []Trial) (Fit, error) {
	r, err := p.replay(l, trials)
	if err != nil {
		return Fit{}, err
	}
	return Estimate(r.race, Options{Cells: len(l.Candidates), Control: l.Control})
}

// Plateau returns the cells around the best one, itself included, that cannot
// be told from it and are reached over neighbours that cannot either: "256 to
// 1024 pages are indistinguishable". Cells are ascending.
func (l Lineup) Plateau(fit Fit) []int {
	plateau := []int{fit.Best}
	for i := 0; i < len(plateau); i++ { // grows while it is walked
		for _, n := range l.Candidates[plateau[i]].Neighbours {
			if fit.Cells[n].N > 0 && fit.Cells[n].SameAsBest && !slices.Contains(plateau, n) {
				plateau = append(plateau, n)
			}
		}
	}
	slices.Sort(plateau)
	return plateau
}
