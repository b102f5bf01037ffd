import type { ReactNode } from "react"
import { requireOperatorUser } from "@/lib/server/auth/operator"
import { OperatorNav } from "./_components/operator-nav"

/** Each page and each action of the area checks the operator itself. This layout only adds the navigation. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  await requireOperatorUser()
  return (
    <>
      <OperatorNav />
      {children}
    </>
  )
}
