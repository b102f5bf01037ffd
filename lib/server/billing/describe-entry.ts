export type EntryKind = "charge" | "welcome" | "credit" | "debit" | "topup" | "refund" | "dispute"

const WORDS: Record<EntryKind, string> = {
  charge: "Decision",
  welcome: "Welcome credit",
  credit: "Credit by the operator",
  debit: "Debit by the operator",
  topup: "Top-up",
  refund: "Refund",
  dispute: "Dispute",
}

/** What an entry was, in words. A refund or dispute that adds to the balance is one that came to nothing. */
export function describeEntry({ kind, amountUsd }: { kind: EntryKind; amountUsd: string }): string {
  const isAdded = !amountUsd.startsWith("-")
  if (kind === "refund" && isAdded) return "Refund failed, credited again"
  if (kind === "dispute" && isAdded) return "Dispute ended, credited again"
  return WORDS[kind]
}
