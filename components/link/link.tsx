"use client"
// biome-ignore lint/style/noRestrictedImports: every other file uses this component
import NextLink from "next/link"
import type { ComponentProps } from "react"
import { useAccountAddress } from "./account-address"
import { useLoadAhead } from "./load-ahead"

export interface LinkProps extends Omit<ComponentProps<typeof NextLink>, "href" | "prefetch"> {
  href: string
  /** False for what is not a page, such as a file, and for a link that opens something else. */
  prefetch?: false
}

/**
 * Renders a link. In the console, its page is loaded when the user is about to follow it. Next itself would send two requests
 * for every link in sight.
 */
export function Link(props: LinkProps) {
  const href = useAccountAddress()(props.href)
  const loadAhead = useLoadAhead(href, props.prefetch)
  return <NextLink {...loadAhead} {...props} href={href} prefetch={false} />
}
