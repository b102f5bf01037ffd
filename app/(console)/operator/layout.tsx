import type { ReactNode } from "react"
import { operatorRoleOf, requireOperatorUser } from "@/lib/server/auth/operator"
import { OperatorNav } from "./_components/operator-nav"

/** Adds the navigation, or responds with 404 to everyone but operators. Each page and action also checks the operator itself. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const user = await requireOperatorUser()
  const role = operatorRoleOf(user) ?? "support"
  return (
    <>
      <OperatorNav role={role} />
      {children}
    </>
  )
}
