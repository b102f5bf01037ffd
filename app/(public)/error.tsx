"use client"
import { PageFailure } from "@/components/page-failure"
import { Button } from "@/components/ui/button"

interface ErrorPageProps {
  error: Error & { digest?: string }
  reset: () => void
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return <PageFailure reference={error.digest} action={<Button onClick={reset}>Try again</Button>} />
}
