"use client"
import { usePathname } from "next/navigation"
import { TextLink } from "@/components/ui/text-link"

const PATH = "/billing/top-up"

/** Links to the form of a top-up, with this amount. The page of the form has no link to itself. */
export function AddCredit({ amountUsd }: { amountUsd: string | null }) {
  if (usePathname() === PATH) return null
  return (
    <TextLink href={amountUsd ? `${PATH}?amount=${amountUsd}` : PATH} alone>
      Add credit
    </TextLink>
  )
}
