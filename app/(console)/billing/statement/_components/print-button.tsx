"use client"
import { Button } from "@/components/ui/button"

/** Opens the browser's print dialog, which can also save a PDF. */
export function PrintButton() {
  return (
    <Button variant="secondary" className="print:hidden" onClick={() => window.print()}>
      Print
    </Button>
  )
}
