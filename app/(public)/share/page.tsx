import type { Metadata } from "next"
import { SharedPage } from "./_components/shared-page"

export const metadata: Metadata = {
  title: "Shared request",
  robots: { index: false },
}

/** Static: the shared request is in the link's fragment, which browsers do not send to servers. */
export default function SharePage() {
  return <SharedPage />
}
