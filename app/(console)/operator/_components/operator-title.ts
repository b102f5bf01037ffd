import type { Metadata } from "next"
import { operatorRoleOf } from "@/lib/server/auth/operator"
import { findSession } from "@/lib/server/auth/session"

/** Returns the title of an operator's page. Everyone else gets "Page not found", as for an address without a page. */
export async function operatorTitle(title: string): Promise<Metadata> {
  const user = await findSession()
  return { title: user && operatorRoleOf(user) ? title : "Page not found" }
}
