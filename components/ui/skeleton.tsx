import clsx from "clsx"

/**
 * Shows a placeholder with the size of the loading content. It stays invisible for 0.3 s, so fast content does not
 * flash.
 */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx("animate-skeleton rounded-md bg-sunken", className)} />
}
