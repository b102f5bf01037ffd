"use client"
import { useEffect, useRef, useState } from "react"
import type { UseFormReturn } from "react-hook-form"
import type { ShapeLimits } from "@/lib/decisions/check"
import { type Fault, faultOfParam, faultOfRequest } from "@/lib/playground/find-fault"
import { readForm } from "@/lib/playground/read-form"
import { replaceModel } from "@/lib/playground/replace-model"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { writeRequest } from "@/lib/playground/write-request"
import type { Settled } from "./settled"
import { useLatest } from "./use-latest"

export type View = "form" | "json"

export interface Views {
  view: View
  /** The JSON view's text; null while the form is shown. */
  json: string | null
  /** Where the JSON is at fault, and whether the form can show it all the same. */
  fault: Fault | null
  isReadable: boolean
  /** What is run, shared and exported, in whichever view it stands. */
  requestText(): string
  /** `isOurs` where the editor does not have the text yet. */
  setJson(text: string, isOurs?: boolean): void
  showJson(text?: string): void
  /** False when the form has no place for what the JSON says. */
  showForm(): boolean
  markParam(param: string, message: string): void
  /** Looks for a fault at once. */
  findFault(limits: ShapeLimits): void
}

/** Form and JSON as two views of one request: the one that is shown is the request, and the other follows it. */
export function useViews(form: UseFormReturn<PlaygroundForm>, settled: Settled): Views {
  const [json, setShown] = useState<string | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [isReadable, setReadable] = useState(true)
  const text = useRef<string | null>(null)
  /** The text that the form was read from, and what the form itself writes for it. */
  const read = useRef<string | null>(null)
  const written = useRef("")
  const isReading = useRef(false)

  const show = (next: string | null) => {
    text.current = next
    setShown(next)
  }
  const readJson = (): boolean => {
    if (text.current === null || text.current === read.current) return true
    const result = readForm(text.current, form.getValues("keyId"))
    setReadable(result.ok)
    if (!result.ok) return false
    read.current = text.current
    written.current = writeRequest(result.form)
    isReading.current = true
    form.reset(result.form)
    isReading.current = false
    return true
  }
  const onSettled = useLatest(() => {
    if (text.current === null) return
    readJson()
    setFault(faultOfRequest(text.current))
  })
  useEffect(() => settled.subscribe(onSettled), [settled, onSettled])
  // The model is chosen in the bar beside either view, and a kept or shared request is put into the form.
  const onForm = useLatest((values: PlaygroundForm) => {
    if (text.current === null || isReading.current) return
    const now = writeRequest(values)
    if (now === written.current) return
    const isSynced = text.current === read.current
    const renamed = isSynced ? replaceModel(text.current, values.model) : now
    const next = isSynced && replaceModel(written.current, values.model) === now ? renamed : now
    written.current = now
    read.current = next
    setReadable(true)
    show(next)
  })
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => onForm(values) }),
    [form, onForm],
  )

  return {
    view: json === null ? "form" : "json",
    json,
    fault,
    isReadable,
    requestText: () => {
      settled.collect()
      return text.current ?? writeRequest(form.getValues())
    },
    setJson: (next, isOurs = false) => {
      text.current = next
      if (isOurs) setShown(next)
      settled.touch()
    },
    showJson: (kept) => {
      settled.collect()
      const next = kept ?? writeRequest(form.getValues())
      read.current = kept === undefined ? next : null
      written.current = writeRequest(form.getValues())
      setReadable(true)
      setFault(faultOfRequest(next))
      show(next)
      settled.touch()
    },
    showForm: () => {
      settled.collect()
      if (!readJson()) return false
      show(null)
      settled.touch()
      return true
    },
    findFault: (limits) => {
      if (text.current !== null) setFault(faultOfRequest(text.current, limits))
    },
    markParam: (param, message) => {
      if (text.current !== null) setFault(faultOfParam(text.current, param, message))
    },
  }
}
