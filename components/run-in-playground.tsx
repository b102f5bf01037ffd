"use client"
import { Play } from "lucide-react"
import { useRouter } from "next/navigation"
import type { MouseEvent } from "react"
import { Link } from "@/components/link/link"
import { buttonClass } from "@/components/ui/button"
import { storeHandover } from "@/lib/shared/share-link/store-handover"

interface RunInPlaygroundProps {
  requestText: string
  /** The share page of the request. Used for a new tab, and when the browser cannot store the request. */
  shareHref: string
}

/** Opens the request of an example in the playground. It runs when the user presses Run there. */
export function RunInPlayground({ requestText, shareHref }: RunInPlaygroundProps) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    const isNewTab = event.metaKey || event.ctrlKey || event.shiftKey
    if (isNewTab || !storeHandover(requestText)) return
    event.preventDefault()
    router.push("/playground")
  }
  return (
    <Link href={shareHref} prefetch={false} onClick={open} className={`${buttonClass("secondary", "sm")} self-start`}>
      <Play aria-hidden className="size-3.5" />
      Open in the playground
    </Link>
  )
}
