export const MODEL = "svc-lexical-baseline-1"

export const THREE_QUESTIONS = {
  model: "svc-decider-latest",
  state: "I was charged twice for my order last week and nobody has replied. This is unacceptable.",
  questions: {
    angry: { type: "noul", instructions: "Is the customer angry?" },
    team: {
      type: "choice",
      instructions: "Which team should handle this?",
      criteria: {
        billing: "Payments, invoices and refunds",
        shipping: "Delivery and tracking",
        technical: "Bugs and errors",
      },
    },
    urgency: {
      type: "score",
      instructions: "How urgent is this?",
      criteria: ["Can wait", "This week", "Today", "Right now"],
    },
  },
}

export const ONE_QUESTION = {
  model: "svc-decider-latest",
  state: "Where is my parcel?",
  questions: { late: { type: "noul", instructions: "Is this about a delivery?" } },
}
