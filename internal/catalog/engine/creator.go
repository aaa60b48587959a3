package engine

// CreatorAccount returns the SQL of the id of a creator's account, NULL when
// there is none. The placeholder stands for the result of FoldedCreator.
func CreatorAccount(placeholder string) string {
	return "(SELECT account.id FROM account WHERE account.email_folded = " + placeholder + ")"
}

// FoldedCreator returns the email address of a creator in the form by which
// accounts are found.
func FoldedCreator(email *string) *string {
	if email == nil {
		return nil
	}
	return new(Fold(*email))
}
