import { asText, type TextOrJson } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion, type QuestionForm } from "@/questions/question-form"
import type { RequestForm } from "./request-form"

export interface Example {
  id: string
  title: string
  state: TextOrJson
  questions: QuestionForm[]
}

export const noul = (name: string, instructions: string, yes: string, no: string): QuestionForm => ({
  ...emptyQuestion("noul", name),
  instructions: asText(instructions),
  yes: asText(yes),
  no: asText(no),
})

export const choice = (
  name: string,
  instructions: string,
  options: [name: string, covers: string][],
): QuestionForm => ({
  ...emptyQuestion("choice", name),
  instructions: asText(instructions),
  options: options.map(([option, covers]) => ({ name: option, description: asText(covers) })),
})

export const score = (name: string, instructions: string, levels: string[]): QuestionForm => ({
  ...emptyQuestion("score", name),
  instructions: asText(instructions),
  levels: levels.map((label) => ({ label: asText(label) })),
})

const asJson = (value: object): TextOrJson => ({ kind: "json", text: JSON.stringify(value, null, 2) })

const SUPPORT_TICKET: Example = {
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

const MODERATION: Example = {
  id: "moderation",
  title: "Moderation",
  state: asText(
    'Comment under a product review:\n\n"Only an idiot would give this blender five stars. Write me on CheapKitchenDeals and I\'ll sell you the same one for half the price."',
  ),
  questions: [
    noul(
      "insults_someone",
      "Does the comment insult a person or a group?",
      "Somebody is called names, mocked or belittled.",
      "The comment criticises a product or an opinion, or nothing at all.",
    ),
    noul(
      "is_advertising",
      "Does the comment advertise something for sale elsewhere?",
      "It offers or recommends to buy somewhere else.",
      "It sells nothing.",
    ),
    choice("action", "What should happen to the comment?", [
      ["publish", "Within the rules: leave it as it is."],
      ["hide", "Breaks the rules mildly: hide it until its author changes it."],
      ["remove", "Spam, threats or hatred: remove it."],
      ["ask_a_person", "None of these is clear."],
    ]),
    score("harm", "How much harm would publishing it do?", [
      "None.",
      "Annoys some readers.",
      "Hurts or misleads somebody.",
      "Puts somebody in danger.",
    ]),
  ],
}

const SALES_LEAD: Example = {
  id: "sales-lead",
  title: "Sales lead",
  state: asJson({
    company: "Northwind Logistics",
    employees: 340,
    role: "Head of Operations",
    message:
      "We process about 4,000 delivery notes a day by hand and want to pilot automatic routing before the end of the quarter. Budget is approved. Could someone call me this week?",
    visited: ["/pricing", "/docs/api", "/security"],
  }),
  questions: [
    noul(
      "can_decide",
      "Can this person decide on a purchase?",
      "The role or the message shows authority over the budget.",
      "Somebody else decides, or nothing shows who does.",
    ),
    choice("next_step", "What should the sales team do next?", [
      ["call", "Ring them: they ask for it, or the interest is strong."],
      ["send_material", "Answer by mail with documents or a demo video."],
      ["nurture", "Keep them on the newsletter: the interest is early."],
      ["other", "Not a sales enquiry: support, press, a job application."],
    ]),
    score("readiness", "How ready is the company to buy?", [
      "No need is named.",
      "A need, without time or money.",
      "A need with a time frame.",
      "A need, a time frame and a budget.",
    ]),
  ],
}

const INVOICE: Example = {
  id: "invoice",
  title: "Invoice",
  state: asJson({
    supplier: "Brandt Office Supply",
    known_supplier: true,
    purchase_order: null,
    bank_details_changed: true,
    lines: [
      { text: "Desk chairs, grey", quantity: 12, unit_price: "189.00" },
      { text: "Express delivery", quantity: 1, unit_price: "95.00" },
    ],
    note: "Please note our new bank account. Kindly pay today to keep your discount.",
  }),
  questions: [
    noul(
      "looks_like_fraud",
      "Does the invoice show signs of payment fraud?",
      "Changed bank details, pressure to pay at once, or a sender who does not fit.",
      "An ordinary invoice.",
    ),
    choice("account", "Which cost account does the invoice belong to?", [
      ["furniture", "Desks, chairs, lamps, shelves."],
      ["consumables", "Paper, ink, cleaning, food."],
      ["services", "Repairs, consulting, subscriptions."],
      ["other", "None of these accounts."],
    ]),
    score("approval", "Who has to look at it before it is paid?", [
      "Nobody: pay it.",
      "A clerk: something is missing.",
      "A manager: something is wrong or risky.",
    ]),
  ],
}

const AGENT_STEP: Example = {
  id: "agent-step",
  title: "Agent step",
  state: asJson({
    goal: "Move the customer's meeting with Dr. Osei from Tuesday to a day that suits both.",
    history: [
      { tool: "calendar.find", result: "Both are free on Thursday at 10:00 and on Friday at 15:00." },
      { tool: "mail.read", result: "Dr. Osei writes: Thursday works best for me." },
    ],
    proposed: { tool: "calendar.move", arguments: { to: "Thursday 10:00", notify: true } },
  }),
  questions: [
    noul(
      "step_serves_goal",
      "Does the proposed step bring the agent nearer to its goal?",
      "The step follows from what is known and moves towards the goal.",
      "The step repeats, contradicts or leaves the goal.",
    ),
    noul(
      "needs_confirmation",
      "Should a person confirm the proposed step before it is carried out?",
      "It cannot be undone, costs money, or writes to people who were never asked.",
      "It can be undone, or was asked for.",
    ),
    choice("next", "What should the agent do now?", [
      ["act", "Carry out the proposed step."],
      ["look_up", "Find out more before acting."],
      ["ask", "Ask the customer a question."],
      ["stop", "The goal is reached, or cannot be reached."],
    ]),
    score("progress", "How far has the agent come?", ["Not begun.", "Under way.", "One step from the goal.", "Done."]),
  ],
}

export const EXAMPLES: readonly Example[] = [SUPPORT_TICKET, MODERATION, SALES_LEAD, INVOICE, AGENT_STEP]

export const exampleForm = (model: string, example: Example = SUPPORT_TICKET): RequestForm =>
  structuredClone({ model, keyId: "", state: example.state, questions: example.questions })
