import { parseUsd } from "@/lib/shared/money"

/** What an account or the keys of a member may spend in a UTC day or month. Exact USD texts. */
export interface Budget {
  /** Whose keys count: those that this member created, or null for all keys of the account. */
  member: { id: string; email: string; isMember: boolean } | null
  /** The tag whose requests count; null for requests with any tag, or none. */
  tag: string | null
  period: "daily" | "monthly"
  limitUsd: string
  spentUsd: string
  resetsAt: string
}

/** The parts of a budget at which its people are warned. */
export type SpentPercent = 50 | 80 | 100

/** Returns the used part of a budget's limit; 1 or more when it is used up. */
export const spentPart = ({ spentUsd, limitUsd }: Budget): number =>
  Number(((parseUsd(spentUsd) ?? 0n) * 1_000n) / (parseUsd(limitUsd) ?? 1n)) / 1_000

/** The value of `of` for the account's own budget. Otherwise it is a member's public id. */
export const ACCOUNT = "account"

/** The value of `of` for the budget of a tag, which `tag` names. */
export const TAG = "tag"

/** Returns what the forms send to name a budget. */
export const subjectOf = ({ member, tag, period }: Budget) => ({
  of: member?.id ?? (tag === null ? ACCOUNT : TAG),
  tag: tag ?? "",
  period,
})

/** Names what a budget limits, such as "keys of ada@example.com". */
export const nameOfBudget = ({ member, tag }: Pick<Budget, "member" | "tag">): string =>
  tag ? `tag ${tag}` : member ? `keys of ${member.email}${member.isMember ? "" : ", who left"}` : "the account"
