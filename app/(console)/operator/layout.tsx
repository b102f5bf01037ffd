import type { ReactNode } from "react"
import { requireOperatorUser } from "@/lib/server/auth/operator"
import { OperatorNav } from "./_components/operator-nav"

/** Adds the navigation, or responds with 404 to everyone but operators. Each page and action also checks the operator itself. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  await requireOperatorUser()
  return (
    <>
      <OperatorNav />
      {children}
    </>
  )
}
