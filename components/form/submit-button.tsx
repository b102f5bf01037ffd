"use client"
import type { ComponentProps } from "react"
import { useFormStatus } from "react-dom"
import { Button } from "../ui/button"

/** Renders the button of a form with a server action. It is pending until the action ends. Works without JavaScript. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, "type" | "pending">) {
  const { pending } = useFormStatus()
  return <Button {...props} type="submit" pending={pending} />
}
