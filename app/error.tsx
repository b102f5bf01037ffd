"use client"
import type { ComponentProps } from "react"
import { ErrorPage } from "@/components/error-page"

/** Renders the error of a layout, or of a page in a folder without an `error.tsx`. Other pages show their error inside their layout. */
export default function FrameErrorPage(props: ComponentProps<typeof ErrorPage>) {
  return (
    <main id="content" className="mx-auto max-w-page px-4 sm:px-8">
      <ErrorPage {...props} />
    </main>
  )
}
