import type { PlaygroundForm, QuestionForm } from "./schema"

/** A new question of a type, with room for what the type needs. */
export const emptyQuestion = (type: QuestionForm["type"], name: string): QuestionForm => ({
  type,
  name,
  instructions: "",
  yes: "",
  no: "",
  options: [
    { name: "", description: "" },
    { name: "", description: "" },
  ],
  levels: [{ label: "" }, { label: "" }, { label: "" }],
})

/** A support ticket and one question of each type: what the playground opens with, so that the first Run works. */
export const exampleForm = (model: string): PlaygroundForm => ({
  model,
  keyId: "",
  stateKind: "text",
  state:
    "Subject: Charged twice for my order\n\nHello, I ordered a desk lamp on Monday and my card was charged twice. The lamp works fine, but I need the second payment refunded before my rent is due on Friday. This is the second time I am writing about it. Please help.",
  questions: [
    {
      ...emptyQuestion("noul", "wants_refund"),
      instructions: "Does the customer ask for money back?",
      yes: "The customer asks for a refund of a payment or charge.",
      no: "The customer asks for something else, or for nothing.",
    },
    {
      ...emptyQuestion("choice", "team"),
      instructions: "Which team should answer this ticket?",
      options: [
        { name: "billing", description: "Payments, charges, refunds, invoices." },
        { name: "shipping", description: "Delivery, tracking, parcels that are late or lost." },
        { name: "product", description: "Defects, how something works, spare parts." },
      ],
    },
    {
      ...emptyQuestion("score", "urgency"),
      instructions: "How soon does the customer need an answer?",
      levels: [
        { label: "No hurry: a question or a remark." },
        { label: "Within days." },
        { label: "Before a deadline, or written a second time." },
      ],
    },
  ],
})
