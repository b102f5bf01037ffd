"use client"
import { Link } from "@/components/link/link"
import { useSite } from "./site-context"

/** Renders the logo and name, linked to the start page. The three bars of the built-in logo stand for probabilities. */
export function Brand() {
  const { name, logoUrl } = useSite()
  return (
    <Link
      href="/"
      className="inline-flex min-w-0 items-center gap-2 rounded-sm font-semibold leading-5 pointer-coarse:min-h-11"
    >
      {logoUrl ? (
        // biome-ignore lint/performance/noImgElement: the file has its final size, and Next would not optimise an SVG.
        <img src={logoUrl} alt="" className="h-5 w-auto max-w-24 shrink-0" />
      ) : (
        <svg aria-hidden viewBox="0 0 16 16" className="size-4 shrink-0 fill-accent">
          <rect x="1" y="2.5" width="14" height="3" rx="1" />
          <rect x="1" y="6.5" width="7" height="3" rx="1" fillOpacity="0.7" />
          <rect x="1" y="10.5" width="3.5" height="3" rx="1" fillOpacity="0.5" />
        </svg>
      )}
      <span className="line-clamp-2 break-words">{name}</span>
    </Link>
  )
}
