/** Who acts in the console: a signed-in member of one account. Every verb of the console takes one and filters by its account. */
export interface UserActor {
  accountId: string
  userId: string
  sessionId: string
  email: string
  role: "owner" | "developer"
  /** For the audit log only. */
  clientAddress: string | null
}
