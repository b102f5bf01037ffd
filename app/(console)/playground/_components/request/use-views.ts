"use client"
import { useEffect, useState } from "react"
import type { UseFormReturn } from "react-hook-form"
import { type Fault, faultOfParam, faultOfRequest } from "@/lib/shared/playground/find-fault"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { writeRequest } from "@/lib/shared/playground/write-request"
import type { ShapeLimits } from "@/questions/limits"
import type { Settled } from "./settled"
import { useJsonText } from "./use-json-text"
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
  const text = useJsonText(form)
  const [fault, setFault] = useState<Fault | null>(null)
  const mark = (faultIn: (json: string) => Fault | null) => {
    const json = text.now()
    if (json !== null) setFault(faultIn(json))
  }
  const onSettled = useLatest(() => {
    text.readIntoForm()
    mark(faultOfRequest)
  })
  useEffect(() => settled.subscribe(onSettled), [settled, onSettled])
  const { json, isReadable } = text
  return {
    view: json === null ? "form" : "json",
    json,
    fault,
    isReadable,
    requestText: () => {
      settled.collect()
      return text.now() ?? writeRequest(form.getValues())
    },
    setJson: (next, isOurs = false) => {
      text.type(next, isOurs)
      settled.touch()
    },
    showJson: (kept) => {
      settled.collect()
      setFault(faultOfRequest(text.open(kept)))
      settled.touch()
    },
    showForm: () => {
      settled.collect()
      if (!text.readIntoForm()) return false
      text.close()
      settled.touch()
      return true
    },
    findFault: (limits) => mark((now) => faultOfRequest(now, limits)),
    markParam: (param, message) => mark((now) => faultOfParam(now, param, message)),
  }
}
