/** The account and key that pay for a decision, and whose limits apply. Both are UUIDs. */
export interface Payer {
  accountId: string
  keyId: string
}
