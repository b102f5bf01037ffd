import clsx from "clsx"

/** The place of something that is on its way, unseen at first: what comes at once does not flash. Give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx("animate-skeleton rounded-md bg-sunken", className)} />
}
