import type { ReactNode } from "react"
import { requireSession } from "@/lib/server/auth/session"

/** Runs above `loading.tsx`, so that the redirect to sign-in keeps its HTTP status. */
export default async function UsageLayout({ children }: { children: ReactNode }) {
  await requireSession("/usage")
  return children
}
