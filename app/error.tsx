"use client"
import { PageFailure } from "@/components/page-failure"
import { Button } from "@/components/ui/button"

interface ErrorPageProps {
  error: Error & { digest?: string }
  retry: () => void
}

/** For what fails in a frame itself; a page's own failure stays within its frame. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <main id="content" className="mx-auto max-w-page px-4 sm:px-8">
      <PageFailure reference={error.digest} action={<Button onClick={retry}>Try again</Button>} />
    </main>
  )
}
