import type { Cue } from "../cues"

const ASKS =
  "(want|need|demand|expect|claim|request|get|give|send|like|wish|issue|process|due|entitled to|owe|please|kindly|can|could|how|when|where|for|apply)"
const MONEY =
  "(money|cash|payment|amount|charge|deposit|fee|fees|funds|paid|spent|dollars?|euros?|pounds?|bucks|usd|eur|[$€£]?\\d+(\\.\\d+)?)"

/** A request to get money back. */
export const REFUND_CUES: Cue[] = [
  [
    0.8,
    `${ASKS} … (refund|refunded|reimbursed?|reimbursement|money back|chargeback|compensation), refund (me|us|my|the|this|it), (full|complete|total) refund, ${MONEY} back, back … ${MONEY}, (put|pay|transfer|send|give|return|credit) … ${MONEY} (back|again|to my|on(to)? my|of), (what|everything) i (paid|spent) … (back|returned), (returned|return) … (i paid|my money|the money|the payment|one of them|the \\d+\\S*|\\d+), credit … (amount|account|card), reimburse (me|us), (getting|get|be) (reimbursed|refunded), compensat(e|ion) … (me|us|for|of)`,
  ],
  [0.5, "refund, reimburse(ment|d)?, money back, chargeback, compensation"],
]

/** Money that has come back already, questions about rules, and people who would rather have something else. */
export const NOT_REFUND: Cue[] = [
  [
    0.8,
    "refunded (me|us|it|my|the) … (already|yesterday|last|today), (already|been|was) refunded, refunds? … (arrived|received|came|went through|is here), (got|received) (the|my|your|a) refund, refund polic(y|ies), (polic(y|ies)|rules|terms) … refunds?, (keep|don't need|do not need) the money, (rather|prefer) … than … (money|refund|cash), no refund, (instead of|not) a refund, without a refund",
  ],
]

const HOLD =
  "(subscription|contract|membership|account|plan|profile|service|order|booking|reservation|renewal|trial|everything|policy|premium|box|user|agreement)"
const ENDS =
  "(cancel|end|terminate|close|stop|quit|discontinue|delete|remove|drop|kill|shut|shut down|get rid of|leave|opt out of|finish|deactivate|unsubscribe from|pause|take me off)"

/** A request to end a contract, a subscription, an account or an order. */
export const CANCEL_CUES: Cue[] = [
  [
    0.8,
    `${ENDS} … ${HOLD}, ${HOLD} … (down|cancelled|canceled|terminated|closed|ended|deleted), (want|like|wish|need|please|pls|how do i|can i|can you|could you|help me|have|going|decided|just|to) (to )?(cancel|unsubscribe|terminate|quit), cancel (it|this|that|my|our|the|please|pls|me|everything|all|immediately|now|at), unsubscribe( me)?, stop (charging|billing|debiting) (me|us), (don't|do not|won't|will not|not|won't be|not be|not to) (auto.?)?renew(ing|ed)?, (no longer|not|don't) (wish|want|need|plan|intend|like) to (continue|stay|use|renew|be), (going|go|gone|switching|switch|moving|move|went) (with|to) (another|a different|a competitor|someone|your competitor), found (something|someone|one|somewhere|a) … (cheaper|better), (i'm|we're|i am|we are|am) (leaving|out|done)`,
  ],
  [0.45, "cancel, cancellation, terminate, unsubscribe, quit"],
]

/** Something else was cancelled or closed, or it is only about the rules. */
export const NOT_CANCEL: Cue[] = [
  [
    0.7,
    "(was|were|been|got|is|are|they|he|she|colleague|you) cancell?ed, cancell?ation (policy|fee|terms), (reopen|reactivate|keep|add|upgrade|upgrading|extend|renew my|another year), by accident and",
  ],
]
