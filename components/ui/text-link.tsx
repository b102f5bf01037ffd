import clsx from "clsx"
import { Link, type LinkProps } from "@/components/link/link"

interface TextLinkProps extends LinkProps {
  /** Enlarges the touch target of a link that is not inside a sentence. */
  alone?: boolean
}

export function TextLink({ alone = false, className, ...rest }: TextLinkProps) {
  return (
    <Link
      {...rest}
      className={clsx(
        "text-accent underline decoration-1 underline-offset-2 hover:text-accent-strong",
        alone && "pointer-coarse:py-3.5",
        className,
      )}
    />
  )
}
