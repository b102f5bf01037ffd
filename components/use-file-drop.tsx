import { type DragEvent, useRef, useState } from "react"

const hasFile = ({ dataTransfer }: DragEvent) => [...dataTransfer.types].includes("Files")

/**
 * Lets a file be dropped on the element with the props `target`, or be chosen: `input` goes inside that element, and `choose`
 * opens it. A drop is handled in the capture phase, before an editor inserts the file's text.
 */
export function useFileDrop(label: string, accept: string, onFile: (file: File) => void) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const open = (file: File | undefined) => file && onFile(file)
  return {
    isOver,
    choose: () => input.current?.click(),
    target: {
      onDragOver: (event: DragEvent) => {
        if (!hasFile(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDropCapture: (event: DragEvent) => {
        setOver(false)
        if (!hasFile(event)) return
        event.preventDefault()
        event.stopPropagation()
        open(event.dataTransfer.files[0])
      },
    },
    input: (
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          open(target.files?.[0])
          target.value = ""
        }}
      />
    ),
  }
}
