"use client"
import { PageFailure } from "@/components/page-failure"
import { Button } from "@/components/ui/button"

interface ErrorPageProps {
  error: Error & { digest?: string }
  retry: () => void
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return <PageFailure reference={error.digest} action={<Button onClick={retry}>Try again</Button>} />
}
