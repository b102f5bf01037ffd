"use client"
import type { ComponentProps } from "react"
import { ErrorPage } from "@/components/error-page"

/** Shown when a frame itself fails. The error of a page is shown within its frame. */
export default function FrameErrorPage(props: ComponentProps<typeof ErrorPage>) {
  return (
    <main id="content" className="mx-auto max-w-page px-4 sm:px-8">
      <ErrorPage {...props} />
    </main>
  )
}
