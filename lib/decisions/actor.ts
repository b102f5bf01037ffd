/** Whose money and whose limits a decision uses, whichever door it came through. UUIDs. */
export interface Actor {
  accountId: string
  keyId: string
}
