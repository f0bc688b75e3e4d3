package confgen

import (
	"fmt"
	"strings"
)

// DoesNotFit is the error of a candidate whose worst case is larger than the
// memory it may have.
type DoesNotFit struct {
	Candidate Candidate
	Budget    Budget
	Cap       Bytes
	Largest   Pages // the largest DefaultDbCachePages with which it would fit; 0 when there is none
}

// Error gives the arithmetic and what to do.
func (e *DoesNotFit) Error() string {
	lines := make([]string, 0, len(e.Budget.Lines))
	for _, l := range e.Budget.Lines {
		lines = append(lines, fmt.Sprintf("%s %s = %s", l.Name, l.Formula, l.Worst))
	}
	advice := fmt.Sprintf("lower %s to %d or less, or allow more memory", DefaultDbCachePages, e.Largest)
	if e.Largest == 0 {
		advice = "no page cache is small enough: allow more memory, or fewer connections"
	}
	return fmt.Sprintf("needs %s of memory when its caches are full, %s allowed (%s)%s; %s",
		e.Budget.Total.Worst, e.Cap, strings.Join(lines, "; "), e.overflow(), advice)
}

// overflow says what the engine would make of a page cache that is too large
// for the number it keeps it in.
func (e *DoesNotFit) overflow() string {
	setting, _ := Lookup(DefaultDbCachePages)        // a row of the catalogue
	text, _ := e.Candidate.text(DefaultDbCachePages) // known, or there would be no budget
	pages, err := setting.Number(e.Candidate.Version, e.Candidate.mode(), text)
	if err != nil || pages >= e.Candidate.Version.dialect().Int(text) {
		return ""
	}
	return fmt.Sprintf("; Firebird %s would take %s for %d pages", e.Candidate.Version, text, pages)
}

// Fits returns a [*DoesNotFit] when the candidate's caches, once full, take
// more memory than limit. A server starts with them nevertheless, because a page
// buffer takes memory only when it is first used; it dies when they fill.
func Fits(c Candidate, limit Bytes) error {
	budget, err := Plan(c)
	if err != nil {
		return err
	}
	if budget.Total.Worst <= limit {
		return nil
	}
	return &DoesNotFit{Candidate: c, Budget: budget, Cap: limit, Largest: largestCache(c, limit)}
}

// largestCache returns the largest DefaultDbCachePages with which the
// candidate fits in limit, or 0.
func largestCache(c Candidate, limit Bytes) Pages {
	smallest := Pages(50)
	return Pages(largest(int64(smallest), maxPages, func(pages int64) bool {
		settings := make(map[string]string, len(c.Settings)+1)
		for key, value := range c.Settings {
			if !strings.EqualFold(key, DefaultDbCachePages) {
				settings[key] = value
			}
		}
		settings[DefaultDbCachePages] = fmt.Sprint(pages)
		smaller := c
		smaller.Settings = settings
		need, err := Required(smaller)
		return err == nil && need <= limit
	}))
}

// maxPages is the largest number of page buffers of a 64-bit server.
const maxPages = 2147483646

// largest returns the largest n in [low, high] for which ok holds, given that
// it holds for every smaller one too; 0 when it does not hold for low.
func largest(low, high int64, ok func(int64) bool) int64 {
	if low > high || !ok(low) {
		return 0
	}
	for low < high {
		middle := low + (high-low+1)/2
		if ok(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}
