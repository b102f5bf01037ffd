/** Whom an allowance is for, and how the interface says so. */
export const ALLOWANCE_PER = { account: "each account", member: "each member" } as const
export type AllowancePer = keyof typeof ALLOWANCE_PER
export const ALLOWANCE_PER_NAMES = Object.keys(ALLOWANCE_PER) as [AllowancePer, ...AllowancePer[]]
