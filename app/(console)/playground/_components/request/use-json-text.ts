"use client"
import { useEffect, useRef, useState } from "react"
import type { UseFormReturn } from "react-hook-form"
import { jsonAfterForm } from "@/lib/shared/playground/json-after-form"
import { readForm } from "@/lib/shared/playground/read-form"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { writeRequest } from "@/lib/shared/playground/write-request"
import { useLatest } from "./use-latest"

interface Known {
  /** As it stands in the editor by now; null while the form is shown. */
  text: string | null
  /** The text that the form was read from, and what the form itself writes for it. */
  read: string | null
  written: string
  isReading: boolean
}

/** The JSON view's text beside the form: each follows the other, and what the form cannot show stays in the text. */
export function useJsonText(form: UseFormReturn<PlaygroundForm>) {
  const [json, setShown] = useState<string | null>(null)
  const [isReadable, setReadable] = useState(true)
  const { current: known } = useRef<Known>({ text: null, read: null, written: "", isReading: false })
  const show = (text: string | null) => {
    known.text = text
    setShown(text)
  }
  useFormValues(form, (values) => {
    const { text, read, written, isReading } = known
    if (text === null || isReading) return
    const now = writeRequest(values)
    if (now === written) return
    const next = jsonAfterForm({ text, read, written }, now, values.model)
    Object.assign(known, { written: now, read: next })
    setReadable(true)
    show(next)
  })
  const readIntoForm = (): boolean => {
    if (known.text === null || known.text === known.read) return true
    const result = readForm(known.text, form.getValues("keyId"))
    setReadable(result.ok)
    if (!result.ok) return false
    Object.assign(known, { read: known.text, written: writeRequest(result.form), isReading: true })
    form.reset(result.form)
    known.isReading = false
    return true
  }
  /** Shows a text that the form was not read from, or without one what the form writes. */
  const open = (kept?: string): string => {
    const written = writeRequest(form.getValues())
    Object.assign(known, { written, read: kept === undefined ? written : null })
    setReadable(true)
    show(kept ?? written)
    return kept ?? written
  }
  /** `isOurs` where the editor does not have the text yet. */
  const type = (text: string, isOurs: boolean) => {
    if (isOurs) show(text)
    else known.text = text
  }
  return { json, isReadable, now: () => known.text, type, open, close: () => show(null), readIntoForm }
}

/** The model is chosen in the bar beside either view, and a kept or shared request is put into the form. */
function useFormValues(form: UseFormReturn<PlaygroundForm>, onValues: (values: PlaygroundForm) => void): void {
  const latest = useLatest(onValues)
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => latest(values) }),
    [form, latest],
  )
}
