"use client"
import { ErrorPage, type ErrorPageProps } from "@/components/error-page"

/** Warns against a second payment, because the user may just have paid. */
export default function ReturnErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <ErrorPage
      error={error}
      retry={retry}
      title="The status of your payment could not be loaded"
      advice="Do not pay again. A payment that was made is credited without this page. You can also look under Billing."
    />
  )
}
