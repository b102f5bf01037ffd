import Link from "next/link"

/** Renders the logo and name, linked to the start page. The three bars stand for probabilities. */
export function Brand() {
  return (
    <Link
      href="/"
      className="inline-flex items-center gap-2 whitespace-nowrap rounded-sm font-semibold pointer-coarse:min-h-11"
    >
      <svg aria-hidden viewBox="0 0 16 16" className="size-4 fill-accent">
        <rect x="1" y="2.5" width="14" height="3" rx="1" />
        <rect x="1" y="6.5" width="7" height="3" rx="1" fillOpacity="0.7" />
        <rect x="1" y="10.5" width="3.5" height="3" rx="1" fillOpacity="0.5" />
      </svg>
      Decision service
    </Link>
  )
}
