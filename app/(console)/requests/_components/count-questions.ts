import { TYPE_NAMES } from "@/questions/question-types"

/** Returns the number of questions of each type: "1 noul, 2 choice". */
export const countQuestions = (counts: Partial<Record<string, number>>): string =>
  TYPE_NAMES.flatMap((type) => {
    const count = counts[type]
    return count ? [`${count} ${type}`] : []
  }).join(", ")
