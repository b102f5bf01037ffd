"use client"
import { Button } from "@/components/ui/button"

/** Opens the browser's own print dialog, which saves as PDF too. */
export function PrintButton() {
  return (
    <Button variant="secondary" className="print:hidden" onClick={() => window.print()}>
      Print
    </Button>
  )
}
