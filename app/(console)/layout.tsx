import type { ReactNode } from "react"
import { findSession } from "@/lib/auth/session"
import { getBalance } from "@/lib/billing/get-balance"
import { Rail } from "./_components/rail"
import { TopBar } from "./_components/top-bar"

/** The frame of every signed-in page. It guards nothing: each page and each verb asks for the session itself. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await findSession()
  if (!actor) return children
  const { balanceUsd } = await getBalance(actor)
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
      <Rail email={actor.email} balanceUsd={balanceUsd} />
      <TopBar email={actor.email} balanceUsd={balanceUsd} />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-page px-4 py-6 outline-none sm:px-8 sm:py-8 print:p-0"
      >
        {children}
      </main>
    </div>
  )
}
