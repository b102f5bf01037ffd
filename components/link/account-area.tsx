"use client"
import { createContext, type ReactNode, use } from "react"
import { addressIn } from "@/lib/shared/accounts/account-area"

/** The address below which the pages of the shown account are. Empty for the user's own account. */
const Base = createContext("")

/** Makes links and filters of an account's page lead to the pages of the account that an operator looks at, which are below `base`. */
export function AccountArea({ base, children }: { base: string; children: ReactNode }) {
  return <Base value={base}>{children}</Base>
}

/** Returns a function that returns the address of an account's page for the account that is shown. */
export function useAccountAddress(): (href: string) => string {
  const base = use(Base)
  return (href) => addressIn(base, href)
}
