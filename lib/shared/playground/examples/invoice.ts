import { asJson, choice, type Example, noul, score } from "./example"

export const INVOICE: Example = {
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
