import type { LucideIcon } from "lucide-react"
import type { MouseEventHandler } from "react"
import { Button } from "./button"

interface IconButtonProps {
  id?: string
  icon: LucideIcon
  /** What the button does, such as "Remove option 2". */
  label: string
  disabled?: boolean
  onClick: MouseEventHandler
}

/** Renders a small button with an icon. Its label is also its tooltip. */
export function IconButton({ id, icon: Icon, label, disabled, onClick }: IconButtonProps) {
  return (
    <Button
      id={id}
      variant="quiet"
      size="sm"
      className="w-8 px-0 pointer-coarse:w-11"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  )
}
