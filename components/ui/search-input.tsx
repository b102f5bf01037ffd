import clsx from "clsx"
import { Search } from "lucide-react"
import type { ComponentProps } from "react"
import { Input } from "./input"

interface SearchInputProps extends Omit<ComponentProps<typeof Input>, "type"> {
  /** Classes of the box around the field and its icon, such as its width. */
  boxClassName?: string
}

/** Renders a search field with a magnifying glass. Browsers neither complete nor check what is typed. */
export function SearchInput({ boxClassName, className, ...rest }: SearchInputProps) {
  return (
    <span className={clsx("relative block min-w-0", boxClassName)}>
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-ink-muted" />
      <Input type="search" autoComplete="off" spellCheck={false} {...rest} className={clsx("pl-8.5", className)} />
    </span>
  )
}
