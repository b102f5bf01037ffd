import type { ReactNode } from "react"
import { AccountArea } from "@/components/link/account-area"
import { accountName } from "@/lib/server/accounts/account-name"
import { requireOperatorUser } from "@/lib/server/auth/operator"
import { isConfirmed } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { accountBase } from "../../_components/look-at"
import { AccountNav } from "./_components/account-nav"

/** Adds the links to the account's pages. The page checks and records the look itself. */
export default async function AccountLayout({
  children,
  params,
}: LayoutProps<"/operator/accounts/[id]">): Promise<ReactNode> {
  const { id } = await params
  const user = await requireOperatorUser()
  const accountId = parsePublicId("acc", id)
  const name = accountId && isConfirmed(user, "operator") ? await accountName(runtime(), accountId) : ""
  return (
    <AccountArea base={accountBase(id)}>
      <AccountNav base={accountBase(id)} name={name || id} />
      {children}
    </AccountArea>
  )
}
