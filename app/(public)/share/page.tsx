import type { Metadata } from "next"
import { SharedPage } from "./_components/shared-page"

export const metadata: Metadata = {
  title: "Shared request",
  robots: { index: false },
}

/** Reads nothing on the server: the shared request is in the link's fragment, which browsers do not send. */
export default function SharePage() {
  return <SharedPage />
}
