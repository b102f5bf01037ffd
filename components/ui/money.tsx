import clsx from "clsx"
import { displayUsd } from "@/lib/money"

/** An exact USD text as people read it: `$12.34`, below a cent as many digits as it takes. */
export function Money({ usd, className }: { usd: string; className?: string }) {
  return <span className={clsx("whitespace-nowrap tabular-nums", className)}>{displayUsd(usd)}</span>
}
