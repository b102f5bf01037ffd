import { asText } from "../words"
import { choice, type Example, noul, score } from "./example"

/** What the playground opens with, so that the first Run works. */
export const SUPPORT_TICKET: Example = {
  id: "support-ticket",
  title: "Support ticket",
  state: asText(
    "Subject: Charged twice for my order\n\nHello, I ordered a desk lamp on Monday and my card was charged twice. The lamp works fine, but I need the second payment refunded before my rent is due on Friday. This is the second time I am writing about it. Please help.",
  ),
  questions: [
    noul(
      "wants_refund",
      "Does the customer ask for money back?",
      "The customer asks for a refund of a payment or charge.",
      "The customer asks for something else, or for nothing.",
    ),
    choice("team", "Which team should answer this ticket?", [
      ["billing", "Payments, charges, refunds, invoices."],
      ["shipping", "Delivery, tracking, parcels that are late or lost."],
      ["product", "Defects, how something works, spare parts."],
      ["other", "Anything that none of these teams answers."],
    ]),
    score("urgency", "How soon does the customer need an answer?", [
      "No hurry: a question or a remark.",
      "Within days.",
      "Before a deadline, or written a second time.",
    ]),
  ],
}
