// Writes public/samples/support-tickets.csv, the rows that the page Evaluate offers to try: node scripts/sample-tickets.mjs
// Everything is made up. The labels follow from what a ticket says, but one refund label in a hundred is wrong on purpose.
// Labels given by people are never perfect, and the page helps to find the wrong ones.
import { writeFileSync } from "node:fs"
import Papa from "papaparse"
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus"
import { ROOT } from "./project.mjs"

const ROWS = 1_000
const WRONG_LABELS = 0.01

const PRODUCTS = [
  ...["desk lamp", "coffee grinder", "yoga mat", "bike light", "rain jacket", "monitor arm", "bookshelf"],
  ...["blender", "tea kettle", "standing desk", "wireless mouse", "backpack", "toaster", "office chair"],
]

/** Per team: what tickets say that ask for money back, and what others say. */
const TICKETS = {
  billing: {
    subjects: ["Billing", "Question about a payment", "Invoice", "Charged twice", "My card"],
    refund: [
      "I was charged twice for my {p} and I want the second payment refunded.",
      "My card was debited for a {p} that I cancelled. I want my money back.",
      "Please refund the {p}: the invoice shows a price that I never agreed to.",
      "The discount for the {p} was not applied. Please pay back the difference.",
      "You billed me for two of the {p} but I ordered one. Refund the extra charge, please.",
      "There are two payments for one {p} on my statement. One of them must come back to my account.",
      "I returned the {p} two weeks ago and have not seen the refund yet. When do you transfer it?",
    ],
    other: [
      "Can you send me the invoice for the {p} with our VAT number on it?",
      "Is the price of the {p} on the invoice with or without tax?",
      "My invoice for the {p} shows the wrong company name. Could you correct it?",
      "When will the payment for the {p} be taken from my card?",
      "Which payment methods do you accept for a {p}? I would prefer a bank transfer.",
      "The refund for the {p} arrived today. Thank you for the quick help!",
      "Before I order the {p}: how does a refund work if it does not fit?",
    ],
  },
  shipping: {
    subjects: ["Delivery", "Late parcel", "Where is my parcel", "Shipping"],
    refund: [
      "My parcel with the {p} was lost and I would like a refund.",
      "The {p} is three weeks late. Cancel the delivery and refund me.",
      "The {p} never arrived. I do not want it any more, please give me my money back.",
      "Tracking says delivered, but no {p} came. Refund the order.",
      "I paid for express and the {p} took nine days. I want the express fee back.",
    ],
    other: [
      "Could you deliver the {p} to my office instead of my home?",
      "Do you ship the {p} to Norway, and how long does delivery take?",
      "The courier left my {p} with a neighbour that I do not know. Which one?",
      "The parcel with the {p} is late. When will it arrive?",
      "Where is my {p}? The tracking has not changed for days.",
      "The {p} is late, but please do not cancel it: I do not want a refund, I want the parcel.",
    ],
  },
  product: {
    subjects: ["Broken", "Does not work", "Question about the product", "Spare part"],
    refund: [
      "The {p} arrived broken. I would like my money back.",
      "The {p} makes a terrible noise. I want to return it for a full refund.",
      "The {p} stopped working after two days. Please refund it.",
      "This {p} is not what the page describes. I am sending it back and want a refund.",
      "The second {p} that you sent is broken too. I give up, please return what I paid.",
    ],
    other: [
      "A screw of the {p} is missing. Can you send a spare part?",
      "Does the {p} work with 110 volts?",
      "How do I clean the {p}? The manual does not say.",
      "My {p} does not switch on. What should I try?",
      "The {p} is a little scratched. I am keeping it, but you should know.",
      "The {p} arrived broken. Please send me a new one instead.",
    ],
  },
  other: {
    subjects: ["Hello", "Feedback", "Question", "My account"],
    refund: [
      "I changed my mind about the gift card and would like the money back.",
      "Please refund the donation that I added at checkout by mistake.",
      "I did not know that the trial renews itself. Give me back what you took for this month.",
    ],
    other: [
      "Can I use one account for my whole office?",
      "Do you have a shop in Leeds that I can visit?",
      "Great service, thank you! My order was exactly right.",
      "I would like to work for you. Where can I send my application?",
      "Please remove my address from your newsletter.",
      "Where can I read your terms about refunds and returns?",
    ],
  },
}

/** Subjects that say nothing about the team. */
const VAGUE = ["Help", "Order", "(no subject)"]

/** What a ticket ends with, by the urgency that it shows. */
const ENDINGS = [
  ["", "", "No hurry at all.", "Just asking.", "Thanks in advance."],
  ["Please let me know in the next few days.", "Could you look into it soon?", "I would like an answer this week."],
  [
    "I need this solved before Friday, my rent is due.",
    "It must be settled today, the event is tomorrow morning.",
    "I am really angry: nobody has answered me for a week.",
    "This is the second time that I am writing to you!",
  ],
]

const generator = xoroshiro128plus(2_026)
const share = () => (generator.next() >>> 0) / 2 ** 32
const oneOf = (items) => items[Math.floor(share() * items.length)]

function ticket(_, at) {
  const team = share() < 0.13 ? "other" : oneOf(["billing", "shipping", "product"])
  const wantsRefund = share() < 0.36
  const { subjects, refund, other } = TICKETS[team]
  const urgency = oneOf([0, 0, 1, 1, 2, 2])
  const text = oneOf(wantsRefund ? refund : other).replaceAll("{p}", oneOf(PRODUCTS))
  const label = share() < WRONG_LABELS ? !wantsRefund : wantsRefund
  return {
    ticket: `T-${1_000 + at}`,
    subject: oneOf(share() < 0.15 ? VAGUE : subjects),
    body: `${text} ${oneOf(ENDINGS[urgency])}`.trim(),
    wants_refund: label ? "yes" : "no",
    team,
    urgency,
  }
}

const rows = Array.from({ length: ROWS }, ticket)
writeFileSync(`${ROOT}/public/samples/support-tickets.csv`, `${Papa.unparse(rows, { newline: "\n" })}\n`)
