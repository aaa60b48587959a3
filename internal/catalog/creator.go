package catalog

// creatorAccount returns the SQL of the account whose address is that of a
// creator, NULL where none has it. The placeholder is for foldedCreator.
func creatorAccount(placeholder string) string {
	return "(SELECT account.id FROM account WHERE account.email_folded = " + placeholder + ")"
}

// foldedCreator returns the address of a creator as accounts are found by it.
func foldedCreator(email *string) *string {
	if email == nil {
		return nil
	}
	return new(fold(*email))
}
