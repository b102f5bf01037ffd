import type { MemberCard } from "./members"

/**
 * Returns what happens to the account's card that `person` saved, as the end of a dialog's description. `when` is a condition, such
 * as "with another role". Empty without a card.
 */
export function cardText(card: MemberCard, person: string, when?: string): string {
  if (card === "none") return ""
  const ends = card === "saved" ? "it is removed" : "it is removed and automatic top-up ends"
  return ` ${person} saved the account's card${when ? `: ${when}, ${ends}` : `, so ${ends}`}.`
}
