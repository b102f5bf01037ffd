"use client"
import { TriangleAlert } from "lucide-react"
import { useId, useRef } from "react"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { useAccount, usePlayground } from "../model/playground-store"

const GAP_PX = 8
const EDGE_PX = 16

/** Warns beside the model's name. A press shows the whole warning above the button. */
export function ModelCaution() {
  const { models } = useAccount()
  const id = usePlayground(({ request }) => request.form.model)
  const model = models.find((choice) => choice.id === id)
  const popover = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  if (!model?.caution) return null
  const isKeywordRules = model.pinnedId === LEXICAL_BASELINE
  const place = () => {
    if (!button.current || !panel.current) return
    const { left, top } = button.current.getBoundingClientRect()
    panel.current.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - 22 * 16 - EDGE_PX))}px`
    panel.current.style.bottom = `${window.innerHeight - top + GAP_PX}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={popover}
        onClick={place}
        className="inline-flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-md bg-warn-soft px-2.5 font-medium text-sm text-warn pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      >
        <TriangleAlert aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{isKeywordRules ? "Not a model" : "Read first"}</span>
      </button>
      <div
        ref={panel}
        id={popover}
        popover="auto"
        className="fixed inset-auto m-0 w-88 max-w-[calc(100vw-2rem)] rounded-md border border-warn bg-warn-soft p-3 text-ink shadow-float"
      >
        <p>{model.caution}</p>
      </div>
    </>
  )
}
