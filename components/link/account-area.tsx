"use client"
import { type ReactNode, useCallback } from "react"
import { addressIn } from "@/lib/shared/accounts/account-area"
import { AccountAddress } from "./account-address"

/** Makes links and filters of an account's page lead to the pages of the account that an operator looks at, which are below `base`. */
export function AccountArea({ base, children }: { base: string; children: ReactNode }) {
  const addressOf = useCallback((href: string) => addressIn(base, href), [base])
  return <AccountAddress value={addressOf}>{children}</AccountAddress>
}
