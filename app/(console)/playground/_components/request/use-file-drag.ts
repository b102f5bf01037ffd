"use client"
import { type DragEvent, useState } from "react"

const hasFile = ({ dataTransfer }: DragEvent) => [...dataTransfer.types].includes("Files")

/** Whether a file is held over an element, what that must listen to, and the file that is let go there. */
export function useFileDrag(onFile: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false)
  const listeners = {
    onDragOver: (event: DragEvent) => {
      if (!hasFile(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    // Before an editor takes the file for text.
    onDropCapture: (event: DragEvent) => {
      setOver(false)
      if (!hasFile(event)) return
      event.preventDefault()
      event.stopPropagation()
      onFile(event.dataTransfer.files[0])
    },
  }
  return { isOver, listeners }
}
