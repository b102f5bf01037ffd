import { asText, isBlank } from "@/lib/shared/json-source/text-or-json"
import type { Rewordings } from "../rewordings"
import type { NoulFields } from "./form"

const OPPOSITE = "Answer yes when the answer to this question is no, and no when it is yes: "

export const noulRewordings: Rewordings<NoulFields> = {
  /** Asks for the opposite: yes means what no meant. */
  swapped: {
    write({ instructions, yes, no }) {
      const asked = isBlank(instructions)
        ? instructions
        : instructions.kind === "text"
          ? asText(OPPOSITE + instructions.text)
          : { kind: "json" as const, text: `[${JSON.stringify(OPPOSITE.trim())},${instructions.text}]` }
      return { instructions: asked, yes: no, no: yes, meanings: undefined }
    },
    restore: (probabilities) => probabilities.toReversed(),
  },
}
