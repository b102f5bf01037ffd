import { asJson, choice, type Example, noul, score } from "./example"

export const SALES_LEAD: Example = {
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
