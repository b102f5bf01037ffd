import type { Metadata } from "next"
import { SharedPage } from "./_components/shared-page"

export const metadata: Metadata = {
  title: "Shared request",
  robots: { index: false },
}

/** The same for everybody: what is shared stands in the link's fragment, which no browser sends here. */
export default function SharePage() {
  return <SharedPage />
}
