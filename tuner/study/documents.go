package study

import (
	"encoding/json"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// A document is a JSON value of any size that belongs to a study or a trial.
//
// Goptuna's attributes cannot serve for these: their columns are
// varchar(2048), which SQLite ignores but PostgreSQL and MySQL enforce, and
// goptuna reads every attribute of every trial each time a sampler suggests a
// value. A per-second series or a plan belongs into neither.
type document struct {
	Owner   documentOwner `gorm:"column:owner;type:varchar(16);primaryKey"`
	OwnerID int           `gorm:"column:owner_id;primaryKey;autoIncrement:false"`
	Name    string        `gorm:"column:name;type:varchar(512);primaryKey"`
	Body    string        `gorm:"column:body;type:text;not null"`
}

// TableName keeps the table apart from goptuna's.
func (document) TableName() string { return "fbtune_documents" }

// documentOwner says what OwnerID counts.
type documentOwner string

const (
	ownedByStudy documentOwner = "study"
	ownedByTrial documentOwner = "trial"
)

// setDocuments stores values as JSON, replacing those of the same name.
func setDocuments(db *gorm.DB, owner documentOwner, id int, values map[string]any) error {
	if len(values) == 0 {
		return nil
	}
	docs := make([]document, 0, len(values))
	for name, value := range values {
		body, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode %s: %w", name, err)
		}
		docs = append(docs, document{Owner: owner, OwnerID: id, Name: name, Body: string(body)})
	}
	return db.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(docs, 100).Error
}

// documentsOf returns the documents of the owners that the query selects, by
// owner and name. The query is a subquery of identifiers, so that their number
// is not limited.
func documentsOf(db *gorm.DB, owner documentOwner, ids any) (map[int]map[string]json.RawMessage, error) {
	var docs []document
	if err := db.Find(&docs, "owner = ? AND owner_id IN (?)", owner, ids).Error; err != nil {
		return nil, err
	}
	found := map[int]map[string]json.RawMessage{}
	for _, d := range docs {
		if found[d.OwnerID] == nil {
			found[d.OwnerID] = map[string]json.RawMessage{}
		}
		found[d.OwnerID][d.Name] = json.RawMessage(d.Body)
	}
	return found, nil
}
