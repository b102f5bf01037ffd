import { notFound } from "next/navigation"
import type { ReactNode } from "react"
import { requireSession } from "@/lib/server/auth/session"
import { findKeyOnce } from "./find-key-once"

interface KeyLayoutProps {
  params: Promise<{ id: string }>
  children: ReactNode
}

/** Runs above `loading.tsx`, so that the redirect to sign-in and the 404 for an unknown key keep their HTTP status. */
export default async function KeyLayout({ params, children }: KeyLayoutProps) {
  const { id } = await params
  const actor = await requireSession(`/keys/${id}`)
  if (!(await findKeyOnce(actor, id))) notFound()
  return children
}
