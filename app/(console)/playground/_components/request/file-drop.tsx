"use client"
import { type ReactNode, useRef, useState } from "react"
import { useFormContext } from "react-hook-form"
import { readFile } from "@/lib/shared/playground/read-file"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { useFileDrag } from "./use-file-drag"
import { useRemember } from "./use-remember"

/** Takes a file that is dropped or chosen as the state. */
export function FileDrop({ children }: { children: (openFile: () => void) => ReactNode }) {
  const { setValue } = useFormContext<PlaygroundForm>()
  const remember = useRemember()
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = await readFile(file)
    setRefused(read.ok ? null : read.message)
    if (!read.ok) return
    remember("Replaced the state by the file")
    setValue("state", read.words)
  }
  const { isOver, listeners } = useFileDrag((file) => void take(file))
  return (
    <div
      className={isOver ? "rounded-md outline-2 outline-accent outline-dashed outline-offset-4" : undefined}
      {...listeners}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".txt,.json,text/plain,application/json"
        aria-label="State from a file"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ""
        }}
      />
      {children(() => input.current?.click())}
      {refused ? (
        <p role="alert" className="mt-1 font-medium text-danger text-sm">
          {refused}
        </p>
      ) : null}
    </div>
  )
}
