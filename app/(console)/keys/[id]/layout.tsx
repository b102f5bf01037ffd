import { notFound } from "next/navigation"
import type { ReactNode } from "react"
import { requireSession } from "@/lib/server/auth/session"
import { findKeyOnce } from "./find-key-once"

interface KeyLayoutProps {
  params: Promise<{ id: string }>
  children: ReactNode
}

/** Above the skeleton: who is not signed in, and who asks for a key of none of theirs, is told so by status. */
export default async function KeyLayout({ params, children }: KeyLayoutProps) {
  const { id } = await params
  const actor = await requireSession(`/keys/${id}`)
  if (!(await findKeyOnce(actor, id))) notFound()
  return children
}
