/** Notes are in the ledger or the audit log, which the erasure of a person does not change. */
export const NOTE_STAYS = "It is never erased, so name no person."
