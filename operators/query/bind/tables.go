package bind

import "analyzer/operators/query/plan"

// PlanTables returns the tables of a catalog by their names in plans.
func (c Catalog) PlanTables() plan.Tables {
	all := make(plan.Tables)
	for _, of := range []map[string]*Table{c.Tables, c.Files, {"": c.Nothing}} {
		for _, t := range of {
			if t != nil {
				for _, part := range t.Parts {
					all[part.Name] = part
				}
			}
		}
	}
	return all
}
