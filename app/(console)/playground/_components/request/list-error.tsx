import { FieldError } from "@/components/ui/field"

interface ListErrorProps {
  /** The list's field, ending in `.root`: the focus goes here when the list as a whole is wrong. */
  field: string
  message: string | undefined
}

/** What is wrong with a list, such as too many questions. */
export function ListError({ field, message }: ListErrorProps) {
  return (
    <div id={field} tabIndex={-1} className="rounded-sm empty:hidden">
      <FieldError>{message}</FieldError>
    </div>
  )
}
