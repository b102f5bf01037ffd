import type { LucideIcon } from "lucide-react"
import { Button } from "@/components/ui/button"

interface IconButtonProps {
  icon: LucideIcon
  /** What it does, and to what. */
  label: string
  disabled?: boolean
  onClick: () => void
}

/** A small button that shows a sign alone; its label is heard, and seen on hover. */
export function IconButton({ icon: Icon, label, disabled, onClick }: IconButtonProps) {
  return (
    <Button
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
