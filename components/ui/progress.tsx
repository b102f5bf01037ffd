import clsx from "clsx"

interface ProgressProps {
  /** What progresses, for assistive technology. */
  label: string
  value: number
  max: number
  className?: string
}

/** Shows `value` of `max` as a bar. */
export function Progress({ label, value, max, className }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className={clsx(
        "h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line",
        "[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent",
        className,
      )}
    />
  )
}
