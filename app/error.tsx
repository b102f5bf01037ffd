"use client"
import { PageFailure } from "@/components/page-failure"
import { Button } from "@/components/ui/button"

interface ErrorPageProps {
  error: Error & { digest?: string }
  reset: () => void
}

/** For what fails in a frame itself; a page's own failure stays within its frame. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main id="content" className="mx-auto max-w-page px-4 sm:px-8">
      <PageFailure reference={error.digest} action={<Button onClick={reset}>Try again</Button>} />
    </main>
  )
}
